"""Serialises changes of pages, slides and areas: one at a time per row, and one new row per form.

Wagtail's forms save drafts automatically, possibly while a button saves too. Its other views write whole rows
as they have read them (docs/guarantees/back-office.md#drafts).
"""

from collections.abc import Callable
from datetime import timedelta
from functools import reduce
from http import HTTPStatus
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import ResolverMatch, resolve
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from wagtail.admin.admin_url_finder import AdminURLFinder
from wagtail.models import Page

from content.incomplete_drafts import redirect_to_form
from content.models import CarouselSlide, Creation, SpecialArea
from content.models.completeness import IncompleteError
from core.leases import lease

View = Callable[..., Any]

ADD, ADD_PAGE, EDIT, BULK = ":add", "wagtailadmin_pages:add", "edit", "wagtail_bulk_action"
# The names of the changed page's id in URLs.
PAGE_IDS = ("page_id", "page_to_move_id")
# The models with drafts, by the namespace of their URLs.
SNIPPETS: dict[str, type[Model]] = {
    "wagtailsnippets_content_carouselslide": CarouselSlide,
    "wagtailsnippets_content_specialarea": SpecialArea,
}
# The checkbox of forms that also change the pages below.
PAGES_BELOW = "include_descendants"
# The field with the form's id, set by its script (static/js/admin/save-once.js).
FORM = "form_id"
NOT_IN_A_FINGERPRINT = {"csrfmiddlewaretoken"}
IMPORT_OF_REDIRECTS = "wagtailredirects:process_import"
LONGEST_IMPORT = timedelta(minutes=2)


class ImportUnderWayError(Exception):
    """Raised if another request is importing redirects, which may be the same ones."""


