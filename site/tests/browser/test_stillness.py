"""Pages that their islands fill do not move in the meantime (docs/ux.md#components)."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.test_scroll import wait_until
from tests.browser.walk import Walk
from tests.browser.wire import DEMO2, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

MOST = 0.05
COUNT_SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
"""


def test_the_home_page_is_still_while_its_later_cards_come(
    new_page: NewPage, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport), language)
    page = walk.page
    page.add_init_script(COUNT_SHIFTS)
    walk.open("/home")
    waiting = page.locator("[data-cards]")
    expect(waiting).not_to_have_count(0)
    while page.evaluate("scrollY + innerHeight + 1 < document.documentElement.scrollHeight"):
        before = page.evaluate("scrollY")
        page.mouse.wheel(0, 600)
        wait_until(page, f"scrollY > {before}")
    expect(waiting).to_have_count(0)
    expect(page.locator(".show .product-grid:not(:has(.card))")).to_have_count(0)
    assert page.evaluate("window.shifted") <= MOST


def test_nothing_moves_while_the_pages_of_a_customer_load(
    new_page: NewPage, shop_url: str, language: str, viewport: str
) -> None:
    wire = Wire(shop_url).log_in(DEMO2)
    products = wire.plentiful(3)
    order_no = wire.place_order(products[0])
    for product in products:
        wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    walk = Walk(new_page(viewport, wire), language)
    page = walk.page
    page.add_init_script(COUNT_SHIFTS)
    shifted = {}
    for path, last in {
        f"/home/payResult/{order_no}": "main .btn",
        f"/home/account/orderdetails/{order_no}": ".pay .option",
        "/home/account/wallet": "#statement-title",
        "/home/account/accountdetails": ".facts-list",
        "/home/account/password": "input[type=password]",
        "/home/cart": "main .totals",
    }.items():
        walk.open(path)
        expect(page.locator(last).first).to_be_visible(timeout=20_000)
        page.wait_for_load_state("networkidle")
        shifted[path] = page.evaluate("window.shifted")
    wire.call("PUT", f"/order/cancel/{order_no}")
    wire.empty_cart()
    assert {path: value for path, value in shifted.items() if value > MOST} == {}
