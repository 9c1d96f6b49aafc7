"""What the back office learns from the editors' desk."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils.translation import gettext as _
from wagtail import hooks
from wagtail.admin.menu import MenuItem
from wagtail.admin.ui.components import Component
from wagtail.admin.widgets.button import Button
from wagtail.models import Page

from content.desk import guards, lookahead
from content.desk.reports import BrokenLinksView, ReportMenuItem, UnusedImagesView, report_urls
from content.desk.waiting import cards


class WaitingPanel(Component):
    """The dashboard's first part."""

    name = "waiting"
    template_name = "content/desk/waiting.html"
    order = 50

    @property
    def media(self) -> forms.Media:
        """Its stylesheet."""
        return forms.Media(css={"all": ["css/admin/desk.css"]})

    def get_context_data(self, parent_context: Any) -> dict[str, Any]:
        """Return the cards."""
        return {"cards": cards(parent_context["request"].user)}


@hooks.register("construct_homepage_panels")
def show_what_waits(request: HttpRequest, panels: list[Component]) -> None:
    """Put what waits at the top of the dashboard."""
    panels.append(WaitingPanel())


@hooks.register("register_admin_urls")
def desk_urls() -> list[URLPattern | URLResolver]:
    """Give the desk's screens their addresses."""
    urls = [
        path("look-ahead/", lookahead.screen, name="lookahead"),
        path("look-ahead/page/", lookahead.page, name="lookahead_page"),
        *report_urls(),
    ]
    return [path("desk/", include((urls, "desk")))]


@hooks.register("register_admin_menu_item")
def lookahead_entry() -> MenuItem:
    """Put the look ahead beside the windows."""
    return lookahead.LookaheadMenuItem(
        lookahead.TITLE, reverse("desk:lookahead"), name="look-ahead", icon_name="time", order=111
    )


@hooks.register("register_reports_menu_item")
def unused_images_entry() -> MenuItem:
    """Put the unused pictures among the reports."""
    return ReportMenuItem(UnusedImagesView, name="unused-pictures", order=1200)


@hooks.register("register_reports_menu_item")
def broken_links_entry() -> MenuItem:
    """Put the broken links among the reports."""
    return ReportMenuItem(BrokenLinksView, name="broken-links", order=1300)


for hook, guard in {
    "before_delete_page": guards.keep_home,
    "before_unpublish_page": guards.keep_home,
    "before_bulk_action": guards.keep_among_many,
    "before_move_page": guards.keep_addresses_when_moving,
    "before_copy_page": guards.keep_addresses_when_copying,
    "before_edit_page": guards.tell_of_another_editor,
    "before_edit_snippet": guards.tell_of_another_editor,
}.items():
    hooks.register(hook, guard)
for hook in ("before_edit_page", "before_edit_snippet"):
    hooks.register(hook, guards.keep_what_was_typed)


@hooks.register("register_page_header_buttons")
def look_ahead_at_page(page: Page, user: Any, view_name: str, next_url: str | None = None) -> Any:
    """Offer to see a page at a time to come."""
    if lookahead.may_look(user) and (url := page.get_url()):
        language = page.locale.language_code
        there = lookahead.lookahead_url(path=url, language=language)
        yield Button(_("Look ahead"), there, icon_name="time", priority=45)
