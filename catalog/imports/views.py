"""The back office's pages for imports and exports: upload a file, review its changes, apply them."""

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

from catalog.imports import fileruns
from catalog.imports.exporting import EXPORTS, FORMATS
from catalog.imports.models import FileRun
from core.menu_groups import CATALOGUE

LOOK, IMPORT = "imports.view_filerun", "imports.add_filerun"
MAX_SHOWN = 20


def _who_may(permission: str) -> Any:
    """Restrict a view to staff with a permission."""

    def decorate(view: Any) -> Any:
        def checked(request: HttpRequest, *args: Any, **kw: Any) -> HttpResponse:
            may = request.user.has_perm(permission)
            response: HttpResponse = view(request, *args, **kw) if may else permission_denied(request)
            return response

        return never_cache(checked)

    return decorate


@_who_may(LOOK)
def index(request: HttpRequest) -> HttpResponse:
    """Render the forms for import and export, and the latest files."""
    context = {
        "page_title": _("Import and export"),
        "header_title": _("Import and export"),
        "header_icon": "download",
        "may_import": request.user.has_perm(IMPORT),
        "tables": [(name, TABLES[name]) for name in EXPORTS],
        "formats": FORMATS,
        "most_megabytes": fileruns.MAX_BYTES >> 20,
        "runs": FileRun.objects.select_related("user")[:MAX_SHOWN],
    }
    return TemplateResponse(request, "imports/admin/files.html", context)


@_who_may(IMPORT)
@require_POST
def import_file(request: HttpRequest) -> HttpResponse:
    """Accept a file and start its check."""
    file = request.FILES.get("file")
    try:
        if file:
            return redirect("files:run", fileruns.import_file(request.user, file).pk)
        messages.error(request, _("Choose a file first."))
    except fileruns.TooLargeError:
        messages.error(request, _("This file is too large."))
    return redirect("files:index")


@_who_may(LOOK)
@require_POST
def export_file(request: HttpRequest) -> HttpResponse:
    """Start an export."""
    table, format = request.POST.get("table", ""), request.POST.get("format", "")
    if table not in EXPORTS or format not in FORMATS:
        messages.error(request, _("Choose from the list."))
        return redirect("files:index")
    return redirect("files:run", fileruns.export_file(request.user, table, format).pk)


@_who_may(LOOK)
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """Render a file's progress, and its changes or problems."""
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
    return TemplateResponse(request, "imports/admin/file.html", context)


@_who_may(LOOK)
def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the progress of a file to the page's script."""
    found = get_object_or_404(FileRun, pk=pk)
    return JsonResponse({"done": found.rows_done, "all": found.rows_all, "isWork": found.is_work})


@_who_may(IMPORT)
@require_POST
def apply(request: HttpRequest, pk: int) -> HttpResponse:
    """Start applying a checked file."""
    if not fileruns.apply_import(pk):
        messages.error(request, _("This file is no longer waiting for a decision."))
    return redirect("files:run", pk)


@_who_may(LOOK)
def download(request: HttpRequest, pk: int) -> HttpResponse | FileResponse:
    """Return the file of an export as a download."""
    found = get_object_or_404(FileRun.objects.exclude(table=""), pk=pk, state=FileRun.State.done)
    if not found.path.is_file():
        messages.error(request, _("This file has been deleted: export it again."))
        return redirect("files:index")
    return FileResponse(found.path.open("rb"), as_attachment=True, filename=found.file_name)


# The names of the tables as staff see them.
TABLES: dict[str, Any] = {
    "categories": gettext_lazy("Categories"),
    "brands": gettext_lazy("Brands"),
    "product groups": gettext_lazy("Product groups"),
    "goods": gettext_lazy("Products"),
    "prices": gettext_lazy("Prices"),
    "stock": gettext_lazy("Opening stock"),
    "stocktake": gettext_lazy("Stock (stocktake)"),
}


class _FilesMenuItem(MenuItem):
    def is_shown(self, request: HttpRequest) -> bool:
        """Return True if the user may see the page."""
        return request.user.has_perm(LOOK)


class FilesViewSet(ViewSet):
    """The pages for imports and exports."""

    icon = "resubmit"
    menu_label = gettext_lazy("Import and export")
    menu_hook = CATALOGUE
    menu_order = 170

    @cached_property
    def menu_item_class(self) -> type[MenuItem]:
        """The class of the menu entry."""
        return _FilesMenuItem

    def get_urlpatterns(self) -> list[URLPattern]:
        """Return the URLs of the pages."""
        return [
            path("", index, name="index"),
            path("in/", import_file, name="import"),
            path("out/", export_file, name="export"),
            path("<int:pk>/", run, name="run"),
            path("<int:pk>/progress/", progress, name="progress"),
            path("<int:pk>/apply/", apply, name="apply"),
            path("<int:pk>/file/", download, name="download"),
        ]
