"""Import and export in the back office: a file comes in, its changes are shown, then they are applied."""

from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from wagtail.admin.auth import permission_denied
from wagtail.admin.menu import MenuItem
from wagtail.admin.viewsets.base import ViewSet

from catalog.goods.importer.exporting import FORMATS
from catalog.stock import fileruns
from catalog.stock.exporting import EXPORTS
from catalog.stock.models import FileRun

LOOK, IMPORT = "stock.view_filerun", "stock.add_filerun"
MOST_SHOWN = 20


def _who_may(permission: str) -> Any:
    """Let only staff with a permission see a page."""

    def decorate(view: Any) -> Any:
        def guarded(request: HttpRequest, *args: Any, **kw: Any) -> HttpResponse:
            may = request.user.has_perm(permission)
            response: HttpResponse = view(request, *args, **kw) if may else permission_denied(request)
            return response

        return never_cache(guarded)

    return decorate


@_who_may(LOOK)
def index(request: HttpRequest) -> HttpResponse:
    """Offer to bring in a file or to take one out, and show the last ones."""
    context = {
        "page_title": _("Import and export"),
        "header_title": _("Import and export"),
        "header_icon": "download",
        "may_import": request.user.has_perm(IMPORT),
        "tables": [(name, TABLES[name]) for name in EXPORTS],
        "formats": FORMATS,
        "most_megabytes": fileruns.MOST_BYTES >> 20,
        "runs": FileRun.objects.select_related("user")[:MOST_SHOWN],
    }
    return TemplateResponse(request, "stock/admin/files.html", context)


@_who_may(IMPORT)
@require_POST
def bring_in(request: HttpRequest) -> HttpResponse:
    """Take a file, to be checked."""
    file = request.FILES.get("file")
    try:
        if file:
            return redirect("files:run", fileruns.bring_in(request.user, file).pk)
        messages.error(request, _("Choose a file first."))
    except fileruns.TooLargeError:
        messages.error(request, _("This file is too large."))
    return redirect("files:index")


@_who_may(LOOK)
@require_POST
def take_out(request: HttpRequest) -> HttpResponse:
    """Have a table written."""
    table, format = request.POST.get("table", ""), request.POST.get("format", "")
    if table not in EXPORTS or format not in FORMATS:
        messages.error(request, _("Choose from the list."))
        return redirect("files:index")
    return redirect("files:run", fileruns.take_out(request.user, table, format).pk)


@_who_may(LOOK)
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how far a file is, and what it would change or what is wrong with it."""
    found = get_object_or_404(FileRun.objects.select_related("user"), pk=pk)
    context = {
        "page_title": found.file_name,
        "header_title": found.file_name,
        "page_subtitle": found.get_state_display(),
        "header_icon": "download",
        "run": found,
        "differences": [(TABLES.get(name, name), each) for name, each in found.difference.items()],
        "may_import": request.user.has_perm(IMPORT),
        "has_file": bool(found.table) and found.state == FileRun.State.done and found.path.is_file(),
    }
    return TemplateResponse(request, "stock/admin/file.html", context)


@_who_may(LOOK)
def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Tell the page's script how far a file is."""
    found = get_object_or_404(FileRun, pk=pk)
    return JsonResponse({"done": found.rows_done, "all": found.rows_all, "isWork": found.is_work})


@_who_may(IMPORT)
@require_POST
def apply(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a checked file applied."""
    if not fileruns.apply(pk):
        messages.error(request, _("This file does not wait for a decision any more."))
    return redirect("files:run", pk)


@_who_may(LOOK)
def download(request: HttpRequest, pk: int) -> HttpResponse | FileResponse:
    """Send an export."""
    found = get_object_or_404(FileRun.objects.exclude(table=""), pk=pk, state=FileRun.State.done)
    if not found.path.is_file():
        messages.error(request, _("This file has been deleted: export it again."))
        return redirect("files:index")
    return FileResponse(found.path.open("rb"), as_attachment=True, filename=found.file_name)


# What people call the kinds of rows.
TABLES: dict[str, Any] = {
    "categories": gettext_lazy("Categories"),
    "brands": gettext_lazy("Brands"),
    "spec groups": gettext_lazy("Spec groups"),
    "goods": gettext_lazy("Goods"),
    "prices": gettext_lazy("Prices"),
    "stock": gettext_lazy("Opening stock"),
    "stocktake": gettext_lazy("Stock (stocktake)"),
}


class _FilesMenuItem(MenuItem):
    def is_shown(self, request: HttpRequest) -> bool:
        """Show the entry to those who may see the page."""
        return request.user.has_perm(LOOK)


class FilesViewSet(ViewSet):
    """The pages."""

    icon = "download"
    menu_label = gettext_lazy("Import and export")
    menu_order = 135
    add_to_admin_menu = True

    @cached_property
    def menu_item_class(self) -> type[MenuItem]:
        """The menu entry's class."""
        return _FilesMenuItem

    def get_urlpatterns(self) -> list[URLPattern]:
        """Return the pages' addresses."""
        return [
            path("", index, name="index"),
            path("in/", bring_in, name="bring_in"),
            path("out/", take_out, name="take_out"),
            path("<int:pk>/", run, name="run"),
            path("<int:pk>/progress/", progress, name="progress"),
            path("<int:pk>/apply/", apply, name="apply"),
            path("<int:pk>/file/", download, name="download"),
        ]
