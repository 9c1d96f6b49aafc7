"""The time limit of the back office's database statements."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.middleware import GetResponse
from config.paths import ADMIN
from core.database_limits import statement_limit


def back_office_limits(get_response: GetResponse) -> GetResponse:
    """Allow statements of the back office more time than a shopper's, since reports read whole tables."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(ADMIN):
            return get_response(request)
        with statement_limit(settings.BACK_OFFICE_STATEMENT_SECONDS):
            return get_response(request)

    return middleware
