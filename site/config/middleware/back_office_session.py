"""Sessions, users and messages, for the back office only."""

from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

from config.paths import API


class _NotForTheApi(MiddlewareMixin):
    """Skips the API, whose calls need no session."""

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info.startswith(API):
            return self.get_response(request)
        return super().__call__(request)


class Sessions(_NotForTheApi, SessionMiddleware):
    """Sessions of the back office."""


class Staff(_NotForTheApi, AuthenticationMiddleware):
    """The users of the back office."""


class Messages(_NotForTheApi, MessageMiddleware):
    """The one-time messages of the back office."""
