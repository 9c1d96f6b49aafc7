"""`make run`: it reports its steps, starts quickly and leaves no process behind."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

from tests.browser.shops import MAKE_RUN, SERVE, STOPS_WITHIN_SECONDS, Shop, leave_demonstration, running

pytestmark = pytest.mark.browser


def interrupt_all(shop: Shop) -> None:
    """Do what a terminal does on Ctrl-C."""
    os.killpg(shop.process.pid, signal.SIGINT)


def interrupt(shop: Shop) -> None:
    shop.process.send_signal(signal.SIGINT)


def terminate(shop: Shop) -> None:
    shop.process.terminate()


def kill(shop: Shop) -> None:
    shop.process.kill()


class Start(NamedTuple):
    """A start of the shop: how many seconds it took, and the shop."""

    seconds: float
    shop: Shop


@pytest.fixture(scope="module")
def starts() -> list[Start]:
    """The starts of this module, in order."""
    return []


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One data folder: the first start fills it, later ones use it."""
    folder = tmp_path_factory.mktemp("again")
    yield folder
    leave_demonstration(folder)


@pytest.mark.parametrize(
    ("command", "end"),
    [(MAKE_RUN, interrupt_all), (MAKE_RUN, terminate), (SERVE, interrupt), (SERVE, terminate), (SERVE, kill)],
)
def test_however_it_ends_no_process_is_left(
    data_dir: Path, starts: list[Start], command: Sequence[str], end: Callable[[Shop], None]
) -> None:
    started = time.monotonic()
    with running(command, data_dir) as shop:
        shop.wait_for("/home")
        if command == MAKE_RUN:
            starts.append(Start(time.monotonic() - started, shop))
        assert len(shop.processes()) >= len(("serve", "web server", "worker", "worker", "consumer"))
        started = time.monotonic()
        end(shop)
        while shop.processes() and time.monotonic() - started < 2 * STOPS_WITHIN_SECONDS:
            time.sleep(0.05)
        took = time.monotonic() - started
        shop.process.wait(1)
    assert took < STOPS_WITHIN_SECONDS, shop.output[-2000:]


def test_a_second_start_skips_what_is_done(starts: list[Start]) -> None:
    # Compared with the first one, because times depend on the machine.
    assert 3 * starts[1].seconds < starts[0].seconds


def test_the_start_prints_its_steps_and_the_url(starts: list[Start]) -> None:
    shop = starts[0].shop
    assert "Islands and stylesheet" in shop.output
    assert "Database and demonstration" in shop.output
    assert f"{shop.url}/home" in shop.output
    assert "demo@example.com" in shop.output
    file = shop.data_dir / "backoffice.json"
    assert str(file) in shop.output
    assert all(password in shop.output for password in json.loads(file.read_text("utf-8")).values())


def test_a_port_in_use_is_reported_with_a_solution() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        tried = subprocess.run(
            [".venv/bin/python", "manage.py", "serve"],
            cwd=settings.BASE_DIR,
            env=os.environ | {"PORT": str(port), "HOST": "127.0.0.1"},
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert tried.returncode == 1
    assert f"Port {port} on 127.0.0.1 cannot be had" in tried.stderr
    assert f"PORT={port + 1} make run" in tried.stderr
