"""Every page that an island fills is accessible while it loads, where it cannot, and with nothing to show."""

import re
from uuid import uuid4

import pytest
from django.conf import settings
from playwright.sync_api import Page, Route, expect

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
# A page with little on it but the header.
SHORT = "/download"
WAITING = ".skel, .spinner, [aria-busy=true]"


@pytest.fixture(scope="module")
def newcomer(shop: Shop) -> Wire:
    """The API as a customer who has just registered."""
    account = f"states-{uuid4().hex}@example.com"
    shop.run(NEWCOMER.format(account=account))
    return Wire(shop.url).log_in(account)


class Network:
    """A network in which calls of the shop first get no answer, and then fail."""

    def __init__(self, page: Page) -> None:
        self._held: list[Route] | None = []
        page.route("**/api/v1/pc/**", self._answer)

    def hold(self) -> None:
        """Answer nothing from now on."""
        self._held = []

    def lose(self) -> None:
        """Let what was held fail, and all that follows."""
        held, self._held = self._held or [], None
        for route in held:
            route.abort("internetdisconnected")

    def _answer(self, route: Route) -> None:
        if self._held is None:
            route.abort("internetdisconnected")
        else:
            self._held.append(route)


def open_drawer(walk: Walk) -> None:
    """Open the cart next to a page."""
    walk.open(SHORT).open_drawer()


def search(walk: Walk) -> None:
    """Type into the search field of a page."""
    walk.open(SHORT).page.get_by_role("searchbox").press_sequentially("rice", delay=20)


@pytest.fixture
def walk(new_page: NewPage, newcomer: Wire) -> Walk:
    """The newcomer with one product chosen in the cart."""
    walk = Walk(new_page("desktop", newcomer), "en")
    [product] = newcomer.plentiful(1)
    newcomer.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    walk.open("/home/cart").check(walk.words.name_of(product)).check()
    return walk


def test_every_island_that_calls_the_shop_is_looked_at() -> None:
    registry = (settings.BASE_DIR / "islands" / "registry.ts").read_text("utf-8")
    assert set(re.findall(r"import\('\./([\w-]+)'\)", registry)) == {*PAGES, *OTHERS}


def test_pages_of_islands_are_accessible_while_they_load_and_without_a_network(walk: Walk, axe: Axe) -> None:
    page = walk.page
    shown = page.get_by_role("main")
    network = Network(page)
    for island, path in PAGES.items():
        network.hold()
        walk.open(path)
        # Until then the skeleton is the server's.
        expect(page.locator(f"shop-island[name={island}]:not([data-ready])")).to_have_count(0)
        expect(shown.locator(WAITING).locator("visible=true").first).to_be_visible()
        axe(page)
        network.lose()
        # The result of a payment is asked for again and again.
        if island == "pay-result":
            page.wait_for_load_state("networkidle")
        else:
            expect(shown.get_by_role("alert").first).to_be_visible()
        axe(page)
    for act in (open_drawer, search):
        network.hold()
        act(walk)
        axe(page)
        network.lose()
        page.wait_for_load_state("networkidle")
        axe(page)


def test_pages_of_islands_are_accessible_with_nothing_to_show(walk: Walk, newcomer: Wire, axe: Axe) -> None:
    for island, path in PAGES.items():
        if island == "cart":
            newcomer.empty_cart()
        walk.open(path).page.wait_for_load_state("networkidle")
        axe(walk.page)
    for act in (open_drawer, search):
        act(walk)
        walk.page.wait_for_load_state("networkidle")
        axe(walk.page)
