"""The WSGI entry point of the web server."""

import os
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Utf8Request(WSGIRequest):
    """A request that is read as UTF-8, whatever charset it declares."""

    @property
    def encoding(self) -> str:
        """The only charset."""
        return "utf-8"

    @encoding.setter
    def encoding(self, _claimed: str) -> None:
        """Ignore the declared charset."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """Read the Content-Type; treat an unreadable one as missing."""
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except ValueError:
            # A parameter in an unknown charset; without a request Django could return no answer.
            meta["CONTENT_TYPE"] = ""
            super()._set_content_type_params(meta)  # type: ignore[misc]


application = get_wsgi_application()
application.request_class = Utf8Request

from config.checks import refuse_misconfigured_start  # noqa: E402
from core.database_limits import limit_waiting  # noqa: E402

refuse_misconfigured_start()
# Load all views at the start, so that a broken view fails here and not at the first request.
import_module(settings.ROOT_URLCONF)
# Any server that imports this module answers requests.
limit_waiting("request")
