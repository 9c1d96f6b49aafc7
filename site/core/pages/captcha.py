"""Pages that may show a captcha; they load GeeTest if configured (docs/guarantees/customers.md#captchas)."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from csp.constants import HEADER, UNSAFE_INLINE
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse

View = Callable[..., HttpResponse]
_OPENED = ("script-src", "style-src", "img-src", "connect-src", "frame-src")


def may_ask_captcha(view: View) -> View:
    """Add the content security policy that permits GeeTest's captcha to a view's response."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if settings.GEETEST_CAPTCHA_ID and settings.GEETEST_CAPTCHA_KEY:
            response[HEADER] = build_policy(_directives())
        return response

    return shown


def _directives() -> dict[str, list[str]]:
    """Return the shop's directives with GeeTest's hosts; its widget needs inline styles."""
    of_shop = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    script = urlsplit(settings.GEETEST_SCRIPT_URL)
    hosts = {f"{script.scheme}://{script.netloc}": None} | dict.fromkeys(settings.GEETEST_HOSTS)
    opened = {name: [*of_shop.get(name, []), *hosts] for name in _OPENED}
    return of_shop | opened | {"style-src": [UNSAFE_INLINE, *opened["style-src"]]}
