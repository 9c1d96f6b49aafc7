"""Where the shop itself is found from outside."""

from django.conf import settings
from django.http import HttpRequest


def site_url(request: HttpRequest) -> str:
    """Return the shop's own address, without a slash at the end.

    The embedded default answers on whatever port it was started, so there the request decides; in production
    only the setting does, since a request may name any host.
    """
    return settings.SITE_URL if settings.PRODUCTION else f"{request.scheme}://{request.get_host()}"
