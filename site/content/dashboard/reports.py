"""The reports of unused pictures and broken links."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _
from wagtail.admin.admin_url_finder import AdminURLFinder
from wagtail.admin.menu import MenuItem
from wagtail.admin.ui.tables import Column, DateColumn, TitleColumn, UserColumn
from wagtail.admin.views.reports import ReportView
from wagtail.images.permissions import permission_policy as image_policy
from wagtail.images.views.images import ImagePreviewColumn, TitleColumnWithFilename
from wagtail.models import Page
from wagtail.permissions import page_permission_policy

from content.dashboard.images import unused_images
from content.dashboard.links import BrokenLink, broken_links
from content.models import CarouselSlide, SpecialArea

WINDOWS = (CarouselSlide, SpecialArea)
WRITERS = ("add", "change", "publish")


class UnusedImagesView(ReportView):
    """The report of unused pictures."""

    page_title = _("Unused pictures")
    header_icon = "image"
    permission_policy = image_policy
    any_permission_required = ["change", "delete"]
    index_url_name = "dashboard:unused_images"
    index_results_url_name = "dashboard:unused_images_results"
    default_ordering = "-created_at"
    list_export = ("title", "filename", "file_size", "created_at", "uploaded_by_user")
    export_filename = "unused-pictures"
    no_results_message = _("Every picture is used somewhere.")
    columns = [
        ImagePreviewColumn("preview", label=_("Preview"), accessor="", width="5rem"),
        TitleColumnWithFilename(
            "title", label=_("Title"), url_name="wagtailimages:edit", sort_key="title", width="40%"
        ),
        Column("collection", label=_("Collection"), accessor="collection.name"),
        UserColumn("uploaded_by_user", label=_("Uploaded by")),
        DateColumn("created_at", label=_("Uploaded"), sort_key="created_at"),
    ]

    def get_base_queryset(self) -> Any:
        """Return the unused pictures that the user may change or delete."""
        theirs = image_policy.instances_user_has_any_permission_for(self.request.user, ["change", "delete"])
        images: Any = unused_images().filter(pk__in=theirs.values("pk"))
        return images.select_related("collection", "uploaded_by_user").prefetch_renditions("max-165x165")


class _LinkTitleColumn(TitleColumn):
    """The column of a link's source, with a link to its form."""

    def get_link_url(self, instance: BrokenLink, parent_context: Any) -> str:
        """Return the form's URL."""
        return instance.edit_url


class BrokenLinksView(ReportView):
    """The report of broken links."""

    page_title = _("Broken links")
    header_icon = "link"
    permission_policy = page_permission_policy
    any_permission_required = list(WRITERS)
    index_url_name = "dashboard:broken_links"
    index_results_url_name = "dashboard:broken_links_results"
    list_export = ("title", "kind", "link", "fault")
    export_headings = {
        "title": _("Where"),
        "kind": _("Type"),
        "link": _("Link"),
        "fault": _("What is wrong"),
    }
    export_filename = "broken-links"
    no_results_message = _("Every link leads somewhere.")
    columns = [
        _LinkTitleColumn("title", label=_("Where")),
        Column("kind", label=_("Type")),
        Column("link", label=_("Link")),
        Column("fault", label=_("What is wrong")),
    ]

    def get_queryset(self) -> list[BrokenLink]:
        """Return the broken links of the rows that the user may edit."""
        urls = AdminURLFinder(self.request.user)
        return [
            broken
            for source in self._sources()
            if (edit_url := urls.get_edit_url(source))
            for broken in broken_links(source, edit_url)
        ]

    def _sources(self) -> Iterator[Any]:
        pages = page_permission_policy.explorable_instances(self.request.user).filter(depth__gt=1)
        yield from Page.objects.filter(pk__in=pages.values("pk")).live().select_related("locale").specific()
        for model in WINDOWS:
            yield from model.objects.all().shown()


class ReportMenuItem(MenuItem):
    """The menu item of a report, for users who may open it."""

    def __init__(self, view: Any, **kw: Any) -> None:
        super().__init__(view.page_title, reverse(view.index_url_name), icon_name=view.header_icon, **kw)
        self._view = view

    def is_shown(self, request: Any) -> bool:
        """Return True if the user may open the report."""
        policy, needed = self._view.permission_policy, self._view.any_permission_required
        return bool(policy.user_has_any_permission(request.user, needed))


REPORTS: dict[str, Any] = {"unused-images": UnusedImagesView, "broken-links": BrokenLinksView}


def report_urls() -> list[URLPattern]:
    """Return the URLs of the reports."""
    urls = []
    for name, view in REPORTS.items():
        url_name = name.replace("-", "_")
        urls += [
            path(f"reports/{name}/", view.as_view(), name=url_name),
            path(f"reports/{name}/results/", view.as_view(results_only=True), name=f"{url_name}_results"),
        ]
    return urls
