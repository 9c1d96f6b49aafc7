"""The shop's settings as the tests want them: quick, and apart from what a developer runs."""

import os
import tempfile
from pathlib import Path

for name in (
    "DEBUG",
    "SITE_URL",
    "ALLOWED_HOSTS",
    "SMS_URL",
    "EMAIL_URL",
    "CACHE_URL",
    "REDIS_URL",
    "MEDIA_URL",
):
    # What the developer's own shop is set to is no business of the tests.
    os.environ.pop(name, None)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, HUEY, IS_SQLITE, STORAGES  # noqa: E402

# Whatever a test writes goes with the run; the database alone stays where it can be used again.
_folder = tempfile.TemporaryDirectory(prefix="shop-tests-", ignore_cleanup_errors=True)
DATA_DIR = Path(_folder.name)
MEDIA_ROOT = DATA_DIR / "media"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir()

STORAGES |= {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
HUEY |= {"immediate": True}
# A test sees what it has just changed; those of the kept pages switch them on.
PAGE_CACHE = False
# Every call sees what a test has just written.
SNAPSHOT_SECONDS = 0
# No test asks a bank; those of the exchange rate have a server of their own.
RATE_SOURCES = {}
PASSWORD_HASHERS = ["config.tests.hashers.QuickArgon2"]

if not IS_SQLITE:
    # A test's data need not outlive the machine: its many small commits wait for no disk.
    DATABASES["default"]["OPTIONS"] |= {"options": "-c synchronous_commit=off"}
