"""Registers the screens and messages of translations in the back office."""

from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils.translation import gettext, ngettext
from wagtail import hooks
from wagtail.admin import messages
from wagtail.admin.action_menu import ActionMenuItem
from wagtail.models import Page

from content.translating import views
from content.translating.progress import FIRST_TEXT, twin_of, untranslated_texts

# Actions that the panel above a page's form offers after an explanation.
IMMEDIATE_ACTIONS = {"localize-restart-translation", "localize-convert-to-alias"}


@hooks.register("register_admin_urls")
def translation_urls() -> list[URLPattern | URLResolver]:
    """Register the URLs of the steps in addition to translating."""
    urls = [
        path("<int:translation_id>/publish/", views.publish_early, name="publish_early"),
        path("<int:translation_id>/stop/", views.stop, name="stop"),
        path("<int:translation_id>/submit/", views.submit, name="submit"),
        path("<int:translation_id>/file/", views.in_a_file, name="file"),
        path("page/<int:page_id>/restart/", views.restart, name="restart"),
    ]
    return [path("translating/", include((urls, "translating")))]


# If two views have one URL, the first is used; the other one is wagtail-localize's.
@hooks.register("register_admin_urls", order=-1)
def own_views() -> list[URLPattern]:
    """Register the views that update translations, replace a page by its original, and read a file.

    wagtail-localize's own view of files leaves the ones that it cannot read on the disk.
    """
    return [
        path("localize/update/<int:translation_source_id>/", views.UpdateTranslations.as_view()),
        path("localize/page/<int:page_id>/convert_to_alias/", views.show_original),
        path("localize/translate/<int:translation_id>/pofile/upload/", views.in_a_file),
    ]


# Must run before wagtail-localize's hook, which publishes.
hooks.register("before_edit_page", views.refuse_half, order=-1)


@hooks.register("construct_page_action_menu")
def ask_first(menu_items: list[ActionMenuItem], _request: HttpRequest, _context: dict[str, Any]) -> None:
    """Remove the actions that replace a page's texts from the menu of its buttons."""
    menu_items[:] = [item for item in menu_items if item.name not in IMMEDIATE_ACTIONS]


@hooks.register("after_edit_page")
def announce_translation(request: HttpRequest, page: Page) -> None:
    """Show an editor how many texts of a saved page are not translated."""
    # A message of an autosave would appear on the next page.
    if not request.accepts("text/html"):
        return
    other = twin_of(page)
    if not other or not other.page or not other.progress:
        return
    # The approval has published another instance of the same page.
    page.refresh_from_db(fields=["has_unpublished_changes"])
    if page.has_unpublished_changes:
        count = untranslated_texts(page, other.locale)
        text = ngettext(
            "In %(language)s, %(count)d text of this draft is not translated yet. It can be translated once "
            "the draft is published.",
            "In %(language)s, %(count)d texts of this draft are not translated yet. They can be translated "
            "once the draft is published.",
            count,
        )
    else:
        count = other.progress.left
        text = ngettext(
            "The page in %(language)s has %(count)d text to translate.",
            "The page in %(language)s has %(count)d texts to translate.",
            count,
        )
    buttons = []
    # The translation does not contain the texts of a draft yet.
    if not page.has_unpublished_changes:
        there = reverse("wagtailadmin_pages:edit", args=[other.page.pk]) + FIRST_TEXT
        label = gettext("Translate into %(language)s") % {"language": other.locale}
        buttons.append(messages.button(there, label))
    if count:
        messages.info(request, text % {"language": other.locale, "count": count}, buttons=buttons)
