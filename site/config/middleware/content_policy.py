"""The content security policy of the shop and of the back office."""

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.middleware import GetResponse
from config.paths import ADMIN


def content_policy(get_response: GetResponse) -> GetResponse:
    """Send the shop's content security policy, or the looser one that Wagtail needs for the back office.

    Both are the same for every page, without nonces or exceptions; a file may have its own policy.
    """
    of_shop = build_policy()
    of_admin = build_policy(settings.ADMIN_CONTENT_SECURITY_POLICY["DIRECTIVES"])

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.path_info.startswith(ADMIN):
            # The policy replaces that of the page in a preview.
            response[HEADER] = of_admin
        else:
            response.setdefault(HEADER, of_shop)
        return response

    return middleware
