"""The permissions policy."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.middleware import GetResponse


def permissions_policy(get_response: GetResponse) -> GetResponse:
    """Disable the browser features that the shop does not use."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response

    return middleware
