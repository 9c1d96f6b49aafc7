"""The shop's settings for tests: quick, and separate from what a developer runs."""

import os
import tempfile
from pathlib import Path

for name in (
    "DEBUG",
    "SITE_URL",
    "ALLOWED_HOSTS",
    "SMS_URL",
    "EMAIL_URL",
    "REDIS_URL",
    "MEDIA_URL",
    "PAYPAL_URL",
    "PAYPAL_CLIENT_ID",
    "PAYPAL_SECRET",
    "PAYPAL_WEBHOOK_ID",
    "ROYALPAY_URL",
    "ROYALPAY_PARTNER_CODE",
    "ROYALPAY_CREDENTIAL",
):
    # The developer's own settings do not affect the tests.
    os.environ.pop(name, None)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASE_LIMITS, DATABASES, IS_SQLITE, QUEUE_STORE, STORAGES  # noqa: E402

# Files that a test writes are deleted with the run.
_folder = tempfile.TemporaryDirectory(prefix="shop-tests-", ignore_cleanup_errors=True)
DATA_DIR = Path(_folder.name)
MEDIA_ROOT = DATA_DIR / "media"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir()

STORAGES |= {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
QUEUE_STORE |= {"immediate": True}
# A test sees what it has just changed; the tests of the page cache switch it on.
PAGE_CACHE = False
# A call sees what a test has just written.
SNAPSHOT_SECONDS = 0
# No test asks a bank; the tests of the exchange rate have a server of their own.
RATE_SOURCES = {}
MAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]

# Races have more threads than a shop, on a machine that is busy; the tests of these limits set their own.
for limits in DATABASE_LIMITS.values():
    limits |= {"lock": 60, "statement": 300, "idle": 300}

# A test's data need not survive a crash, so its many small commits do not wait for the disk.
if IS_SQLITE:
    # A file, as in use: a database in memory is shared by threads without waiting for locks.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
else:
    # Of tables without statistics PostgreSQL expects much, and would compile the queries of a few rows.
    DATABASES["default"]["OPTIONS"] |= {"options": "-c synchronous_commit=off -c jit=off"}
