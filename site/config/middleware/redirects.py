"""Redirects from former paths of pages (Wagtail's redirects)."""

from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from wagtail.contrib.redirects.middleware import RedirectMiddleware, get_redirect
from wagtail.contrib.redirects.models import Redirect

from config.paths import API


class Redirects(RedirectMiddleware):
    """Looks for a redirect only after a 404, so that a redirect never hides a page of the shop."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Redirect a path that is not found, but never in a loop or to a page that is not live.

        The answer is not cached, since a page may return to its former path.
        """
        if response.status_code != HTTPStatus.NOT_FOUND or request.path_info.startswith(API):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        if answer is response or unquote(urlsplit(answer["Location"]).path) == request.path:
            return response
        found = get_redirect(request, Redirect.normalise_path(request.path, decode_unicode=False))
        if found and found.redirect_page and not found.redirect_page.live:
            return response
        patch_cache_control(answer, no_cache=True)
        return answer
