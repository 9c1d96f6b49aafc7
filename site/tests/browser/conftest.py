"""A running shop with the demonstration, and real browsers."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, ViewportSize, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from tests.browser import secrets_used
from tests.browser.shops import SERVE, SMALL_SHOP, Shop, copy_demonstration, running
from tests.browser.walk import Walk
from tests.browser.wire import DEMO2, Wire
from tests.combinations import ALL_COMBINATIONS, choose

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    # A graphics card in software, and a process for each page and worker, take a third of a page's time.
    "--disable-software-rasterizer",
    "--process-per-site",
    "--renderer-process-limit=1",
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
# Elements that move while a page loads make quick users miss their clicks.
COUNT_SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
MAX_SHIFTS = 0.02
# As browsers translate: each text, also a later one, becomes an element that React does not know.
TRANSLATOR = """
addEventListener('DOMContentLoaded', () => {
    const left = 'script, style, noscript, textarea, select, svg, font, [translate=no]';
    const wrap = (node) => {
        if (node.nodeType !== Node.TEXT_NODE) {
            for (const child of [...node.childNodes]) wrap(child);
        } else if (node.data.trim() && node.parentElement && !node.parentElement.closest(left)) {
            const text = document.createElement('font');
            text.append(node.data);
            const whole = document.createElement('font');
            whole.append(text);
            node.replaceWith(whole);
        }
    };
    wrap(document.body);
    new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes)
            for (const node of type === 'characterData' ? [target] : addedNodes) wrap(node);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
});
"""
# The combinations that run without ALL_COMBINATIONS.
VIEWPORT_BY_LANGUAGE = {"en": "desktop", "zh-hans": "phone"}
AXE = (settings.BASE_DIR / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
# Passing rules need no selectors, and no rule in use reads the stylesheets again.
AXE_OPTIONS = {"resultTypes": ["violations"], "preload": False}
# The periodic jobs of each minute.
BY_CLOCK = """
from commerce.messaging.services import deliver_due_messages
from commerce.notifications.services import notify_due
notify_due()
deliver_due_messages()
"""
# Milliseconds a page may take to show what is expected, on a busy machine.
PATIENCE = 20_000

FOLDER = Path(__file__).parent

NewPage = Callable[..., Page]
Axe = Callable[[Page], None]
Staff = Callable[[str, str], None]
BackOffice = Callable[..., Page]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with an argument `viewport` on the desktop and on the phone, unless it names its own."""
    if "viewport" in metafunc.fixturenames and not _names_viewports(metafunc.definition):
        metafunc.parametrize("viewport", [*VIEWPORT_BY_LANGUAGE.values()])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select the combinations of language and viewport, and start with the editor's tests, the longest."""
    if not ALL_COMBINATIONS:
        deselected = _other_combinations([item for item in items if item.path.parent == FOLDER])
        config.hook.pytest_deselected(items=deselected)
        items[:] = [item for item in items if item not in set(deselected)]
    items.sort(key=lambda item: item.path.name != "test_editor.py")


