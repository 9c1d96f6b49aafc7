"""The shop's own URL as seen from outside."""

from django.conf import settings
from django.http import HttpRequest


def site_url(request: HttpRequest) -> str:
    """Return the shop's own base URL, without a slash at the end.

    The demonstration has several hosts, such as localhost and 127.0.0.1. A browser is logged in under one of
    them only, so it must return there after paying. Any other host or port of a request is not trusted, since
    the gateway would send its notices there.
    """
    own = {f"{name}:{settings.PORT}" for name in settings.ALLOWED_HOSTS}
    if not settings.PRODUCTION and request.get_host() in own:
        return f"{request.scheme}://{request.get_host()}"
    configured: str = settings.SITE_URL
    return configured
