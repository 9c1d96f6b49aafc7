"""Every page in each of its states: accessible, and never wider than any width down to 320 px."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import (
    COUNT_SHIFTS,
    MAX_SHIFTS,
    VIEWPORT_BY_LANGUAGE,
    VIEWPORTS,
    Axe,
    NewPage,
    wire_of,
)
from tests.browser.walk import Walk
from tests.browser.wire import DEMO, PASSWORD, Wire
from tests.browser.words import LANGUAGES
from tests.combinations import ALL_COMBINATIONS

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]
wire = wire_of(DEMO)

MILK_FORMULA = 10
ROOM_AROUND = """element => {
    const { top, left, bottom, right } = element.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    return [top, left, clientHeight - bottom, clientWidth - right];
}"""
# Returns what sticks out where the page can be scrolled sideways. It waits, since the page gets a new width,
# and applies its rules, some frames later: in the page itself, which takes one message instead of many.
TOO_WIDE = """async width => {
    const root = document.documentElement;
    const last = performance.now() + 20_000;
    while ((innerWidth !== width || root.scrollWidth > innerWidth) && performance.now() < last)
        await new Promise((resolve) => setTimeout(resolve, 20));
    if (innerWidth !== width) return [`${innerWidth} px instead of ${width}`];
    if (root.scrollWidth <= root.clientWidth) return [];
    const out = [...document.querySelectorAll('body, body *')].filter(
        (element) => element.getBoundingClientRect().right > root.clientWidth + 0.5
    );
    return [`${root.scrollWidth} px`, ...out.map((element) => element.outerHTML.slice(0, 120))];
}"""


class PageCheck:
    """Checks that a page in its current state fits every width, and at one of them is accessible."""

    def __init__(self, axe: Axe) -> None:
        self._axe = axe

    def __call__(self, walk: Walk, shown: Locator | None = None) -> None:
        """Wait for what must be there, then check it; the page is at the desktop's width afterwards."""
        page = walk.page
        expect(shown or page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("html")).to_have_attribute(
            "lang", "zh-Hans" if walk.words.language == "zh-hans" else "en-AU"
        )
        own = VIEWPORT_BY_LANGUAGE[walk.words.language]
        # What fits the narrowest phone mostly fits a wider one.
        viewports = ["phone"] if ALL_COMBINATIONS or own == "phone" else []
        for viewport in ("narrowest", *viewports, "desktop"):
            page.set_viewport_size(VIEWPORTS[viewport])
            too_wide: list[str] = page.evaluate(TOO_WIDE, VIEWPORTS[viewport]["width"])
            assert not too_wide, f"{page.url} at {viewport}"
            if viewport == own:
                self._axe(page)


@pytest.fixture
def check(axe: Axe) -> PageCheck:
    """Check the page in its current state: `check(walk)`."""
    return PageCheck(axe)


@pytest.fixture(scope="module")
def readers(new_reader: NewPage) -> dict[str, Walk]:
    """A guest at a desktop for each language, who goes on reading from test to test."""
    walks = {language: Walk(new_reader("desktop"), language) for language in LANGUAGES}
    for walk in walks.values():
        walk.page.add_init_script(COUNT_SHIFTS)
    return walks


@pytest.mark.both_languages
@pytest.mark.parametrize(
    "path",
    [
        "/home",
        "/shop",
        "/shop?word=rice&stockType=1&orderBy=price",
        "/shop?word=zzzzqqqq",
        "/shop?page=9999",
        "/shop?stockType=1&minPrice=2&bulk=1",
        "/shop?minPrice=x",
        "/shop?brandName=Lee+Kum+Kee",
        "/categories",
        "/brand",
        "/brand?word=zzzzqqqq",
        "/areas",
        "/areas/1",
        "/promotions",
        "/promotions/1",
        "/home/bulk",
        "/page",
        "/home/about-us",
        "/home/about-us/information",
        "/home/about-us/delivery",
        "/home/about-us/payment",
        "/home/about-us/help",
        "/home/privacyPolicy",
        "/home/contact",
        "/download",
        "/offline",
    ],
)
def test_catalogue_pages_fit_and_are_accessible(
    readers: dict[str, Walk], check: PageCheck, language: str, path: str
) -> None:
    walk = readers[language]
    _open_in_place(walk, path, 200)
    if "promotions" in path:
        expect(walk.page.get_by_role("timer").first).to_be_visible()
    check(walk)


