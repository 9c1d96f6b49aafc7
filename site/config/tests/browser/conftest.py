"""A real shop, started the way a newcomer starts it, and real browsers to visit it with."""

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, ViewportSize, expect, sync_playwright

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
VIEWPORTS: dict[str, ViewportSize] = {
    "desktop": {"width": 1440, "height": 900},
    "phone": {"width": 390, "height": 844},
    "narrowest": {"width": 320, "height": 640},
}
AXE = (settings.BASE_DIR / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
# Milliseconds a page may take to show what is expected, on a machine that does other work beside.
PATIENCE = 20_000
# Set-up included, on a slow machine: migrations, 490 goods and their pictures.
OPENS_WITHIN_SECONDS = 300
STOPS_WITHIN_SECONDS = 5

NewPage = Callable[..., Page]
Axe = Callable[[Page], None]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Shop:
    """What `make run` starts, with a data folder and a port of its own."""

    def __init__(self, data_dir: Path, port: int) -> None:
        self.url = f"http://localhost:{port}"
        self.data_dir = data_dir
        self._log = data_dir / f"output-{port}.log"
        # Neither the tests' own settings nor what an outer make tells its children.
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "DJANGO_"))
        }
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                ["make", "run"],
                cwd=settings.BASE_DIR,
                env=inherited
                | {
                    "DATA_DIR": str(data_dir),
                    "PORT": str(port),
                    "HOST": "127.0.0.1",
                    # The processors are for the walks.
                    "PICTURE_SECONDS": "1",
                },
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        """Everything it has printed."""
        return self._log.read_text("utf-8", errors="replace")

    def wait_for(self, path: str) -> None:
        """Wait until an address answers well."""
        deadline = time.monotonic() + OPENS_WITHIN_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}{path}", timeout=5):  # noqa: S310  our own
                    return
            except (urllib.error.URLError, TimeoutError):
                time.sleep(0.2)
        pytest.fail(f"`make run` did not open the shop:\n{self.output[-4000:]}")

    def stop(self) -> float:
        """End it by SIGTERM to `make` alone; returns the seconds that took."""
        started = time.monotonic()
        self.process.terminate()
        self.process.wait(30)
        return time.monotonic() - started


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The shop with the demonstration, one for all browser tests."""
    shop = Shop(tmp_path_factory.mktemp("shop"), free_port())
    try:
        shop.wait_for("/readyz")
        yield shop
    finally:
        shop.stop()


@pytest.fixture(scope="session")
def shop_url(shop: Shop) -> str:
    """The shop's address, without a slash at the end."""
    return shop.url


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium; CHROMIUM names another."""
    # Playwright's loop lives in this thread, which Django would take for a reason to refuse its database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser, shop_url: str) -> Iterator[NewPage]:
    """Open a page of a new visitor: `new_page("phone")`; at the end no page of theirs may have had any fault.

    Paths are the shop's own: `page.goto("/shop")`. Further options are those of a browser context.
    """
    faults: list[str] = []
    contexts = []

    def note_answer(response: Response) -> None:
        # Only a document may be missing on purpose.
        limit = 500 if response.request.resource_type == "document" else 400
        if response.status >= limit:
            faults.append(f"{response.status} {response.url}")

    def note_message(message: ConsoleMessage) -> None:
        # Told with its status above.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            faults.append(f"{message.location['url']}: {message.text}")

    def open_page(viewport: str = "desktop", **options: Any) -> Page:
        context = chromium.new_context(
            base_url=shop_url,
            viewport=VIEWPORTS[viewport],
            has_touch=viewport != "desktop",
            reduced_motion="reduce",
            **{"locale": "en-AU"} | options,
        )
        contexts.append(context)
        context.on("weberror", lambda error: faults.append(f"error: {error.error}"))
        context.on("console", note_message)
        context.on("response", note_answer)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture
def axe() -> Axe:
    """Check a page's accessibility: `axe(page)` fails on any violation and says where."""

    def check(page: Page) -> None:
        # Evaluated by the debugger, so the page's own security policy stays in force.
        page.evaluate(AXE)
        found = page.evaluate("async () => (await axe.run()).violations")
        told = [
            f"{each['id']}: {each['help']}\n" + "\n".join(f"    {node['html']}" for node in each["nodes"])
            for each in found
        ]
        assert not told, f"{page.url}\n" + "\n".join(told)

    return check
