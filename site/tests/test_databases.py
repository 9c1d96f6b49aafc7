"""A test database is never the copy of a stale one."""

import shutil
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import Settings

from tests.databases import template_key

pytestmark = pytest.mark.both_databases


def test_the_key_stays_while_nothing_changes() -> None:
    assert template_key() == template_key()


@pytest.mark.parametrize("file", ["migrations/0001_initial.py", "migrations/0999_new.py", "apps.py"])
def test_a_migration_or_its_signals_change_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    config = apps.get_app_config("accounts")
    copy = tmp_path / "accounts"
    shutil.copytree(config.path, copy)
    before = template_key()
    monkeypatch.setattr(config, "path", str(copy))
    assert template_key() == before
    with (copy / file).open("a") as changed:
        changed.write("# changed")
    assert template_key() != before


def test_a_permission_changes_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = template_key()
    model = next(apps.get_app_config("accounts").get_models())
    monkeypatch.setattr(model._meta, "permissions", [("look", "Can look")])
    assert template_key() != before


def test_a_setting_that_migrations_read_changes_the_key(settings: Settings) -> None:
    before = template_key()
    settings.WAGTAIL_CONTENT_LANGUAGES = [("en", "English")]
    assert template_key() != before


@pytest.mark.django_db
def test_a_copy_has_every_migration() -> None:
    executor = MigrationExecutor(connection)
    assert not executor.migration_plan(executor.loader.graph.leaf_nodes())
