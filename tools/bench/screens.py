"""Measures in Chromium how soon the shop reacts to a customer, and shows a page of their account.

The processor is slowed down to a quarter, as Lighthouse does for a phone; for the page the network is too.
"""

import os
import statistics
from typing import TYPE_CHECKING, Any

from tools.bench.server import Server
from tools.launch import HOST

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Locator, Page

TRIES = 20
# Pages take longer to measure, and differ less.
VISITS = 5
SLOWER = 4
# 150 ms of way and back, 1.6 Mbit/s down, 0.75 up.
PHONE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
ORDERS = "/home/account/orders"
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]
# What an interaction takes until its next frame, as INP counts it; the browser reports it in steps of 8 ms.
WATCH = """
window.reactions = [];
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) window.reactions.push(entry.duration);
}).observe({ type: 'event', durationThreshold: 16 });
"""
# A frame that took less than 16 ms is not reported.
TAKE = """async () => {
    await new Promise((settled) => setTimeout(settled, 250));
    return Math.max(16, ...window.reactions.splice(0));
}"""
SHOWN = """(selector) => new Promise((shown) => {
    const look = () => {
        if (document.querySelector(selector)?.getClientRects().length) shown(performance.now());
        else requestAnimationFrame(look);
    };
    look();
})"""


def measured(shopper: dict[str, Any], server: Server) -> dict[str, float]:
    """Return the medians, in milliseconds, for a customer with a login and an address."""
    # The other parts need no browser.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )
        found = _reactions(browser, shopper, server) | _pages(browser, shopper, server)
        browser.close()
    return {name: round(statistics.median(times), 1) for name, times in found.items()}


def _reactions(browser: "Browser", shopper: dict[str, Any], server: Server) -> dict[str, list[float]]:
    page = _open(browser, shopper, server, width=1440)
    page.add_init_script(WATCH)
    _devtools(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(f"/shop/shopdetails/{shopper['goods']}")
    add = page.locator("form[data-buy] button.btn:not([value]), [data-buy] button.btn:not([value])").first
    # The first press loads the script.
    _reaction(page, add)
    added = [_reaction(page, add) for _ in range(TRIES)]
    cart, drawer = page.locator("[name=cart-drawer] a"), page.locator("dialog.drawer")
    opened = []
    for _ in range(TRIES):
        opened.append(_reaction(page, cart))
        # At first its script has to come.
        drawer.wait_for()
        page.keyboard.press("Escape")
        drawer.wait_for(state="hidden")
        page.evaluate(TAKE)
    page.goto("/home/account/useraddress")
    page.locator("main [name=addresses] button.btn").last.click()
    field = page.locator("main form input.input").first
    field.focus()
    page.evaluate(TAKE)
    typed = []
    for letter in "abcdefghijklmnopqrst"[:TRIES]:
        page.keyboard.press(letter)
        typed.append(page.evaluate(TAKE))
    page.context.close()
    return {"added_ms": added, "opened_ms": opened, "typed_ms": typed}


def _reaction(page: "Page", button: "Locator") -> float:
    button.click()
    taken: float = page.evaluate(TAKE)
    return taken


def _pages(browser: "Browser", shopper: dict[str, Any], server: Server) -> dict[str, list[float]]:
    """Measure a page of the account: within a visit, and at first with nothing of the shop in the browser."""
    first: list[float] = []
    later: list[float] = []
    for _ in range(VISITS):
        page = _open(browser, shopper, server, width=390)
        devtools = _devtools(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", PHONE)
        for times in (first, later):
            page.goto(ORDERS, wait_until="commit")
            times.append(page.evaluate(SHOWN, "main .empty, main .order, main [role=alert]"))
            page.wait_for_load_state("networkidle")
        page.context.close()
    return {"first_page_ms": first, "page_ms": later}


def _open(browser: "Browser", shopper: dict[str, Any], server: Server, width: int) -> "Page":
    stored = {"nickname": "", "level": "1", "account": shopper["account"], "token": shopper["token"]}
    origin = f"http://{HOST}:{server.port}"
    state: Any = {
        "cookies": [],
        "origins": [
            {
                "origin": origin,
                "localStorage": [{"name": name, "value": value} for name, value in stored.items()],
            }
        ],
    }
    context = browser.new_context(
        base_url=origin, viewport={"width": width, "height": 844}, storage_state=state
    )
    return context.new_page()


def _devtools(page: "Page") -> "CDPSession":
    return page.context.new_cdp_session(page)
