"""Errors of the back office that were caused by a malformed request, or pass by themselves."""

from http import HTTPStatus

import structlog
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import InvalidPage
from django.db import DataError, Error
from django.db.models import ProtectedError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext

from config.faults import try_again
from config.middleware import ADMIN
from core.database_errors import refusal_of

log = structlog.get_logger("shop.request")


class BackOfficeErrors(MiddlewareMixin):
    """Answers 400 to malformed requests of the back office, and refuses to delete rows that are in use.

    A busy shop says so in the editor's language.

    Wagtail's forms trust the values that its own scripts write, and raise before they save anything.
    """

    # These include values that PostgreSQL cannot store, and missing form fields.
    KINDS = (
        ValueError,
        LookupError,
        AttributeError,
        OverflowError,
        RecursionError,
        ValidationError,
        InvalidPage,
        DataError,
    )

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer 400 or an error message, and log the exception, since it may be the shop's own bug."""
        if not request.path_info.startswith(ADMIN):
            return None
        refused = refusal_of(exception)
        if refused is None and not isinstance(exception, (*self.KINDS, ProtectedError)):
            return None
        with translation.override(_language_of(request)):
            if refused is not None:
                log.warning("refused", path=request.path_info, reason=refused.err.name, exc_info=exception)
                return try_again(request, refused, "wagtailadmin/try_again.html")
            if isinstance(exception, ProtectedError):
                # Wagtail checks its reference index, but imports write products without it.
                users = {str(row._meta.verbose_name_plural) for row in exception.protected_objects}
                text = gettext("This cannot be deleted while it is used: %(users)s.")
                messages.error(request, text % {"users": ", ".join(sorted(users))})
                return redirect(request.get_full_path())
            log.error("unreadable request", path=request.path_info, exc_info=exception)
            return render(request, "wagtailadmin/unreadable.html", status=HTTPStatus.BAD_REQUEST)


def _language_of(request: HttpRequest) -> str:
    """Return the language that the editor has chosen; the default where the database cannot be asked."""
    try:
        profile = getattr(request.user, "wagtail_userprofile", None)
    except Error:
        profile = None
    return str(profile.get_preferred_language()) if profile else settings.LANGUAGE_CODE
