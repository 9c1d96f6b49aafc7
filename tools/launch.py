"""What benchmarks and chaos tests share: how a shop is started on this machine, and options of commands."""

import argparse
import os
import socket
import time
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"
POSTGRESQL, SQLITE = "PostgreSQL", "SQLite"


def environment(data_folder: Path, **settings: str) -> dict[str, str]:
    """Return the environment of a production start whose data are in a folder; `settings` replace its own."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TZ") if name in os.environ}
    return inherited | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(data_folder),
        "DEBUG": "false",
        "SECRET_KEY": "for-tools-only-" + "0" * 50,
        "PASSWORD_PEPPER": "for-tools-only",
        "PAY_PASSWORD_KEYS": "1=for-tools-only-" + "1" * 50,
        "ID_CARD_KEYS": "id-cards-of-tools-only-" + "1" * 50,
        "ALLOWED_HOSTS": HOST,
        "ALLOWED_FAKES": "demo-data,sms-outbox,email-outbox",
        **settings,
    }


def address(port: int) -> dict[str, str]:
    """Return the settings of a shop that answers on a port of the loopback."""
    return {"HOST": HOST, "PORT": str(port), "SITE_URL": f"http://{HOST}:{port}"}


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def seconds_until_answer(
    url: str, seconds: float, *, pause: float, is_running: Callable[[], bool] = lambda: True
) -> float | None:
    """Wait until an address answers with success; return how long that took, None if it does not.

    `is_running`: returns False as soon as waiting is in vain.
    """
    started = time.monotonic()
    while time.monotonic() < started + seconds and is_running():
        with suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return time.monotonic() - started
        time.sleep(pause)
    return None


def names_of(known: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a parser of an option: known names in any case, separated by commas."""
    by_name = {name.lower(): name for name in known}

    def parse(text: str) -> list[str]:
        wanted = text.lower().split(",")
        unknown = [name for name in wanted if name not in by_name]
        if unknown:
            raise argparse.ArgumentTypeError(f"{unknown[0]} must be one of {', '.join(by_name.values())}")
        return [by_name[name] for name in wanted]

    return parse
