"""Protects the home page and the shop's own paths, and warns of another editor's changes.

Wagtail's hooks call the functions before an action; a returned response prevents the action.
"""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from wagtail.admin import messages
from wagtail.models import Page, Site

from content.models import HomePage
from content.models.information import RESERVED, is_reserved
from core.wire import positive_number

# The bulk actions that remove pages.
REMOVING = {"delete", "unpublish"}


def contains_home_page(page: Page) -> bool:
    """Return True if a page or its descendants include the site's root or a language's home page."""
    below = Page.objects.descendant_of(page, inclusive=True)
    return bool(
        Site.objects.filter(root_page__in=below).exists()
        or HomePage.objects.descendant_of(page, inclusive=True).live().exists()
    )


def protect_home_page(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Refuse to remove the home page, or a page above it."""
    if not contains_home_page(page):
        return None
    messages.error(request, _("The shop’s home page has to stay where it is, and published."))
    return redirect("wagtailadmin_explore", page.pk)


def protect_in_bulk_action(
    request: HttpRequest, action_type: str, objects: Any, action: Any
) -> HttpResponse | None:
    """Refuse a bulk action if it must not be applied to one of its pages."""
    refusals: Iterable[HttpResponse | None] = ()
    if action.model is Page and action_type in REMOVING:
        refusals = (protect_home_page(request, page) for page in objects)
    elif action.model is Page and action_type == "move":
        destination = action.cleaned_form.cleaned_data["chooser"]
        refusals = (refuse_reserved_move(request, page, destination) for page in objects)
    return next(filter(None, refusals), None)


def refuse_reserved_move(request: HttpRequest, page: Page, destination: Page) -> HttpResponse | None:
    """Refuse to move the home page, or to move a page to one of the shop's own paths."""
    return protect_home_page(request, page) or _refuse_reserved(request, page, destination, page.slug)


def refuse_reserved_copy(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Refuse a copy or alias at one of the shop's own paths."""
    if request.method != "POST":
        return None
    parent = Page.objects.filter(pk=positive_number(request.POST.get("new_parent_page", "")) or 0).first()
    return _refuse_reserved(request, page, parent or page.get_parent(), request.POST.get("new_slug", ""))


def _refuse_reserved(request: HttpRequest, page: Page, parent: Page, slug: str) -> HttpResponse | None:
    above = parent.get_url()
    if not above:
        return None
    there = f"{above.rstrip('/')}/{slug}"
    below = Page.objects.descendant_of(page).values_list("url_path", flat=True)
    ends = [path.removeprefix(page.url_path).rstrip("/") for path in below]
    if not any(is_reserved(path) for path in (there, *(f"{there}/{end}" for end in ends))):
        return None
    messages.error(request, RESERVED)
    return redirect("wagtailadmin_pages:edit", page.pk)


def save_late_approval_as_draft(request: HttpRequest, row: Any) -> None:
    """Save the form as a draft if another approver has approved in the meantime."""
    if "action-workflow-action" in request.POST and row.current_workflow_task is None:
        posted = request.POST.copy()
        del posted["action-workflow-action"]
        request.POST = posted  # type: ignore[assignment]
        text = _("Nothing waits for approval here any more: what you sent is kept as a draft.")
        messages.warning(request, text)


def announce_approval(request: HttpRequest, row: Any) -> None:
    """Show that approved work is live, since Wagtail only shows that it was updated."""
    action = request.POST.get("action-workflow-action") and request.POST.get("workflow-action-name")
    if action != "approve":
        return
    # The approval has published another instance of the same row.
    row.refresh_from_db(fields=["live", "has_unpublished_changes"])
    if row.live and not row.has_unpublished_changes:
        messages.success(request, _("It is approved and published: the shop shows it now."))


def warn_of_another_editor(request: HttpRequest, row: Any) -> None:
    """Warn an editor if another user has saved the row since the form was opened; both versions are stored.

    Wagtail's script warns before saving; this also covers editors who do not get or heed it.
    """
    latest = row.latest_revision if request.method == "POST" else None
    seen = request.POST.get("overwrite_revision_id") or request.POST.get("loaded_revision_id")
    if latest is None or not seen or seen == str(latest.pk) or latest.user_id == request.user.pk:
        return
    text = _(
        "%(editor)s saved this too in the meantime, at %(time)s. Your version comes after it; both are under "
        "History, where they can be compared."
    )
    at = date_format(timezone.localtime(latest.created_at), "SHORT_DATETIME_FORMAT")
    messages.warning(request, text % {"editor": latest.user or _("another user"), "time": at})
