"""Cleans what is typed into forms and search fields of pages (docs/wire.md#typed-texts)."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.middleware import GetResponse
from config.paths import API, NOTICES
from core.typed_text import clean_query


def clean_typed_texts(get_response: GetResponse) -> GetResponse:
    """Clean the values of all forms and queries, so that no field can be forgotten.

    The parser of the API cleans its own. Notices of providers stay as they are, because they are signed.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith((API, *NOTICES)):
            request.GET = clean_query(request.GET)  # type: ignore[assignment]
            if request.method == "POST":
                request.POST = clean_query(request.POST)  # type: ignore[assignment]
        return get_response(request)

    return middleware
