"""Every page in each of its states: accessible at both widths of the design, and never wider than 320 px."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from config.tests.browser.conftest import VIEWPORTS, Axe, NewPage
from config.tests.browser.walk import Walk
from config.tests.browser.wire import DEMO, PASSWORD, Wire
from config.tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

MILK_FORMULA = 10
# What moves while a page comes to life loses the clicks of those who are quick.
COUNT_SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
MOST_SHIFTS = 0.02
FITS = "width => innerWidth === width && document.documentElement.scrollWidth <= innerWidth"


class Sight:
    """Looks at the page as it stands, at every width."""

    def __init__(self, axe: Axe) -> None:
        self._axe = axe

    def __call__(self, walk: Walk, shown: Locator | None = None) -> None:
        """Wait for what must be there, then check it; the page is at the desktop's width afterwards."""
        page = walk.page
        expect(shown or page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("html")).to_have_attribute(
            "lang", "zh-Hans" if walk.words.language == "zh-hans" else "en-AU"
        )
        for viewport in ("narrowest", "phone", "desktop"):
            page.set_viewport_size(VIEWPORTS[viewport])
            # The new width comes to the page, and the rules for it apply, some frames later.
            with suppress(TimeoutError):
                page.wait_for_function(FITS, arg=VIEWPORTS[viewport]["width"])
            assert not too_wide(page), f"{page.url} at {viewport}"
            if viewport != "narrowest":
                self._axe(page)


def too_wide(page: Page) -> list[str]:
    """Return what sticks out where the page can be scrolled sideways."""
    found: list[str] = page.evaluate(
        """() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            if (scrollWidth <= clientWidth) return [];
            const out = [...document.querySelectorAll('body, body *')].filter(
                (element) => element.getBoundingClientRect().right > clientWidth + 0.5
            );
            return [`${scrollWidth} px`, ...out.map((element) => element.outerHTML.slice(0, 120))];
        }"""
    )
    return found


@pytest.fixture
def look(axe: Axe) -> Sight:
    """Check the page as it stands: `look(walk)`."""
    return Sight(axe)


@pytest.fixture
def walk(new_page: NewPage, language: str) -> Walk:
    """A guest at a desktop."""
    return Walk(new_page("desktop"), language)


@pytest.fixture
def wire(shop_url: str) -> Wire:
    """The API as the demonstration's customer, whose cart is empty."""
    return Wire(shop_url).log_in(DEMO).empty_cart()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/home", 200),
        ("/shop", 200),
        ("/shop?word=rice&stockType=1&orderBy=price", 200),
        ("/shop?word=zzzzqqqq", 200),
        ("/shop?page=9999", 200),
        ("/shop?brandName=Lee+Kum+Kee", 200),
        ("/brand?word=zzzzqqqq", 200),
        ("/areas", 200),
        ("/areas/1", 200),
        ("/promotions", 200),
        ("/promotions/1", 200),
        ("/home/bulk", 200),
        ("/page", 200),
        ("/home/about-us", 200),
        ("/home/about-us/information", 200),
        ("/home/about-us/delivery", 200),
        ("/home/about-us/payment", 200),
        ("/home/about-us/help", 200),
        ("/home/privacyPolicy", 200),
        ("/download", 200),
        ("/offline", 200),
        ("/shop/shopdetails/999999999", 404),
        ("/home/no-such-page", 404),
    ],
)
def test_a_page_to_browse(walk: Walk, look: Sight, path: str, status: int) -> None:
    walk.page.add_init_script(COUNT_SHIFTS)
    answer = walk.page.goto(walk.prefix + path, wait_until="networkidle")
    assert answer is not None
    assert answer.status == status
    if "promotions" in path:
        expect(walk.page.get_by_role("timer").first).to_be_visible()
    assert walk.page.evaluate("window.shifts") <= MOST_SHIFTS
    look(walk)


def test_the_filters_of_a_phone(walk: Walk, axe: Axe) -> None:
    walk.page.set_viewport_size(VIEWPORTS["phone"])
    walk.open("/shop")
    walk.page.get_by_role("link", name=walk.words.page("Filter")).click()
    expect(walk.page.locator("[data-live]")).to_be_in_viewport()
    axe(walk.page)


def test_details_of_goods(walk: Walk, look: Sight, shop_url: str) -> None:
    wire = Wire(shop_url)
    [first] = wire.plentiful(1)
    sold_out = wire.call("POST", "/goods/list", {"stockType": "3"})["list"][0]
    advance = wire.call("POST", "/goods/list", {"stockType": "2"})["list"][0]
    formula = wire.call("POST", "/goods/list", {"firstCategoryId": MILK_FORMULA, "size": 100})["list"]
    abroad = next(goods for goods in formula if goods["isSelf"] == "1")
    with_variants = wire.call("POST", "/goods/list", {"word": "Golden Phoenix"})["list"][0]
    assert wire.call("GET", f"/spec/{with_variants['goodsId']}")["specs"]
    for goods in (first, advance, sold_out, abroad, with_variants):
        walk.open(f"/shop/shopdetails/{goods['goodsId']}")
        look(walk)


