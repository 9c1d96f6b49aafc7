"""What no form of a page sees: the home page goes, an address of the shop is taken, two editors meet.

Wagtail asks these before it acts; an answer instead of None keeps it from acting.
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

# Of the actions on many pages at once, those that take pages away.
TAKING = {"delete", "unpublish"}


def holds_the_shop(page: Page) -> bool:
    """Tell whether the home page of a language, or the root of the site, is among a page and those below."""
    below = Page.objects.descendant_of(page, inclusive=True)
    return bool(
        Site.objects.filter(root_page__in=below).exists()
        or HomePage.objects.descendant_of(page, inclusive=True).live().exists()
    )


def keep_home(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Refuse taking away the home page, or pages above it."""
    if not holds_the_shop(page):
        return None
    messages.error(request, _("The shop’s home page has to stay where it is, and published."))
    return redirect("wagtailadmin_explore", page.pk)


def keep_among_many(request: HttpRequest, action_type: str, objects: Any, action: Any) -> HttpResponse | None:
    """Refuse on many pages what is refused on one of them."""
    refusals: Iterable[HttpResponse | None] = ()
    if action.model is Page and action_type in TAKING:
        refusals = (keep_home(request, page) for page in objects)
    elif action.model is Page and action_type == "move":
        destination = action.cleaned_form.cleaned_data["chooser"]
        refusals = (keep_addresses_when_moving(request, page, destination) for page in objects)
    return next(filter(None, refusals), None)


def keep_addresses_when_moving(request: HttpRequest, page: Page, destination: Page) -> HttpResponse | None:
    """Refuse a move that takes away the home page, or brings a page to an address of the shop."""
    return keep_home(request, page) or _keep_addresses(request, page, destination, page.slug)


def keep_addresses_when_copying(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Refuse a copy or alias at an address of the shop."""
    if request.method != "POST":
        return None
    parent = Page.objects.filter(pk=positive_number(request.POST.get("new_parent_page", "")) or 0).first()
    return _keep_addresses(request, page, parent or page.get_parent(), request.POST.get("new_slug", ""))


def _keep_addresses(request: HttpRequest, page: Page, parent: Page, slug: str) -> HttpResponse | None:
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


def keep_what_was_typed(request: HttpRequest, row: Any) -> None:
    """Save as a draft what comes with an approval that another approver has given meanwhile."""
    if "action-workflow-action" in request.POST and row.current_workflow_task is None:
        kept = request.POST.copy()
        del kept["action-workflow-action"]
        request.POST = kept  # type: ignore[assignment]
        text = _("Nothing waits for approval here any more: what you sent is kept as a draft.")
        messages.warning(request, text)


def tell_of_another_editor(request: HttpRequest, row: Any) -> None:
    """Tell who saves a form that somebody else has saved since it was opened; both versions are kept.

    Where Wagtail's script runs it asks first; this is for whoever went on, or was not asked.
    """
    latest = row.latest_revision if request.method == "POST" else None
    seen = request.POST.get("overwrite_revision_id") or request.POST.get("loaded_revision_id")
    if latest is None or not seen or seen == str(latest.pk) or latest.user_id == request.user.pk:
        return
    text = _(
        "Meanwhile %(editor)s saved this too, at %(time)s. Your version comes after it; both are kept under "
        "History, where they can be compared."
    )
    at = date_format(timezone.localtime(latest.created_at), "SHORT_DATETIME_FORMAT")
    messages.warning(request, text % {"editor": latest.user or _("somebody"), "time": at})
