"""A production start refuses default keys and embedded fakes (docs/production.md#what-a-start-refuses)."""

import os
import runpy
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.conf import settings as shop
from django.core.checks import run_checks
from django.core.management.base import SystemCheckError
from django.db import connection
from django.test import RequestFactory, override_settings

from config.checks import PRODUCTION, refuse_misconfigured_start
from config.connections import connections_needed
from config.logs import logging_config

pytestmark = pytest.mark.django_db

REAL = {
    "PRODUCTION": True,
    "SECRET_KEY": "a real one",
    "PASSWORD_PEPPER": "another real one",
    "PAY_PASSWORD_KEYS": {
        "2": "a third one, of thirty-two characters",
        "1": "the former one, as long as that is",
    },
    "ID_CARD_KEYS": ["a fourth one, of thirty-two characters", "its former one, as long as that is"],
    "SANDBOX_GATEWAY": False,
    "SMS_URL": "https://sms.example/{to}",
    "EMAIL_URL": "smtp://mail.example",
    "ALLOWED_HOSTS": ["shop.example"],
    "ALLOWED_FAKES": frozenset(),
    "SITE_URL": "https://shop.example",
    "TRUSTED_PROXIES": 1,
    "IS_SQLITE": False,
}


@pytest.fixture
def production(settings: LazySettings) -> LazySettings:
    """A production start without fakes."""
    for name, value in REAL.items():
        setattr(settings, name, value)
    return settings


def settings_of(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> dict[str, Any]:
    """Read the settings of an environment."""
    for name, value in (environment | {"DATA_DIR": str(shop.DATA_DIR)}).items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(shop.BASE_DIR / "site" / "config" / "settings.py"))


def found() -> list[tuple[str, str]]:
    return [(each.id or "", each.msg) for each in run_checks(tags=[PRODUCTION], databases=["default"])]


def test_the_demonstration_may_use_every_fake(settings: LazySettings) -> None:
    assert settings.SECRET_KEY == settings.EMBEDDED_KEY
    assert not found()


def test_a_complete_production_configuration_starts(production: LazySettings) -> None:
    assert not found()
    refuse_misconfigured_start()


def test_a_default_key_is_never_allowed(production: LazySettings) -> None:
    production.ALLOWED_FAKES = frozenset({"sandbox-gateway", "sms-outbox", "email-outbox", "demo-data"})
    for name in ("SECRET_KEY", "PASSWORD_PEPPER"):
        with override_settings(**{name: production.EMBEDDED_KEY}):
            assert found() == [("config.E001", f"{name} is the embedded default.")]
            with pytest.raises(SystemCheckError, match=name):
                refuse_misconfigured_start()


def test_documents_among_the_public_files_are_refused(production: LazySettings, tmp_path: Path) -> None:
    production.MEDIA_ROOT = tmp_path
    (tmp_path / "documents").mkdir()
    assert not found()
    (tmp_path / "documents" / "prices.txt").write_text("a list")
    assert found() == [("config.E008", "Documents are in the public media folder.")]
    with pytest.raises(SystemCheckError, match="move_documents"):
        refuse_misconfigured_start()


def test_the_keys_of_pay_passwords_and_id_cards_are_their_own_and_long(
    production: LazySettings, subtests: pytest.Subtests
) -> None:
    for name, keys, error in [
        ("PAY_PASSWORD_KEYS", {"1": shop.EMBEDDED_KEY}, "config.E001"),
        ("PAY_PASSWORD_KEYS", {"2": "k" * 32, "1": shop.EMBEDDED_KEY}, "config.E001"),
        ("PAY_PASSWORD_KEYS", {"1": REAL["SECRET_KEY"]}, "config.E005"),
        ("PAY_PASSWORD_KEYS", {"1": REAL["PASSWORD_PEPPER"]}, "config.E005"),
        ("PAY_PASSWORD_KEYS", {"1": "k" * 31}, "config.E006"),
        ("PAY_PASSWORD_KEYS", {"a$b": "k" * 32}, "config.E006"),
        ("PAY_PASSWORD_KEYS", {"v" * 11: "k" * 32}, "config.E006"),
        ("ID_CARD_KEYS", [shop.EMBEDDED_KEY, "k" * 32], "config.E001"),
        ("ID_CARD_KEYS", ["k" * 32, shop.EMBEDDED_KEY], "config.E001"),
        ("ID_CARD_KEYS", [REAL["PASSWORD_PEPPER"]], "config.E005"),
        ("ID_CARD_KEYS", ["k" * 31], "config.E006"),
    ]:
        with subtests.test(name=name, keys=keys, error=error), override_settings(**{name: keys}):
            assert [number for number, _ in found()] == [error]
            with pytest.raises(SystemCheckError, match=name):
                refuse_misconfigured_start()


