"""Errors of the back office that are caused by malformed requests or are temporary."""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import structlog
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import InvalidPage
from django.db import DataError, Error
from django.db.models import ProtectedError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch
from django.utils import translation
from django.utils.datastructures import MultiValueDictKeyError
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext
from wagtail.admin.utils import get_valid_next_url_from_request
from wagtail.models import Page
from wagtail.search.backends.base import FieldError

from config.faults import try_again
from config.middleware.back_office_saves import ImportUnderWayError
from config.paths import ADMIN
from core.database_errors import refusal_of
from core.errors import Err, ShopError

log = structlog.get_logger("shop.request")

# Exceptions of Wagtail for values that its own scripts never send, for missing ones, and for those that
# PostgreSQL cannot store.
MALFORMED = (
    ValueError,
    MultiValueDictKeyError,
    OverflowError,
    RecursionError,
    ValidationError,
    InvalidPage,
    DataError,
    FieldError,
)
# Wagtail views that read a form's field without checking that it was sent and is valid.
FIELD_ERRORS = {
    "wagtailadmin_choose_page_external_link": (AttributeError,),
    "wagtailredirects:add": (AttributeError, KeyError),
    "wagtailredirects:edit": (AttributeError, KeyError),
    "wagtailredirects:process_import": (AttributeError, KeyError),
}
# The name of the page id in the URL of Wagtail views that fail for the root page, which has no parent. Some
# of them fail after saving.
FOR_PAGES_WITH_PARENT = {
    "wagtailadmin_pages:lock": "page_id",
    "wagtailadmin_pages:unlock": "page_id",
    "wagtailadmin_pages:set_page_position": "page_to_move_id",
}


class BackOfficeErrors(MiddlewareMixin):
    """Answers 400 to malformed requests of the back office, and refuses to delete rows that are in use.

    The pages of a busy shop and of a repeated import of redirects are in the editor's language. Wagtail's
    forms trust the values of its own scripts, and raise before they save anything. Other errors, and all
    errors of views that are not Wagtail's, are left to Django, which logs them and answers 500.
    """

    def process_view(
        self, request: HttpRequest, _view: Callable[..., Any], _args: tuple[()], values: dict[str, Any]
    ) -> HttpResponse | None:
        """Refuse a form with an invalid target; raise Http404 if a view cannot handle the root page.

        It activates the user's language for Wagtail's texts outside of its screens too. These are a screen
        without permission, and the mail with the link to set a password.
        """
        name = request.resolver_match.view_name if request.resolver_match else ""
        page_id = values.get(FOR_PAGES_WITH_PARENT.get(name, ""))
        if page_id is not None and Page.objects.filter(pk=page_id, depth=1).exists():
            raise Http404
        if not request.path_info.startswith(ADMIN):
            return None
        translation.activate(_language_of(request))
        if request.method != "POST":
            return None
        try:
            # Wagtail's forms save first and then redirect to this URL.
            redirect(get_valid_next_url_from_request(request) or ADMIN)
        except NoReverseMatch as error:
            return _unreadable(request, error)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return status 400, or a page with an error message; log a malformed request with its exception."""
        if not request.path_info.startswith(ADMIN):
            return None
        refused, is_used = _refusal_of(exception), isinstance(exception, ProtectedError)
        is_imported = _is_imported(request, exception)
        if refused is None and not is_used and not is_imported and not _is_malformed(request, exception):
            return None
        if refused is not None:
            log.warning("refused", path=request.path_info, reason=refused.err.name, exc_info=exception)
            return try_again(request, refused, "wagtailadmin/try_again.html")
        if isinstance(exception, ProtectedError):
            # Wagtail checks its reference index, but imports write products without updating it.
            users = {str(row._meta.verbose_name_plural) for row in exception.protected_objects}
            text = gettext("This cannot be deleted while it is used: %(users)s.")
            messages.error(request, text % {"users": ", ".join(sorted(users))})
            return redirect(request.get_full_path())
        if is_imported:
            text = gettext("This file was imported already, or is being imported. These are the redirects.")
            messages.warning(request, text)
            return redirect("wagtailredirects:index")
        return _unreadable(request, exception)


def _refusal_of(exception: Exception) -> ShopError | None:
    # A form that sets a password may be refused because too many users log in.
    if isinstance(exception, ShopError) and exception.err is Err.too_frequent:
        return exception
    return refusal_of(exception)


def _unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    log.error("unreadable request", path=request.path_info, exc_info=exception)
    return render(request, "wagtailadmin/unreadable.html", status=HTTPStatus.BAD_REQUEST)


def _language_of(request: HttpRequest) -> str:
    """Return the editor's language; before the login the browser's; without a database the default."""
    try:
        profile = getattr(request.user, "wagtail_userprofile", None)
    except Error:
        return settings.LANGUAGE_CODE
    return (
        str(profile.get_preferred_language()) if profile else translation.get_language_from_request(request)
    )


def _is_malformed(request: HttpRequest, exception: Exception) -> bool:
    """Return True for an exception of a malformed request in a view of Wagtail, or based on one."""
    match = request.resolver_match
    if match is None or not _is_wagtails(match.func):
        return False
    return isinstance(exception, (*MALFORMED, *FIELD_ERRORS.get(match.view_name, ())))


def _is_wagtails(view: Callable[..., Any]) -> bool:
    view_class = getattr(view, "view_class", None)
    modules = [each.__module__ for each in view_class.__mro__] if view_class else [view.__module__]
    return any(module.startswith("wagtail") for module in modules)


def _is_imported(request: HttpRequest, exception: Exception) -> bool:
    """Return True if another request has imported these redirects, or is importing some now."""
    if isinstance(exception, FileNotFoundError):
        # Wagtail stores the file of an import in the temporary folder, and deletes it at the end.
        match = request.resolver_match
        in_folder = Path(exception.filename or "").is_relative_to(gettempdir())
        return in_folder and match is not None and match.view_name == "wagtailredirects:process_import"
    return isinstance(exception, ImportUnderWayError)
