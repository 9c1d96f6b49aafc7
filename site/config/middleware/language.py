"""The language of a request."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import get_language_from_path

from config.middleware import GetResponse
from config.paths import API


def language_of_path(get_response: GetResponse) -> GetResponse:
    """Activate the language of the path (docs/architecture.md#languages).

    Django's own middleware would add `Vary: Accept-Language` to all English pages.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        path, language = request.path_info, settings.LANGUAGE_CODE
        # Paths of the API contain no language.
        if not path.startswith(API):
            language = get_language_from_path(path) or language
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = get_response(request)
        response.headers.setdefault("Content-Language", translation.get_language() or language)
        return response

    return middleware
