"""Back restores where a page was scrolled to, also one that an island fills; others begin at the top."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.walk import Walk
from tests.browser.wire import DEMO2, Wire
from tests.browser.words import TRANSLATED

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", TRANSLATED)]

HEIGHT = "document.documentElement.scrollHeight - innerHeight"
# A browser that has given up before the answers come; where the page is left is noted.
GIVE_UP = """
addEventListener('click', () => sessionStorage.setItem('left', scrollY), true);
history.scrollRestoration = 'manual';
const ask = window.fetch;
window.fetch = (...call) => new Promise((asked) => setTimeout(asked, 500)).then(() => ask(...call));
"""


@pytest.fixture
def wire(shop_url: str) -> Iterator[Wire]:
    """The API as a customer with a full cart and orders that fill more than a window."""
    wire = Wire(shop_url).log_in(DEMO2).empty_cart()
    for product in wire.plentiful(4):
        wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    yield wire
    wire.empty_cart()


def wait_until(page: Page, condition: str) -> None:
    """Wait for a condition in the page, which its security policy lets the debugger alone evaluate."""
    page.evaluate(
        f"""new Promise((done, fail) => {{
            const look = () => ({condition}) ? done() : setTimeout(look, 20);
            look();
            setTimeout(() => fail(new Error(`${{scrollY}} of ${{{HEIGHT}}}`)), 10_000);
        }})"""
    )


def test_the_scroll_position_is_restored_on_back_navigation_and_otherwise_at_the_top(
    new_page: NewPage, wire: Wire, language: str
) -> None:
    orders = [wire.place_order(product) for product in wire.plentiful(2)]
    walk = Walk(new_page("phone", wire), language)
    page = walk.page
    page.add_init_script(GIVE_UP)
    for path, last in {
        "/home/account/orders": "main .order",
        f"/home/account/orderdetails/{orders[0]}": "main .totals",
        "/home/cart": "main .totals",
    }.items():
        walk.open(path)
        expect(page.locator(last).first).to_be_visible()
        link = page.get_by_role("contentinfo").get_by_role("link", name=walk.words.page("Addresses"))
        page.mouse.wheel(0, 1)
        link.scroll_into_view_if_needed()
        wait_until(page, "scrollY > 0 && history.state?.scroll === scrollY")
        link.click()
        walk.expect_at("/home/account/useraddress")
        before = int(page.evaluate("sessionStorage.getItem('left')"))
        assert before > page.evaluate("scrollY") == 0
        # Playwright's Chromium keeps no back/forward cache: the page is loaded again.
        page.go_back()
        expect(page.locator(last).first).to_be_visible()
        wait_until(page, f"Math.abs(scrollY - {before}) <= 2")
    for order_no in orders:
        wire.call("PUT", f"/order/cancel/{order_no}")
