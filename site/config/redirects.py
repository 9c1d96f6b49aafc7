"""Addresses that pages have left lead on to where the pages are (Wagtail's redirects)."""

from http import HTTPStatus
from urllib.parse import unquote, urlsplit

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from wagtail.contrib.redirects.middleware import RedirectMiddleware, get_redirect
from wagtail.contrib.redirects.models import Redirect

from config.middleware import API


class Redirects(RedirectMiddleware):
    """Asks for a redirect where nothing else answers, so never in the place of the shop's own pages."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Lead on from an address that is not found; never in a circle, nor to a page that is not live.

        Nobody keeps the answer: a page may return to an address that it has left.
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