def test_the_cart_and_its_drawer(walk: Walk, look: Sight, wire: Wire) -> None:
    goods, other = wire.plentiful(2)
    walk.open("/home/cart")
    look(walk, walk.heading("cart.empty"))
    walk.open("/shop")
    drawer = walk.open_drawer()
    look(walk, drawer.get_by_role("heading", name=walk.words("cart.empty")))
    walk.page.keyboard.press("Escape")
    walk.add(walk.words.name_of(goods))
    walk.add(walk.words.name_of(other))
    look(walk)
    drawer = walk.open_drawer()
    look(walk, walk.stepper(walk.words.name_of(goods), drawer))
    walk.open("/home/cart")
    look(walk, walk.stepper(walk.words.name_of(goods)))
    walk.check(walk.words.name_of(goods)).uncheck()
    walk.check(walk.words.name_of(other)).uncheck()
    look(walk, walk.page.get_by_text(walk.words("cart.checkOutNone")).first)


def test_login_registration_and_forgotten_password(walk: Walk, look: Sight) -> None:
    walk.open("/home/login?redirect=/home/account/orders")
    look(walk)
    walk.button("login.logIn").click()
    look(walk, walk.page.get_by_role("alert"))
    walk.log_in("nobody@example.com", "123456")
    look(walk, walk.page.get_by_role("alert").get_by_text(walk.words.error("account_or_password_wrong")))
    walk.link("login.register").click()
    look(walk, walk.heading("login.title.register"))
    walk.page.get_by_role("radio", name=walk.words("login.mobile")).check()
    walk.button("login.register").click()
    look(walk, walk.page.get_by_role("alert"))
    walk.link("login.logIn").click()
    walk.link("login.forgot").click()
    look(walk, walk.heading("login.title.reset"))


def test_checkout_payment_and_orders(walk: Walk, look: Sight, wire: Wire) -> None:
    page, words = walk.page, walk.words
    [goods] = wire.plentiful(1)
    wire.call("POST", "/shoppingCart", {"goodsId": goods["goodsId"], "goodsAmount": 1})
    walk.open("/home/cart").page.get_by_role("banner").get_by_role(
        "link", name=words.page("Account & orders")
    ).click()
    walk.log_in(DEMO)
    walk.expect_at("/home/account/orders")
    look(walk)
    walk.open("/home/cart")
    walk.check(words.name_of(goods)).check()
    walk.check_out(1)

    total = walk.row(words("checkout.total")).locator("visible=true")
    look(walk, total)
    page.get_by_role("button", name=words("checkout.anotherAddress")).click()
    look(walk, walk.heading("address.new"))
    walk.button("address.saveAndUse").click()
    look(walk, page.get_by_role("alert"))
    for country in ("China", "Malaysia", "Canada"):
        walk.field("address.country").select_option(country)
        look(walk)
    walk.radio("checkout.pickup").check()
    walk.button("checkout.toPayment").click()
    look(walk, page.get_by_role("alert"))
    page.get_by_role("group", name=words("checkout.pickupAt")).get_by_role("radio").first.check()
    look(walk, walk.field("checkout.pickupTime"))
    walk.field("checkout.pickupTime").select_option(index=1)
    walk.to_payment()
    look(walk, page.get_by_role("group", name=words("pay.method")))
    walk.radio("pay.wallet").check()
    look(walk, walk.field("pay.password"))
    pay = page.get_by_role("button", name=re.compile(re.escape(words("checkout.placeAndPay", amount=""))))
    pay.click()
    look(walk, page.get_by_text(words("pay.error.sixDigits")).first)
    page.get_by_role("button", name=words("pay.forgotPassword")).click()
    look(walk, walk.field("login.code"))

    walk.radio("pay.card").check()
    pay.click()
    walk.at_sandbox()
    look(walk)
    walk.decide("Decline")
    walk.expect_unpaid()
    look(walk)
    walk.link("pay.payAgain").click()
    look(walk, walk.heading("checkout.payTitle"))
    page.get_by_role("button", name=words("orders.cancel")).click()
    look(walk, page.get_by_role("dialog"))
    walk.button("orders.cancelNo").click()
    walk.radio("pay.wallet").check()
    walk.field("pay.password").fill(PASSWORD)
    page.keyboard.press("Enter")
    walk.expect_paid()
    look(walk)
    walk.link("pay.seeOrder").click()
    look(walk)
    walk.link("orders.backToOrders").click()
    look(walk, page.get_by_role("article").first)
    walk.link("orders.status.unreceived").click()
    look(walk, walk.heading("orders.noneOfStatus"))


def test_the_account_pages(walk: Walk, look: Sight) -> None:
    page, words = walk.page, walk.words
    walk.open("/home/account/accountdetails")
    walk.log_in(DEMO)
    look(walk, page.get_by_role("heading", name=words("account.hello", name="Demo 小东")))
    walk.link("account.page.addresses").first.click()
    look(walk, page.get_by_role("button", name=words("address.add")))
    page.get_by_role("button", name=words("address.add")).click()
    walk.button("address.save").click()
    look(walk, page.get_by_role("alert"))
    walk.button("address.cancel").click()
    page.get_by_role("button", name=words("address.deleteOf", name="Mei Chen")).click()
    look(walk, page.get_by_role("dialog"))
    walk.button("address.keep").click()
    walk.link("account.page.password").click()
    walk.button("pay.savePassword").click()
    look(walk, page.get_by_role("alert"))