def test_a_version_of_the_keys_is_named_once(production: LazySettings) -> None:
    production.PAY_PASSWORD_VERSIONS = ["2", "1", "2"]
    assert found() == [("config.E007", "PAY_PASSWORD_KEYS names a version twice.")]


def test_a_fake_must_be_allowed_by_its_name(production: LazySettings, subtests: pytest.Subtests) -> None:
    production.SANDBOX_SECRET = "a real one"
    for fake, name, value in (
        ("sandbox-gateway", "SANDBOX_GATEWAY", True),
        ("royalpay-fake", "ROYALPAY_URL", "http://127.0.0.1:8701/api/v1.0"),
        ("royalpay-fake", "ROYALPAY_URL", "http://[::1]:8701/api/v1.0"),
        ("royalpay-fake", "ROYALPAY_URL", "https://LOCALHOST/api/v1.0"),
        ("sms-outbox", "SMS_URL", ""),
        ("email-outbox", "EMAIL_URL", ""),
    ):
        with subtests.test(name=name, value=value), override_settings(**{name: value}):
            assert found() == [("config.E002", f"The embedded fake {fake} is in use.")]
            with pytest.raises(SystemCheckError, match=fake):
                refuse_misconfigured_start()
            with override_settings(ALLOWED_FAKES=frozenset({fake})):
                assert not found()


def test_a_paypal_that_moves_no_money_must_be_allowed_by_its_name(
    production: LazySettings, subtests: pytest.Subtests
) -> None:
    for url in (
        "http://127.0.0.1:8101",
        "http://localhost:8101",
        "https://api-m.sandbox.paypal.com",
        "http://api.paypal.com",
    ):
        with subtests.test(msg=url), override_settings(PAYPAL_URL=url):
            assert not found()
            with override_settings(PAYPAL_CLIENT_ID="ours"):
                assert found() == [("config.E002", "The embedded fake paypal-fake is in use.")]
                with override_settings(ALLOWED_FAKES=frozenset({"paypal-fake"})):
                    assert not found()
                with override_settings(PAYPAL_URL="https://api-m.paypal.com"):
                    assert not found()


def test_an_allowed_gateway_still_needs_its_own_secret(production: LazySettings) -> None:
    production.SANDBOX_GATEWAY, production.ALLOWED_FAKES = True, frozenset({"sandbox-gateway"})
    production.SANDBOX_SECRET = production.EMBEDDED_KEY
    assert found() == [("config.E001", "SANDBOX_SECRET is the embedded default.")]


def test_demonstration_customers_are_refused_in_production(production: LazySettings) -> None:
    from commerce.accounts.tests.builders import make_customer

    make_customer(account="demo@example.com")
    assert found() == [("config.E002", "The embedded fake demo-data is in use.")]


def test_an_unknown_name_of_a_fake_is_refused(production: LazySettings) -> None:
    production.ALLOWED_FAKES = frozenset({"everything"})
    assert found() == [("config.E003", "ALLOWED_FAKES names everything, which is none.")]


def test_a_weak_setting_is_a_warning_and_not_refused(production: LazySettings) -> None:
    production.IS_SQLITE, production.SITE_URL = True, "http://shop.example"
    assert [number for number, _ in found()] == ["config.W001", "config.W002"]
    refuse_misconfigured_start()


