"""Test databases: copies of one that is migrated once and kept until what decides its content changes."""

import fcntl
import hashlib
import shutil
from collections.abc import Callable
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

from core import migration_operations

BASE_NAME: str = connection.settings_dict["NAME"]
FOLDER: Path = settings.BASE_DIR / "build" / "test-databases"
# With those that begin with WAGTAIL, the settings that migrations and the signal after them read.
SETTINGS = {
    "AUTH_USER_MODEL",
    "DEFAULT_AUTO_FIELD",
    "INSTALLED_APPS",
    "LANGUAGES",
    "LANGUAGE_CODE",
    "TIME_ZONE",
}


def template_key() -> str:
    """Hash all that decides what is in a migrated database.

    These are the migrations, with the one module of the shop that they may import; the models' permissions
    and the handlers in `apps.py`, for what follows the migrations; every installed package; the settings that
    they read.
    """
    digest = hashlib.sha256(Path(migration_operations.__file__).read_bytes())
    for config in apps.get_app_configs():
        folder = Path(config.path)
        for file in sorted([*folder.glob("apps.py"), *folder.glob("migrations/*.py")]):
            digest.update(f"{config.label} {file.name}\0".encode() + file.read_bytes())
        for model in config.get_models(include_auto_created=True):
            meta = model._meta
            facts = (meta.label, meta.verbose_name_raw, meta.default_permissions, meta.permissions)
            digest.update(repr(facts).encode())
    digest.update(_packages())
    names = sorted(name for name in dir(settings) if name in SETTINGS or name.startswith("WAGTAIL"))
    digest.update(repr([(name, getattr(settings, name)) for name in names]).encode())
    return digest.hexdigest()[:16]


@cache
def _packages() -> bytes:
    return repr(sorted((each.name, each.version) for each in distributions())).encode()


def create(suffix: str = "") -> str:
    """Make a copy of the migrated database; returns its name, which ends with the suffix."""
    name = (connection.settings_dict["TEST"]["NAME"] or f"test_{BASE_NAME}") + suffix
    if connection.vendor == "sqlite":
        copy_migrated_file(Path(name))
    else:
        _copy_on_server(name)
    return name


def create_filled(suffix: str, fill: Callable[[], None]) -> str:
    """Make a copy of the migrated database and fill it; returns its name, which ends with the suffix."""
    name = create(suffix)
    before = use(name)
    with transaction.atomic():
        fill()
        # What follows a commit, such as encoding pictures, is not for the tests of pages.
        connection.run_on_commit.clear()
    use(before)
    return name


def use(name: str) -> str:
    """Connect to another database; returns the name of the one before."""
    before: str = connection.settings_dict["NAME"]
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    return before


def drop(name: str) -> None:
    """Drop a copy; a file goes with the folder of the run."""
    connection.close()
    if connection.vendor == "postgresql":
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {_quoted(name)} WITH (FORCE)")


def _migrate(name: str) -> None:
    before = use(name)
    call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
    use(before)


def copy_migrated_file(to: Path) -> None:
    """Copy the migrated database of SQLite to a new file."""
    assert connection.vendor == "sqlite"
    FOLDER.mkdir(parents=True, exist_ok=True)
    template = FOLDER / f"{template_key()}.sqlite3"
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not template.exists():
            for old in FOLDER.glob("*.sqlite3*"):
                old.unlink()
            new = FOLDER / "new.sqlite3"
            _migrate(str(new))
            new.rename(template)
        shutil.copyfile(template, to)


def _copy_on_server(name: str) -> None:
    prefix = f"{BASE_NAME}_template_"
    template = prefix + template_key()
    with connection._nodb_cursor() as cursor:
        # Migrating takes longer than a connection waits for a lock or a statement.
        cursor.execute("SET lock_timeout = 0")
        cursor.execute("SET statement_timeout = 0")
        # Until this connection is closed, no other process makes, copies or drops a template of this name.
        cursor.execute("SELECT pg_advisory_lock(hashtext(%s))", [prefix])
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [prefix])
        existing = {row[0] for row in cursor.fetchall()}
        if template not in existing:
            for old in existing:
                cursor.execute(f"DROP DATABASE {_quoted(old)} WITH (FORCE)")
            new = prefix + "new"
            cursor.execute(f"CREATE DATABASE {_quoted(new)}")
            _migrate(new)
            cursor.execute(f"ALTER DATABASE {_quoted(new)} RENAME TO {_quoted(template)}")
        cursor.execute(f"DROP DATABASE IF EXISTS {_quoted(name)} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {_quoted(name)} TEMPLATE {_quoted(template)}")


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
