"""Forms that were open when a back office login ended or a CSRF token was renewed.

The user gets the entered values back to send them again, but only if a page of the shop sent them. Otherwise
a form of another site would get a fresh token and pass CSRF protection
(docs/guarantees/back-office.md#forms).
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.csrf import csrf_failure as plain_csrf_failure

from config.middleware.back_office_saves import is_autosave
from config.paths import ADMIN

View = Callable[..., Any]

TOKEN = "csrfmiddlewaretoken"  # noqa: S105  the name of a field
PASSWORD = "password"  # noqa: S105  part of the names of fields
# Pages that need no login.
OPEN_TO_ALL = ("wagtailadmin_login", "wagtailadmin_password_reset")
# The error code for which Wagtail's script shows the text and continues to save.
SHOWN_BY_THE_SCRIPT = "locked"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return 403 for a request without a valid token; in the back office with the entered values."""
    if not request.path_info.startswith(ADMIN):
        return plain_csrf_failure(request, reason)
    is_open = request.path_info.startswith(tuple(reverse(name) for name in OPEN_TO_ALL))
    return _refused(request, is_kept=not is_open and _is_of_the_shop(request))


def keeping_what_was_typed(view: View) -> View:
    """Decorate a back office view, so that a form sent after the end of the login is not lost."""

    def keep(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        had_ended = request.method == "POST" and request.user.is_anonymous
        response = view(request, *args, **kwargs)
        login = f"{reverse('wagtailadmin_login')}?"
        if not had_ended or not response.headers.get("Location", "").startswith(login):
            return response
        if is_autosave(request) or (_fields(request) and _is_of_the_shop(request)):
            return _refused(request, is_kept=True)
        return response

    return keep


def _refused(request: HttpRequest, *, is_kept: bool) -> HttpResponse:
    with translation.override(_language_of(request)):
        if is_autosave(request):
            return _refused_autosave()
        page = {"fields": _fields(request), "is_kept": is_kept, "login": reverse("wagtailadmin_login")}
        response = render(request, "wagtailadmin/send_again.html", page, status=HTTPStatus.FORBIDDEN)
    response["Cache-Control"] = "no-store"
    return response


def _refused_autosave() -> HttpResponse:
    text = gettext("Nothing is saved any more. Press a button of the form: what you typed is kept.")
    error = {"success": False, "error_code": SHOWN_BY_THE_SCRIPT, "error_message": text}
    return JsonResponse(error, status=HTTPStatus.FORBIDDEN)


def _fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the entered values, without passwords, which no page may show."""
    sent = ((name, values) for name, values in request.POST.lists() if name != TOKEN)
    return [(name, value) for name, values in sent if PASSWORD not in name.lower() for value in values]


def _is_of_the_shop(request: HttpRequest) -> bool:
    """Return True if a page of the shop has sent the request, according to the browser's headers."""
    # Behind an untrusted proxy, only the setting shows that the shop uses https.
    origins = {f"{request.scheme}://{request.get_host()}", settings.SITE_URL}
    is_same = request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    return is_same and request.headers.get("Origin") in origins


def _language_of(request: HttpRequest) -> str:
    """Return the editor's language; before the login the browser's."""
    profile = getattr(request.user, "wagtail_userprofile", None)
    return (
        str(profile.get_preferred_language()) if profile else translation.get_language_from_request(request)
    )