def test_a_start_behind_a_proxy_that_is_not_believed_shows_it(
    production: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    production.TRUSTED_PROXIES = 0
    refuse_misconfigured_start()
    assert "TRUSTED_PROXIES is 0" in caplog.text
    assert [number for number, _ in found()] == ["config.W003"]


@pytest.mark.parametrize(("proxies", "is_believed"), [("0", False), ("1", True), ("2", True)])
def test_only_a_trusted_proxy_may_show_that_a_request_came_by_https(
    monkeypatch: pytest.MonkeyPatch,
    settings: LazySettings,
    rf: RequestFactory,
    proxies: str,
    is_believed: bool,
) -> None:
    environment = {"DEBUG": "off", "SITE_URL": "https://shop.example", "TRUSTED_PROXIES": proxies}
    configured = settings_of(monkeypatch, environment)
    settings.SECURE_PROXY_SSL_HEADER = configured.get("SECURE_PROXY_SSL_HEADER")
    request = rf.get("/", headers={"X-Forwarded-Proto": "https", "Forwarded": "proto=https"})
    assert request.is_secure() == is_believed
    # No proxy may name the host.
    assert not configured.get("USE_X_FORWARDED_HOST")
    assert not configured.get("USE_X_FORWARDED_PORT")


def test_a_commit_to_sqlite_waits_until_it_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    configured = settings_of(monkeypatch, {})
    with closing(sqlite3.connect(tmp_path / "shop.sqlite3")) as database:
        database.executescript(configured["DATABASES"]["default"]["OPTIONS"]["init_command"])
        # FULL; 1 would be NORMAL, which loses the commits since the last checkpoint at a power cut.
        assert database.execute("PRAGMA synchronous").fetchone() == (2,)


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [".venv/bin/python", *arguments],
        cwd=shop.BASE_DIR,
        env=inherited | {"DATA_DIR": str(shop.DATA_DIR), "DEBUG": "off"} | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


# Begins what each argument names; prints a line for each that was refused, and why.
START = """
import os, sys
from importlib import import_module
from django.core.management import execute_from_command_line
from django.core.management.base import SystemCheckError
for begun in sys.argv[1:]:
    try:
        if begun.startswith("config."):
            import_module(begun)
        else:
            execute_from_command_line(["manage.py", *begun.split(), "--traceback"])
    except SystemCheckError as refusal:
        print(begun, str(refusal).replace(os.linesep, " "), sep=": ")
"""


@pytest.mark.slow
def test_no_process_starts_with_refused_settings() -> None:
    begun = ["check --deploy", "serve", "consume books", "config.wsgi"]
    tried = run(
        "-c",
        START,
        *begun,
        DATABASE_URL="sqlite://:memory:",
        DJANGO_SETTINGS_MODULE="config.settings",
        PAY_PASSWORD_KEYS="a key without its version",
    )
    lines = tried.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == begun, tried.stderr
    for line in lines:
        assert "SECRET_KEY is the embedded default." in line
        assert "sms-outbox" in line
        assert "PAY_PASSWORD_KEYS has a version that is not" in line


@pytest.mark.slow
def test_a_complete_production_configuration_passes_the_deployment_check() -> None:
    tried = run(
        "manage.py",
        "check",
        "--deploy",
        "--fail-level=ERROR",
        DATABASE_URL="postgres:///shop",
        SECRET_KEY="k" * 30 + "a long and various one: 0123456789",
        PASSWORD_PEPPER="another",
        PAY_PASSWORD_KEYS="1=" + "p" * 32,
        ID_CARD_KEYS="i" * 32,
        SMS_URL="json://sms.example/{to}",
        EMAIL_URL="smtp://mail.example:25",
        ALLOWED_HOSTS="shop.example",
        SITE_URL="https://shop.example",
        TRUSTED_PROXIES="1",
    )
    assert tried.returncode == 0, tried.stderr


def test_the_logs_of_the_http_library_which_have_signatures_in_them_are_off() -> None:
    loggers = logging_config("DEBUG")["loggers"]
    assert loggers["httpx"]["level"] == loggers["httpcore"]["level"] == "WARNING"


@pytest.mark.both_databases
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such limit")
def test_the_deployment_check_states_the_number_of_connections_and_whether_there_are_enough(
    settings: LazySettings,
) -> None:
    def found_in_deployment() -> list[tuple[str, str]]:
        every = run_checks(databases=["default"], include_deployment_checks=True)
        return [(each.id or "", each.msg) for each in every if "connections to PostgreSQL" in each.msg]

    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        maximum = int(cursor.fetchone()[0])
    stated = "The processes of this host open up to {} connections to PostgreSQL."
    needed = connections_needed()
    assert needed == 64
    assert found_in_deployment() == [("config.I001", stated.format(needed))]
    # Each further web process needs 15: 10 threads, the health check, four queues.
    settings.WEB_WORKERS += maximum // 15
    needed += maximum // 15 * 15
    [(number, text)] = found_in_deployment()
    assert number == "config.W004"
    assert text.startswith(stated.format(needed))
    settings.REDIS_URL = "redis://redis.example"
    settings.WEB_WORKERS = 2
    assert connections_needed() == 31
