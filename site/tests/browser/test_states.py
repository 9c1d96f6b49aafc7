"""Every page that an island fills is accessible while it loads, where it cannot, and with nothing to show."""

import re
from uuid import uuid4

import pytest
from django.conf import settings
from playwright.sync_api import Route, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.shops import Shop
from tests.browser.walk import Walk
from tests.browser.wire import Wire

pytestmark = pytest.mark.browser

NEWCOMER = """
from commerce.accounts.models import Customer
from commerce.accounts.passwords import hash_password
Customer.objects.create(account={account!r}, password=hash_password("888888"), level_id=1)
"""
# Each island that calls the shop, by a page of it.
PAGES = {
    "checkout": "/home/createOrder/delivery",
    "cart": "/home/cart",
    "account": "/home/account/accountdetails",
    "orders": "/home/account/orders",
    "order-details": "/home/account/orderdetails/S260101AAAAAAAA",
    "addresses": "/home/account/useraddress",
    "claims": "/home/account/claims",
    "favourites": "/home/account/favourites",
    "privacy": "/home/account/privacy",
    "logistics": "/home/account/logis",
    "reorder": "/home/account/reorder",
    "wallet": "/home/account/wallet",
    "rewards": "/home/account/rewards",
    "pay-result": "/home/payResult/S260101AAAAAAAA",
}
# The islands that call nothing, or change a page that is there already; other walks have them.
OTHERS = {
    "carousel",
    "countdown",
    "later-cards",
    "list",
    "login",
    "product",
    "recent",
    "staff-login",
    "suggest",
    "cart-drawer",
}
WAITING = ".skel, .spinner, [aria-busy=true]"


@pytest.fixture(scope="module")
def newcomer(shop: Shop) -> Wire:
    """The API as a customer who has just registered."""
    account = f"states-{uuid4().hex}@example.com"
    shop.run(NEWCOMER.format(account=account))
    return Wire(shop.url).log_in(account)


def hold(route: Route) -> None:
    """Answer nothing."""


def lose(route: Route) -> None:
    """Answer as without a network."""
    route.abort("internetdisconnected")


def open_drawer(walk: Walk) -> None:
    """Open the cart next to the list."""
    walk.open("/shop").open_drawer()


def search(walk: Walk) -> None:
    """Type into the search field of a page."""
    walk.open("/home").page.get_by_role("searchbox").press_sequentially("rice", delay=20)


def test_every_island_that_calls_the_shop_is_looked_at() -> None:
    registry = (settings.BASE_DIR / "islands" / "registry.ts").read_text("utf-8")
    assert set(re.findall(r"import\('\./([\w-]+)'\)", registry)) == {*PAGES, *OTHERS}


@pytest.mark.parametrize("state", ["loading", "error", "empty"])
def test_pages_of_islands_are_accessible_in_every_state(
    new_page: NewPage, newcomer: Wire, axe: Axe, state: str
) -> None:
    walk = Walk(new_page("desktop", newcomer), "en")
    page = walk.page
    shown = page.get_by_role("main")
    [product] = newcomer.plentiful(1)
    newcomer.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    walk.open("/home/cart").check(walk.words.name_of(product)).check()
    if state != "empty":
        page.route("**/api/v1/pc/**", hold if state == "loading" else lose)
    for island, path in PAGES.items():
        if island == "cart" and state != "loading":
            newcomer.empty_cart()
        walk.open(path)
        if state == "loading":
            # Until then the skeleton is the server's.
            waiting = page.locator(f"shop-island[name={island}]:not([data-ready])")
            expect(waiting).to_have_count(0)
            expect(shown.locator(WAITING).locator("visible=true").first).to_be_visible()
        # The result of a payment is asked for again and again.
        elif state == "error" and island != "pay-result":
            expect(shown.get_by_role("alert").first).to_be_visible()
        else:
            page.wait_for_load_state("networkidle")
        axe(page)
    for act in (open_drawer, search):
        act(walk)
        if state != "loading":
            page.wait_for_load_state("networkidle")
        axe(page)
