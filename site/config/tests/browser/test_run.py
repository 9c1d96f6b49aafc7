"""`make run` as such: it tells what it does, starts quickly and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

from config.tests.browser.conftest import STOPS_WITHIN_SECONDS, Shop, free_port

pytestmark = pytest.mark.browser


def interrupt_all(shop: Shop) -> None:
    """Do what a terminal does on Ctrl-C."""
    os.killpg(shop.process.pid, signal.SIGINT)


def interrupt_make(shop: Shop) -> None:
    shop.process.send_signal(signal.SIGINT)


def terminate_make(shop: Shop) -> None:
    shop.process.terminate()


def kill_make(shop: Shop) -> None:
    shop.process.kill()


def processes_of(shop: Shop) -> set[int]:
    """Return the ids of all processes that were started with the shop's data folder."""
    mark = f"DATA_DIR={shop.data_dir}\0".encode()
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes():
                found.add(int(folder.name))
        except OSError:
            continue
    return found


class Start(NamedTuple):
    """A start of the shop: how many seconds it took, and the shop."""

    seconds: float
    shop: Shop


@pytest.fixture(scope="module")
def starts() -> list[Start]:
    """The starts of this module, in order."""
    return []


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One data folder: the first start fills it, every other one finds it so."""
    return tmp_path_factory.mktemp("again")


@pytest.mark.parametrize("end", [interrupt_all, interrupt_make, terminate_make, kill_make])
def test_whatever_ends_it_leaves_no_process(
    data_dir: Path, starts: list[Start], end: Callable[[Shop], None]
) -> None:
    started = time.monotonic()
    shop = Shop(data_dir, free_port())
    shop.wait_for("/home")
    starts.append(Start(time.monotonic() - started, shop))
    assert len(processes_of(shop)) >= len(("make", "serve", "web server", "worker", "worker", "consumer"))
    started = time.monotonic()
    end(shop)
    while processes_of(shop) and time.monotonic() - started < 2 * STOPS_WITHIN_SECONDS:
        time.sleep(0.05)
    took = time.monotonic() - started
    shop.process.wait(1)
    assert took < STOPS_WITHIN_SECONDS, shop.output[-2000:]


def test_a_second_start_skips_what_is_done(starts: list[Start]) -> None:
    # The quickest of them, and by how much: how fast the machine is, is no property of the shop.
    assert 3 * min(start.seconds for start in starts[1:]) < starts[0].seconds


def test_it_tells_the_steps_and_the_way_in(starts: list[Start]) -> None:
    shop = starts[0].shop
    assert "Islands and stylesheet" in shop.output
    assert "Demonstration data" in shop.output
    assert f"{shop.url}/home" in shop.output
    assert "demo@example.com" in shop.output
    assert str(shop.data_dir / "backoffice.json") in shop.output


def test_a_taken_port_is_told_with_the_way_out() -> None:
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
