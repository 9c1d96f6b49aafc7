"""The WSGI entry point of the web server."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from config.checks import refuse_a_false_start  # noqa: E402

refuse_a_false_start()
# Now, not with the first shopper: what cannot be loaded shall not start either.
import_module(settings.ROOT_URLCONF)
