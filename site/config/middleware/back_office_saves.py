"""Saves of the back office's forms: one at a time for each row, and one row for each form of something new.

Wagtail's forms save drafts by themselves while a button may save them too (docs/guarantees.md#drafts).
"""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import resolve
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from wagtail.admin.admin_url_finder import AdminURLFinder
from wagtail.models import Page

from content.models import CarouselSlide, Creation, SpecialArea
from core.leases import lease

View = Callable[..., Any]

ADD, ADD_PAGE, EDIT_PAGE = ":add", "wagtailadmin_pages:add", "wagtailadmin_pages:edit"
# The models with drafts by the namespace of their URLs.
SNIPPETS: dict[str, type[Model]] = {
    "wagtailsnippets_content_carouselslide": CarouselSlide,
    "wagtailsnippets_content_specialarea": SpecialArea,
}
# The field in which the form's script names it (static/js/admin/save-once.js).
FORM = "form_id"
NOT_IN_A_FINGERPRINT = {"csrfmiddlewaretoken"}
IMPORT_OF_REDIRECTS = "wagtailredirects:process_import"
LONGEST_IMPORT = timedelta(minutes=2)


class ImportUnderWayError(Exception):
    """Raised where redirects are imported while another request imports some, which may be the same."""


def one_save_at_a_time(view: View) -> View:
    """Decorate a view of the back office: whatever its form saves, it saves after what is being saved now."""

    def save(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        match = request.resolver_match
        if request.method != "POST" or match is None:
            return view(request, *args, **kwargs)
        if match.view_name == IMPORT_OF_REDIRECTS and request.user.is_authenticated:
            return _import_redirects(request, view, args, kwargs)
        if match.view_name.endswith(ADD) and request.POST.get(FORM) and request.user.is_authenticated:
            return _create(request, view, args, kwargs)
        model = Page if match.view_name == EDIT_PAGE else SNIPPETS.get(match.namespace)
        if model is None or match.url_name != "edit":
            return view(request, *args, **kwargs)
        return _change(request, view, model, args, kwargs)

    return save


def note_creation(request: HttpRequest, row: Any) -> None:
    """Remember the page, slide or area that a request has created."""
    request.created = row  # type: ignore[attr-defined]


def _import_redirects(request: HttpRequest, view: View, args: Any, kwargs: Any) -> Any:
    """Call the view that imports redirects, which deletes the file once they are there."""
    with lease(IMPORT_OF_REDIRECTS, LONGEST_IMPORT) as is_ours:
        if not is_ours:
            raise ImportUnderWayError
        return view(request, *args, **kwargs)


def _create(request: HttpRequest, view: View, args: Any, kwargs: Any) -> Any:
    """Call a view that creates, or change what the same form has created before."""
    has_drafts = _has_drafts(request)
    key = {"user": request.user, "form": _form_key(request, has_drafts=has_drafts)}
    with transaction.atomic():
        Creation.objects.bulk_create([Creation(**key)], ignore_conflicts=True)
        # Locked until the other request has created its row, or failed to.
        creation = Creation.objects.select_for_update().get(**key)
        if creation.url and has_drafts:
            return _outdated() if _is_autosave(request) else _change_instead(request, creation.url)
        if creation.url:
            return redirect(creation.url)
        response = view(request, *args, **kwargs)
        creation.url = _created_url(request, response)
        creation.save(update_fields=["url"])
        return response


def _change(request: HttpRequest, view: View, model: type[Model], args: Any, kwargs: Any) -> Any:
    """Call a view that changes a row with drafts, while nobody else does."""
    pk = kwargs.get("page_id", kwargs.get("pk"))
    with transaction.atomic():
        row: Any = model._default_manager.select_for_update().filter(pk=pk).first()
        # Of a form that knows no version Wagtail assumes that it is up to date.
        knows_version = "loaded_revision_id" in request.POST or "overwrite_revision_id" in request.POST
        if row and row.latest_revision_id and _is_autosave(request) and not knows_version:
            return _outdated()
        return view(request, *args, **kwargs)


def _change_instead(request: HttpRequest, url: str) -> Any:
    match = resolve(url)
    request.resolver_match = match
    return match.func(request, *match.args, **match.kwargs)


def _has_drafts(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and (match.view_name == ADD_PAGE or match.namespace in SNIPPETS)


def _is_autosave(request: HttpRequest) -> bool:
    # As Wagtail tells it.
    return not request.accepts("text/html")


def _form_key(request: HttpRequest, *, has_drafts: bool) -> str:
    """Return what identifies a form; of a form without drafts, also by what is in it.

    Such a form may be filled in again after going back, for a second row.
    """
    sent = [request.path, request.POST[FORM]]
    if not has_drafts:
        names = sorted(set(request.POST) - NOT_IN_A_FINGERPRINT)
        sent += [f"{name}={value}" for name in names for value in request.POST.getlist(name)]
    return salted_hmac("config.back_office_saves", "\0".join(sent), algorithm="sha256").hexdigest()


def _created_url(request: HttpRequest, response: HttpResponse) -> str:
    """Return the URL that changes what was created, else where the browser goes then; empty for nothing."""
    row = getattr(request, "created", None)
    if row is not None:
        return AdminURLFinder(request.user).get_edit_url(row) or ""
    return response.headers.get("Location", "") if response.status_code == HTTPStatus.FOUND else ""


def _outdated() -> JsonResponse:
    # As Wagtail answers an autosave that comes too late; its script then leaves it at that.
    text = gettext("Saving will overwrite a newer version.")
    error = {"success": False, "error_code": "invalid_revision", "error_message": text}
    return JsonResponse(error, status=HTTPStatus.BAD_REQUEST)
