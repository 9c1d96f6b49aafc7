"""Registers the dashboard's panel, screens and reports in the back office."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils.translation import gettext as _
from wagtail import hooks
from wagtail.admin.menu import MenuItem
from wagtail.admin.ui.components import Component
from wagtail.admin.views.home import WorkflowObjectsToModeratePanel
from wagtail.admin.widgets.button import Button
from wagtail.models import Page

from content.dashboard import page_rules, preview
from content.dashboard.pending import cards
from content.dashboard.reports import BrokenLinksView, ReportMenuItem, UnusedImagesView, report_urls
from core.menu_groups import REPORTS, WINDOWS


class WaitingPanel(Component):
    """The panel of pending work on the dashboard."""

    name = "waiting"
    template_name = "content/dashboard/pending.html"
    order = 50

    @property
    def media(self) -> forms.Media:
        """The panel's stylesheet."""
        return forms.Media(css={"all": ["css/admin/dashboard.css"]})

    def get_context_data(self, parent_context: Any) -> dict[str, Any]:
        """Return the cards."""
        return {"cards": cards(parent_context["request"].user)}


@hooks.register("construct_homepage_panels")
def add_pending_work(request: HttpRequest, panels: list[Component]) -> None:
    """Add the panel of pending work, and remove Wagtail's panel of approvals, which it repeats."""
    panels[:] = [each for each in panels if not isinstance(each, WorkflowObjectsToModeratePanel)]
    panels.append(WaitingPanel())


@hooks.register("register_admin_urls")
def dashboard_urls() -> list[URLPattern | URLResolver]:
    """Register the URLs of the dashboard's screens."""
    urls = [
        path("preview/", preview.screen, name="preview"),
        path("preview/page/", preview.page, name="preview_page"),
        *report_urls(),
    ]
    return [path("dashboard/", include((urls, "dashboard")))]


@hooks.register(WINDOWS)
def preview_entry() -> MenuItem:
    """Register the preview's menu item."""
    return preview.PreviewMenuItem(
        preview.TITLE, reverse("dashboard:preview"), name="preview", icon_name="time", order=120
    )


@hooks.register(REPORTS)
def unused_images_entry() -> MenuItem:
    """Register the report of unused pictures."""
    return ReportMenuItem(UnusedImagesView, name="unused-pictures", order=110)


@hooks.register(REPORTS)
def broken_links_entry() -> MenuItem:
    """Register the report of broken links."""
    return ReportMenuItem(BrokenLinksView, name="broken-links", order=100)


for hook, guard in {
    "before_delete_page": page_rules.protect_home_page,
    "before_unpublish_page": page_rules.protect_home_page,
    "before_bulk_action": page_rules.protect_in_bulk_action,
    "before_move_page": page_rules.refuse_reserved_move,
    "before_copy_page": page_rules.refuse_reserved_copy,
    "before_edit_page": page_rules.warn_of_another_editor,
    "before_edit_snippet": page_rules.warn_of_another_editor,
}.items():
    hooks.register(hook, guard)
for hook in ("before_edit_page", "before_edit_snippet"):
    hooks.register(hook, page_rules.save_late_approval_as_draft)
for hook in ("after_edit_page", "after_edit_snippet"):
    hooks.register(hook, page_rules.announce_approval)


@hooks.register("register_page_header_buttons")
def add_preview_button(page: Page, user: Any, view_name: str, next_url: str | None = None) -> Any:
    """Add a button to preview a page at a later time."""
    if preview.may_preview(user) and (url := page.get_url()):
        language = page.locale.language_code
        there = preview.draft_url(path=url, language=language)
        yield Button(_("Preview at a time"), there, icon_name="time", priority=45)
