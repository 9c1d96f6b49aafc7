"""A customer buys by keyboard alone, and the focus is always visible."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewPage
from tests.browser.walk import Walk
from tests.browser.wire import DEMO, PASSWORD, Wire
from tests.browser.words import LANGUAGES, TRANSLATED

pytestmark = pytest.mark.browser

in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
in_chinese = pytest.mark.parametrize("language", TRANSLATED)

# More Tab stops than any page has before the element.
PATIENCE = 150
# Whether the focused element is in the window and nothing covers it.
IN_SIGHT = """element => {
    const box = (element.closest('label') ?? element).getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const seen = document.elementFromPoint(x, y);
    const belongs = element.closest('label, article, li, .option') ?? element;
    return seen !== null && (belongs.contains(seen) || seen.contains(element));
}"""


def tab_to(walk: Walk, wanted: Locator) -> None:
    """Press Tab until an element has the focus, and check that it is visible."""
    expect(wanted).to_be_visible()
    for _ in range(PATIENCE):
        walk.page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            break
    expect(wanted).to_be_focused()
    assert wanted.evaluate(IN_SIGHT), "what has the focus is covered"
    assert wanted.evaluate("element => element.matches(':focus-visible')")


def press(walk: Walk, wanted: Locator, key: str = "Enter") -> None:
    """Tab to an element and press a key on it."""
    tab_to(walk, wanted)
    walk.page.keyboard.press(key)


@in_both_languages
def test_products_are_bought_by_keyboard_alone(
    new_page: NewPage, shop_url: str, language: str, viewport: str
) -> None:
    wire = Wire(shop_url).log_in(DEMO).empty_cart()
    [product] = wire.plentiful(1)
    walk = Walk(new_page(viewport), language)
    page, words = walk.page, walk.words
    name = words.name_of(product)

    walk.open("/shop")
    if viewport == "desktop":
        categories = page.get_by_role("link", name=words.page("All categories"))
        press(walk, categories)
        menu = page.locator("#category-menu")
        expect(menu).to_be_visible()
        expect(categories).to_have_attribute("aria-expanded", "true")
        tab_to(walk, menu.get_by_role("link").first)
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
        expect(categories).to_be_focused()
        page.reload()
    press(walk, page.get_by_role("link", name=words.page("Skip to main content")))
    press(walk, walk.add_button(name))
    expect(walk.card_step(name)).to_be_focused()
    page.keyboard.press("Enter")
    expect(walk.card_stepper(name).get_by_role("status")).to_have_text("2")

    if viewport == "desktop":
        cart = page.get_by_role("banner").get_by_role("link", name=words.page("Cart"))
        page.keyboard.press("Control+Home")
        page.evaluate("document.activeElement.blur()")
        press(walk, cart)
        drawer = page.get_by_role("dialog", name=words("cart.title"))
        expect(drawer).to_be_visible()
        page.keyboard.press("Escape")
        expect(drawer).to_be_hidden()
        expect(cart).to_be_focused()
        page.keyboard.press("Enter")
        press(walk, drawer.get_by_role("link", name=words("cart.viewAll")))
    else:
        tabs = page.get_by_role("navigation", name=words.page("Quick"))
        press(walk, tabs.get_by_role("link", name=words.page("Cart")))
    walk.expect_at("/home/cart")
    press(walk, walk.button("cart.checkOut", count=2))

    walk.expect_at("/home/createOrder/delivery")
    tab_to(walk, walk.radio("checkout.delivery"))
    tab_to(walk, walk.field("freight.suburb"))
    page.keyboard.type("northbridge wa")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".parcels")).to_be_visible()
    press(walk, walk.button("checkout.logIn"))

    walk.expect_at("/home/login")
    tab_to(walk, walk.field("login.account"))
    page.keyboard.type(DEMO)
    tab_to(walk, walk.field("login.password"))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    walk.expect_at("/home/createOrder/delivery")
    tab_to(walk, walk.radio("checkout.delivery"))
    tab_to(walk, walk.radio("checkout.useAddressOf", name="Mei Chen"))
    expect(walk.row(words("checkout.total"))).to_be_visible()
    press(walk, walk.button("checkout.toPayment"))

    walk.expect_at("/home/createOrder/payType")
    tab_to(walk, page.get_by_role("group", name=words("pay.method")).get_by_role("radio").first)
    wallet = walk.pay_type("0")
    for _ in range(page.get_by_role("radio").count()):
        if wallet.is_checked():
            break
        page.keyboard.press("ArrowDown")
    expect(wallet).to_be_checked()
    tab_to(walk, walk.field("pay.password"))
    page.keyboard.type(PASSWORD)
    press(walk, page.locator(".actions").get_by_role("button"))
    order_no = walk.expect_paid()
    assert wire.order(order_no)["statusLabel"] == "Paid"
    assert [line["goodsAmount"] for line in wire.order(order_no)["goods"]] == [2]


@in_chinese
def test_a_drawer_that_is_opened_again_immediately_stays_open(walk: Walk, shop_url: str) -> None:
    walk.open("/shop")
    page = walk.page
    drawer = walk.open_drawer()
    entries = page.evaluate("history.length")
    # The event of the close comes before the browser has gone back.
    page.evaluate(
        """() => new Promise(wentBack => {
            const drawer = document.querySelector('dialog.drawer');
            const link = document.querySelector('[name="cart-drawer"] a');
            drawer.addEventListener('close', () => link.click(), { once: true });
            addEventListener('popstate', wentBack, { once: true });
            drawer.close();
        })"""
    )
    expect(drawer).to_be_visible()
    assert page.evaluate("history.length") == entries
    page.go_back()
    expect(drawer).to_be_hidden()
    walk.expect_at("/shop")


@in_chinese
def test_the_gateway_is_used_by_keyboard(new_page: NewPage, shop_url: str, language: str) -> None:
    wire = Wire(shop_url).log_in(DEMO).empty_cart()
    [product] = wire.plentiful(1)
    order_no = wire.place_order(product)
    walk = Walk(new_page("desktop", wire), language).open(f"/home/account/orderdetails/{order_no}")
    pay = walk.page.locator(".actions").get_by_role("button")
    press(walk, pay)
    walk.at_sandbox()
    press(walk, walk.page.get_by_role("button", name=walk.words.page("Pay"), exact=True))
    assert walk.expect_paid() == order_no
    assert wire.order(order_no)["statusLabel"] == "Paid"
