"""What is added or changed without a network is kept, shown as such, and sent once the network is back."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.walk import Walk
from tests.browser.wire import DEMO2, Wire
from tests.browser.words import TRANSLATED

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", TRANSLATED)]


@pytest.fixture
def wire(shop_url: str) -> Iterator[Wire]:
    """The API as the demonstration's other customer, whose carts are empty."""
    wire = Wire(shop_url).log_in(DEMO2).empty_cart()
    yield wire
    wire.empty_cart()


def until_sent(walk: Walk, wire: Wire, cart: dict[int, int]) -> None:
    """Wait until the customer's cart on the server is the one that is shown."""
    for _again in range(100):
        if wire.cart() == cart:
            break
        walk.page.wait_for_timeout(100)
    assert wire.cart() == cart


def test_a_customers_taps_on_card_page_drawer_and_cart_wait_for_the_network(
    new_page: NewPage, wire: Wire, language: str
) -> None:
    tea, rice = wire.plentiful(2)
    wire.call("POST", "/shoppingCart", {"goodsId": rice["goodsId"], "goodsAmount": 1})
    walk = Walk(new_page("desktop", wire), language)
    page, words, context = walk.page, walk.words, walk.page.context
    names = [words.name_of(product) for product in (tea, rice)]
    kept = page.locator(".toast", has_text=words("cart.waits"))

    # The script that adds is not loaded yet: the tap waits for it.
    walk.open("/shop")
    page.wait_for_load_state("networkidle")
    context.set_offline(True)
    walk.add_button(names[0]).click()
    expect(page.get_by_role("alert")).to_contain_text(words("errors.network"))
    context.set_offline(False)
    expect(walk.card_stepper(names[0])).to_be_visible()
    until_sent(walk, wire, {tea["goodsId"]: 1, rice["goodsId"]: 1})

    drawer = walk.open_drawer()
    expect(walk.stepper(names[0], drawer)).to_be_visible()
    page.keyboard.press("Escape")
    context.set_offline(True)
    walk.card_step(names[0]).click()
    expect(walk.card_stepper(names[0]).get_by_role("status")).to_have_text("2")
    expect(kept).to_be_visible()
    drawer = walk.open_drawer()
    walk.step(names[1], drawer).click()
    expect(drawer.locator(".line__msg").get_by_text(words("cart.waits"))).to_have_count(2)
    assert wire.cart() == {tea["goodsId"]: 1, rice["goodsId"]: 1}
    context.set_offline(False)
    until_sent(walk, wire, {tea["goodsId"]: 2, rice["goodsId"]: 2})
    expect(drawer.locator(".line__msg")).to_have_count(0)

    walk.open("/home/cart")
    expect(walk.stepper(names[0])).to_be_visible()
    context.set_offline(True)
    walk.step(names[0]).click()
    expect(page.locator(".line__msg")).to_have_text(words("cart.waits"))
    context.set_offline(False)
    until_sent(walk, wire, {tea["goodsId"]: 3, rice["goodsId"]: 2})

    walk.open(f"/shop/shopdetails/{rice['goodsId']}")
    add = page.locator("form[data-buy]").get_by_role("button", name=words.page("Add to cart"), exact=True)
    add.click()
    until_sent(walk, wire, {tea["goodsId"]: 3, rice["goodsId"]: 3})
    context.set_offline(True)
    add.click()
    expect(kept).to_be_visible()
    context.set_offline(False)
    until_sent(walk, wire, {tea["goodsId"]: 3, rice["goodsId"]: 4})


def test_a_guests_taps_without_a_network_are_in_the_cart_and_go_along_to_the_login(
    new_page: NewPage, wire: Wire, language: str
) -> None:
    [tea] = wire.plentiful(1)
    walk = Walk(new_page("phone"), language).open("/shop")
    name = walk.words.name_of(tea)
    walk.add(name)
    walk.page.context.set_offline(True)
    walk.card_step(name).click()
    expect(walk.card_stepper(name).get_by_role("status")).to_have_text("2")
    walk.page.context.set_offline(False)
    walk.open("/home/login").log_in(DEMO2)
    walk.expect_at("/home")
    until_sent(walk, wire, {tea["goodsId"]: 2})