def one_save_at_a_time(view: View) -> View:
    """Decorate a back office view, so that it waits for concurrent saves before it writes."""

    def save(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        match = request.resolver_match
        if request.method != "POST" or match is None or not request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if match.view_name == IMPORT_OF_REDIRECTS:
            return _import_redirects(request, view, args, kwargs)
        if match.view_name.endswith(ADD) and request.POST.get(FORM):
            return _create(request, view, args, kwargs)
        rows = _changed_rows(request, match)
        return view(request, *args, **kwargs) if rows is None else _change(request, view, rows, args, kwargs)

    return save


def note_creation(request: HttpRequest, row: Any) -> None:
    """Remember the page, slide or area that a request has created."""
    request.created = row  # type: ignore[attr-defined]


def _import_redirects(request: HttpRequest, view: View, args: Any, kwargs: Any) -> Any:
    """Call the view that imports redirects; it deletes the file at the end. Raises ImportUnderWayError."""
    with lease(IMPORT_OF_REDIRECTS, LONGEST_IMPORT) as is_ours:
        if not is_ours:
            raise ImportUnderWayError
        return view(request, *args, **kwargs)


def is_autosave(request: HttpRequest) -> bool:
    """Return True if Wagtail's script has sent a form, by its Accept header; the answer is then JSON."""
    return not request.accepts("text/html")


def _create(request: HttpRequest, view: View, args: Any, kwargs: Any) -> Any:
    """Call a view that creates a row, or change the row that the same form has created before."""
    has_drafts = _has_drafts(request)
    key = {"user": request.user, "form": _form_key(request, has_drafts=has_drafts)}
    with transaction.atomic():
        Creation.objects.bulk_create([Creation(**key)], ignore_conflicts=True)
        # This waits until a concurrent request with the same form has ended.
        creation = Creation.objects.select_for_update().get(**key)
        if creation.url and has_drafts and not is_autosave(request) and _is_gone(creation.url):
            creation.url = ""
        if creation.url and has_drafts:
            return _outdated() if is_autosave(request) else _change_instead(request, creation.url)
        if creation.url:
            return redirect(creation.url)
        response = view(request, *args, **kwargs)
        creation.url = _created_url(request, response)
        creation.save(update_fields=["url"])
        return response


def _changed_rows(request: HttpRequest, match: ResolverMatch) -> QuerySet[Any] | None:
    """Return the pages, slides or areas that a request may change; None if it changes no such row."""
    rows = _chosen_rows(request, match) if match.view_name == BULK else _named_rows(match)
    if rows is None or rows.model is not Page or not request.POST.get(PAGES_BELOW):
        return rows
    return _with_pages_below(rows)


def _named_rows(match: ResolverMatch) -> QuerySet[Any] | None:
    """Return the page, slide or area of a URL; None for another URL or a preview."""
    if "preview" in (match.url_name or ""):
        return None
    is_page = any(name in match.kwargs for name in PAGE_IDS)
    model = Page if is_page else SNIPPETS.get(match.namespace)
    keys = [match.kwargs[name] for name in (*PAGE_IDS, "pk") if name in match.kwargs]
    return _all_rows(model).filter(pk=keys[0]) if model and keys else None


def _chosen_rows(request: HttpRequest, match: ResolverMatch) -> QuerySet[Any] | None:
    """Return the rows that were selected in a list; None for a model without drafts."""
    models = {each._meta.label_lower: each for each in (Page, *SNIPPETS.values())}
    model = models.get(f"{match.kwargs['app_label']}.{match.kwargs['model_name']}".lower())
    if model is None:
        return None
    ids = request.GET.getlist("id")
    return _all_rows(model) if "all" in ids else _all_rows(model).filter(pk__in=ids)


def _with_pages_below(pages: QuerySet[Any]) -> QuerySet[Any]:
    within = (Q(path__startswith=path) for path in pages.values_list("path", flat=True))
    return _all_rows(Page).filter(reduce(or_, within, Q(pk__in=[])))


def _all_rows(model: type[Model]) -> QuerySet[Any]:
    return model._default_manager.all()


def _is_gone(url: str) -> bool:
    """Return True if the row that a form has created was deleted; otherwise lock it against deletion."""
    rows = _named_rows(resolve(url))
    return rows is not None and not rows.select_for_update().values("pk")


def _change(request: HttpRequest, view: View, rows: QuerySet[Any], args: Any, kwargs: Any) -> Any:
    """Call a view that changes rows with drafts, one at a time; an incomplete draft stays unpublished."""
    try:
        return _change_alone(request, view, rows, args, kwargs)
    except IncompleteError as error:
        return redirect_to_form(request, error)


def _change_alone(request: HttpRequest, view: View, rows: QuerySet[Any], args: Any, kwargs: Any) -> Any:
    with transaction.atomic():
        locked = list(rows.select_for_update().order_by("pk").values("latest_revision_id"))
        # Wagtail assumes that a form without a version is up to date.
        knows_version = "loaded_revision_id" in request.POST or "overwrite_revision_id" in request.POST
        has_version = any(row["latest_revision_id"] for row in locked)
        if has_version and _is_edit(request) and is_autosave(request) and not knows_version:
            return _outdated()
        return view(request, *args, **kwargs)


def _is_edit(request: HttpRequest) -> bool:
    return request.resolver_match is not None and request.resolver_match.url_name == EDIT


def _change_instead(request: HttpRequest, url: str) -> Any:
    match = resolve(url)
    request.resolver_match = match
    return match.func(request, *match.args, **match.kwargs)


def _has_drafts(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and (match.view_name == ADD_PAGE or match.namespace in SNIPPETS)


def _form_key(request: HttpRequest, *, has_drafts: bool) -> str:
    """Return the id of a form; for a form without drafts it includes the form's content.

    Without drafts, an editor may go back and fill in the form again for a second row.
    """
    sent = [request.path, request.POST[FORM]]
    if not has_drafts:
        names = sorted(set(request.POST) - NOT_IN_A_FINGERPRINT)
        sent += [f"{name}={value}" for name in names for value in request.POST.getlist(name)]
    return salted_hmac("config.back_office_saves", "\0".join(sent), algorithm="sha256").hexdigest()


def _created_url(request: HttpRequest, response: HttpResponse) -> str:
    """Return the edit URL of the created row, else the redirect's target; empty if there is neither."""
    row = getattr(request, "created", None)
    if row is not None:
        return AdminURLFinder(request.user).get_edit_url(row) or ""
    return response.headers.get("Location", "") if response.status_code == HTTPStatus.FOUND else ""


def _outdated() -> JsonResponse:
    # The answer of Wagtail to an outdated autosave, after which its script stops saving.
    text = gettext("Saving will overwrite a newer version.")
    error = {"success": False, "error_code": "invalid_revision", "error_message": text}
    return JsonResponse(error, status=HTTPStatus.BAD_REQUEST)