@pytest.mark.both_languages
@pytest.mark.parametrize("path", ["/shop/shopdetails/999999999", "/home/no-such-page"])
def test_missing_pages_fit_and_are_accessible(walk: Walk, check: PageCheck, path: str) -> None:
    walk.page.add_init_script(COUNT_SHIFTS)
    _open_in_place(walk, path, 404)
    check(walk)


def _open_in_place(walk: Walk, path: str, status: int) -> None:
    """Open a page, and see that nothing of it moves while it loads."""
    answer = walk.page.goto(walk.prefix + path, wait_until="networkidle")
    assert answer is not None
    assert answer.status == status
    assert walk.page.evaluate("window.shifts") <= MAX_SHIFTS


def test_the_filters_on_a_phone_fit_and_are_accessible(walk: Walk, axe: Axe) -> None:
    walk.page.set_viewport_size(VIEWPORTS["phone"])
    walk.open("/shop")
    walk.page.get_by_role("link", name=walk.words.page("Filter")).click()
    expect(walk.page.locator("[data-live]")).to_be_in_viewport()
    axe(walk.page)


@pytest.mark.both_languages
def test_product_pages_fit_and_are_accessible(walk: Walk, check: PageCheck, shop_url: str) -> None:
    wire = Wire(shop_url)
    [first] = wire.plentiful(1)
    sold_out = wire.call("POST", "/goods/list", {"stockType": "3"})["list"][0]
    advance = wire.call("POST", "/goods/list", {"stockType": "2"})["list"][0]
    formula = wire.call("POST", "/goods/list", {"firstCategoryId": MILK_FORMULA, "size": 100})["list"]
    abroad = next(product for product in formula if product["isSelf"] == "1")
    with_variants = wire.call("POST", "/goods/list", {"word": "Golden Phoenix"})["list"][0]
    assert wire.call("GET", f"/spec/{with_variants['goodsId']}")["specs"]
    for product in (first, advance, sold_out, abroad, with_variants):
        walk.open(f"/shop/shopdetails/{product['goodsId']}")
        check(walk)


def test_the_cart_and_its_drawer_fit_and_are_accessible(walk: Walk, check: PageCheck, wire: Wire) -> None:
    product, other = wire.plentiful(2)
    walk.open("/home/cart")
    check(walk, walk.heading("cart.empty"))
    walk.open("/shop")
    drawer = walk.open_drawer()
    check(walk, drawer.get_by_role("heading", name=walk.words("cart.empty")))
    walk.page.keyboard.press("Escape")
    walk.add(walk.words.name_of(product))
    walk.add(walk.words.name_of(other))
    check(walk)
    drawer = walk.open_drawer()
    check(walk, walk.stepper(walk.words.name_of(product), drawer))
    walk.open("/home/cart")
    check(walk, walk.stepper(walk.words.name_of(product)))
    walk.check(walk.words.name_of(product)).uncheck()
    walk.check(walk.words.name_of(other)).uncheck()
    check(walk, walk.button("cart.checkOutAll"))
    walk.button("cart.clear").click()
    check(walk, walk.page.get_by_role("dialog", name=walk.words("cart.clearTitle")))
    walk.page.keyboard.press("Escape")
    walk.button("freight.ask").click()
    walk.type_place("")
    check(walk, walk.page.get_by_text(walk.words("freight.addressEmpty")))
    walk.type_place("6003")
    check(walk, walk.page.get_by_text(walk.words("freight.nothingSelected")))
    walk.check(walk.words.name_of(product)).check()
    check(walk, walk.row(walk.words("freight.estimate")).get_by_text(re.compile(r"A\$\d")).first)


def test_a_guests_delivery_step_fits_and_is_accessible(walk: Walk, check: PageCheck, shop_url: str) -> None:
    [product] = Wire(shop_url).plentiful(1)
    walk.open("/shop").add(walk.words.name_of(product))
    walk.open("/home/cart").check_out(1)
    walk.button("checkout.logIn").click()
    check(walk, walk.page.get_by_role("alert").get_by_text(walk.words("freight.addressEmpty")))
    walk.field("freight.suburb").fill("northb")
    northbridge = walk.page.get_by_role("option", name="Northbridge WA 6003")
    check(walk, northbridge)
    northbridge.click()
    check(walk, walk.page.locator(".parcels li"))
    for country, field in (("China", "address.province"), ("Canada", "address.postcodeOptional")):
        walk.choose_country(country)
        check(walk, walk.field(field))


