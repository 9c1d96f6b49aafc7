"""The shop's own URL as seen from outside."""

from django.conf import settings
from django.http import HttpRequest


def site_url(request: HttpRequest) -> str:
    """Return the shop's own address, without a slash at the end.

    The demonstration has several hosts, such as localhost and 127.0.0.1, and a browser that pays under one is
    logged in under that one only. Any other host or port in a request is not trusted: the gateway would send
    its notices there.
    """
    own = {f"{name}:{settings.PORT}" for name in settings.ALLOWED_HOSTS}
    if not settings.PRODUCTION and request.get_host() in own:
        return f"{request.scheme}://{request.get_host()}"
    configured: str = settings.SITE_URL
    return configured
