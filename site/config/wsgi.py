"""The WSGI entry point of the web server."""

import os
from importlib import import_module

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Utf8Request(WSGIRequest):
    """A request read as UTF-8, whatever charset it claims: Python knows some that are none."""

    @property
    def encoding(self) -> str:
        """The only charset."""
        return "utf-8"

    @encoding.setter
    def encoding(self, _claimed: str) -> None:
        """Ignore what a request claims."""


application = get_wsgi_application()
application.request_class = Utf8Request

from config.checks import refuse_a_false_start  # noqa: E402

refuse_a_false_start()
# Now, not with the first shopper: what cannot be loaded shall not start either.
import_module(settings.ROOT_URLCONF)