def test_login_registration_and_password_pages_fit_and_are_accessible(walk: Walk, check: PageCheck) -> None:
    walk.open("/home/login?redirect=/home/account/orders")
    check(walk)
    walk.button("login.logIn").click()
    check(walk, walk.page.get_by_role("alert"))
    walk.log_in("noone@example.com", "123456")
    check(walk, walk.page.get_by_role("alert").get_by_text(walk.words.error("account_or_password_wrong")))
    walk.link("login.register").click()
    check(walk, walk.heading("login.title.register"))
    walk.page.get_by_role("radio", name=walk.words("login.mobile")).check()
    walk.button("login.register").click()
    check(walk, walk.page.get_by_role("alert"))
    walk.link("login.logIn").click()
    walk.link("login.forgot").click()
    check(walk, walk.heading("login.title.reset"))


def test_checkout_payment_and_order_pages_fit_and_are_accessible(
    new_page: NewPage, check: PageCheck, wire: Wire, language: str
) -> None:
    walk = Walk(new_page("desktop", wire), language)
    page, words = walk.page, walk.words
    [product] = wire.plentiful(1)
    wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    walk.open("/home/cart").page.get_by_role("banner").get_by_role(
        "link", name=words.page("Account & orders")
    ).click()
    walk.link("account.orders.all").click()
    walk.expect_at("/home/account/orders")
    check(walk)
    walk.open("/home/cart")
    walk.check(words.name_of(product)).check()
    walk.check_out(1)

    total = walk.row(words("checkout.total")).locator("visible=true")
    check(walk, total)
    page.get_by_role("button", name=words("checkout.anotherAddress")).click()
    check(walk, walk.heading("address.new"))
    walk.button("address.saveAndUse").click()
    check(walk, page.get_by_role("alert"))
    for country in ("China", "Malaysia", "Canada"):
        walk.choose_country(country)
        check(walk)
    walk.radio("checkout.pickup").check()
    walk.button("checkout.toPayment").click()
    check(walk, page.get_by_role("alert"))
    page.get_by_role("radiogroup", name=words("checkout.pickupAt")).get_by_role("radio").first.check()
    check(walk, walk.times("checkout.pickupTime").first)
    walk.choose_time("checkout.pickupTime")
    walk.to_payment()
    check(walk, page.get_by_role("group", name=words("pay.method")))
    walk.pay_type("0").check()
    check(walk, walk.field("pay.password"))
    pay = page.get_by_role("button", name=re.compile(re.escape(words("checkout.placeAndPay", amount=""))))
    pay.click()
    check(walk, page.get_by_text(words("pay.error.sixDigits")).first)
    page.get_by_role("button", name=words("pay.forgotPassword")).click()
    check(walk, walk.field("code.label"))

    walk.pay_type("5").check()
    pay.click()
    walk.at_sandbox()
    check(walk)
    walk.decide("Decline")
    walk.expect_declined()
    check(walk)
    walk.link("result.payAgain").click()
    check(walk, walk.heading("checkout.payTitle"))
    page.get_by_role("button", name=words("orders.cancel")).click()
    dialog = page.get_by_role("dialog")
    check(walk, dialog)
    above, left, below, right = dialog.evaluate(ROOM_AROUND)
    assert abs(above - below) <= 1
    assert abs(left - right) <= 1
    page.mouse.click(2, 2)
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name=words("orders.cancel")).click()
    walk.button("orders.cancelNo").click()
    expect(dialog).to_be_hidden()
    walk.pay_type("0").check()
    walk.field("pay.password").fill(PASSWORD)
    page.keyboard.press("Enter")
    walk.expect_paid()
    check(walk)
    walk.link("result.seeOrder").click()
    check(walk)
    walk.link("orders.backToOrders").click()
    check(walk, page.get_by_role("article").first)
    walk.link("orders.status.unreceived").click()
    check(walk, walk.heading("orders.noneOfStatus"))


def test_the_account_pages_fit_and_are_accessible(
    new_page: NewPage, check: PageCheck, wire: Wire, language: str
) -> None:
    walk = Walk(new_page("desktop", wire), language)
    page, words = walk.page, walk.words
    walk.open("/home/account/accountdetails")
    check(walk, page.get_by_role("heading", name=words("account.hello", name="Demo 小东")))
    walk.link("account.page.addresses").first.click()
    check(walk, page.get_by_role("button", name=words("address.add")))
    page.get_by_role("button", name=words("address.add")).click()
    walk.button("address.save").click()
    check(walk, page.get_by_role("alert"))
    walk.button("address.cancel").click()
    page.get_by_role("button", name=words("address.deleteOf", name="Mei Chen")).click()
    check(walk, page.get_by_role("dialog"))
    walk.button("address.keep").click()
    walk.link("account.page.password").click()
    walk.button("pay.savePassword").click()
    check(walk, page.get_by_role("alert"))