def _other_combinations(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that do not run; the choice depends on the name of a test only."""
    deselected = []
    groups: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        values = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        if "language" not in values:
            continue
        language = str(values["language"])
        viewport = VIEWPORT_BY_LANGUAGE[language]
        if not _names_viewports(item) and values.get("viewport", viewport) != viewport:
            deselected.append(item)
        elif item.get_closest_marker("both_languages") is None:
            others = [value for name, value in values.items() if name not in {"language", "viewport"}]
            groups[f"{item.nodeid.split('[')[0]}{others}"].append(item)
    for name, group in groups.items():
        deselected += set(group).difference(choose(name, group))
    return deselected


def _names_viewports(item: pytest.Item) -> bool:
    return any("viewport" in mark.args[0] for mark in item.iter_markers("parametrize"))


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Shop]:
    """A shop with the demonstration, one for all tests of this process; its log may hold no secret."""
    own = tmp_path_factory.getbasetemp()
    data_dir = tmp_path_factory.mktemp("shop")
    with django_db_blocker.unblock():
        copy_demonstration(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own, data_dir)
    with running(SERVE, data_dir, SMALL_SHOP) as shop:
        shop.wait_for("/readyz")
        yield shop
    secrets_used.note_messages(data_dir)
    assert secrets_used.leaks(shop.output, secrets_used.used) == []


@pytest.fixture(scope="session")
def shop_url(shop: Shop) -> str:
    """The shop's URL, without a slash at the end."""
    return shop.url


def wire_of(account: str) -> Any:
    """Return a fixture: the API as a customer of the demonstration, whose carts are empty."""

    @pytest.fixture
    def wire(shop_url: str) -> Wire:
        return Wire(shop_url).log_in(account).empty_cart()

    return wire


# Many modules have their own.
wire = wire_of(DEMO2)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium; CHROMIUM names another."""
    # Playwright's event loop runs in this thread, where Django would refuse to use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser, shop_url: str, request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Open a page of a new visitor: `new_page("phone")`; at the end no page of theirs may have had errors.

    With the marker `translated` their browser translates all pages, into the same words.

    `customer` is who has logged in before. Paths are the shop's own: `page.goto("/shop")`.
    `refused` is a status that calls of the page may have. Further options are those of a browser context.
    """
    is_translated = request.node.get_closest_marker("translated") is not None
    yield from _visitors(chromium, shop_url, TRANSLATOR if is_translated else "")


@pytest.fixture(scope="module")
def new_reader(chromium: Browser, shop_url: str) -> Iterator[NewPage]:
    """Open a page as `new_page` does, for all tests of a module: what it has loaded stays in its cache."""
    yield from _visitors(chromium, shop_url)


def _visitors(chromium: Browser, shop_url: str, script: str = "") -> Iterator[NewPage]:
    faults: list[str] = []
    contexts = []

    def note_answer(response: Response, refused: int | None) -> None:
        # Only a document may be missing on purpose.
        limit = 500 if response.request.resource_type == "document" else 400
        if response.status >= limit and response.status != refused:
            faults.append(f"{response.status} {response.url}")

    def note_message(message: ConsoleMessage) -> None:
        # Reported with its status above.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            faults.append(f"{message.location['url']}: {message.text}")

    def open_page(
        viewport: str = "desktop",
        customer: Wire | None = None,
        refused: int | None = None,
        **options: Any,
    ) -> Page:
        if customer:
            options["storage_state"] = customer.storage_state()
        context = chromium.new_context(
            base_url=shop_url,
            viewport=VIEWPORTS[viewport],
            has_touch=viewport != "desktop",
            reduced_motion="reduce",
            # Each visitor would fetch, compile and fill one, after all else; with "allow" a test has it.
            **{"locale": "en-AU", "service_workers": "block"} | options,
        )
        if script:
            context.add_init_script(script)
        contexts.append(context)
        context.on("weberror", lambda error: faults.append(f"error: {error.error}"))
        context.on("console", note_message)
        context.on("response", lambda response: note_answer(response, refused))
        context.on("request", secrets_used.note_request)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture
def walk(new_page: NewPage, language: str) -> Walk:
    """A guest at a desktop; some modules have their own."""
    return Walk(new_page("desktop"), language)


@pytest.fixture
def passwords(shop: Shop) -> dict[str, str]:
    """The staff's passwords by name."""
    found: dict[str, str] = json.loads((shop.data_dir / "backoffice.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="session")
def staff_logins() -> dict[str, tuple[str, Any]]:
    """The language and the cookies of the staff who have logged in, by name."""
    return {}


@pytest.fixture
def back_office(
    new_page: NewPage,
    shop: Shop,
    passwords: dict[str, str],
    staff_logins: dict[str, tuple[str, Any]],
) -> BackOffice:
    """Log staff in, once for all tests: `back_office("editor")`, in the language asked for.

    Further options are those of `new_page`.
    """

    def log_in(name: str, language: str = "en", **options: Any) -> Page:
        spoken, state = staff_logins.get(name, ("", None))
        if spoken == language:
            return new_page("desktop", storage_state=state, **options)
        page = new_page("desktop", **options)
        form = page.request.get("/admin/login/").text()
        [token, *_] = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        fields = {"username": name, "password": passwords[name], "csrfmiddlewaretoken": token}
        answer = page.request.post("/admin/login/", form=fields, headers={"Referer": shop.url})
        assert answer.url == f"{shop.url}/admin/"
        if f'lang="{language}"' not in answer.text():
            page.goto("/admin/account/")
            page.locator("#id_locale-preferred_language").select_option(language)
            with page.expect_navigation():
                page.locator("#w-editor-form footer button[type=submit]").click()
        staff_logins[name] = language, page.context.storage_state()
        return page

    return log_in


@pytest.fixture
def axe() -> Axe:
    """Check a page's accessibility: `axe(page)` fails on any violation and names the place."""

    def check(page: Page) -> None:
        # Colours and sizes hold once the stylesheets have loaded, and a click does not wait for that.
        page.wait_for_load_state()
        # Evaluated by the debugger, so the page's own security policy stays in force.
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        found = page.evaluate("async options => (await axe.run(options)).violations", AXE_OPTIONS)
        violations = [
            f"{each['id']}: {each['help']}\n" + "\n".join(f"    {node['html']}" for node in each["nodes"])
            for each in found
        ]
        assert not violations, f"{page.url}\n" + "\n".join(violations)

    return check


@pytest.fixture
def staff(shop: Shop) -> Staff:
    """Do something with an order as staff, and then the scheduled jobs: `staff(order_no, SHIP)`."""

    def act(order_no: str, what: str) -> None:
        order = (
            f"from commerce.orders.models import Order\norder = Order.objects.get(order_no={order_no!r})\n"
        )
        shop.run(order + what + BY_CLOCK)

    return act
