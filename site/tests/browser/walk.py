"""What a customer does in the shop, by the roles and names of what they see."""

import io
import re
from decimal import Decimal
from urllib.parse import unquote

from PIL import Image
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.wire import Goods, Wire
from tests.browser.words import Words

PREFIX = {"en": "", "zh-hans": "/zh-hans"}


class Walk:
    """One customer's session in the shop, in one language, on one page of a browser."""

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self.words = Words(language)
        self.prefix = PREFIX[language]

    def open(self, path: str) -> "Walk":
        """Open a page by its path."""
        self.page.goto(self.prefix + path)
        return self

    def expect_at(self, path: str) -> None:
        """Wait until the browser is at a path of the shop, whatever its query."""
        pattern = rf"^https?://[^/]+{re.escape(self.prefix + path)}(\?[^#]*)?(#.*)?$"
        expect(self.page).to_have_url(re.compile(pattern))

    def wait_for_worker(self) -> None:
        """Wait until the service worker is active: its script is fetched after all else has loaded."""
        self.page.evaluate(
            """() => new Promise((resolve, reject) => {
                navigator.serviceWorker.ready.then(() => resolve());
                setTimeout(() => reject(new Error('no service worker')), 20_000);
            })"""
        )

    # ── Finding things ──────────────────────────────────────────────────────────────────────────────────

    def button(self, key: str, **values: object) -> Locator:
        """Find an island's button by its whole name."""
        return self.page.get_by_role("button", name=self.words(key, **values), exact=True)

    def link(self, key: str, **values: object) -> Locator:
        """Find an island's link by its whole name."""
        return self.page.get_by_role("link", name=self.words(key, **values), exact=True)

    def heading(self, key: str, **values: object) -> Locator:
        """Find an island's heading."""
        return self.page.get_by_role("heading", name=self.words(key, **values), exact=True)

    def radio(self, key: str, **values: object) -> Locator:
        """Find a choice by how its name begins."""
        name = re.compile("^" + re.escape(self.words(key, **values)))
        return self.page.get_by_role("radio", name=name)

    def pay_type(self, code: str) -> Locator:
        """Find the choice of a pay type by its code on the wire."""
        return self.page.get_by_role("radio", name=self.words.pay_type(code), exact=True)

    def field(self, key: str) -> Locator:
        """Find a field by its label."""
        return self.page.get_by_label(self.words(key), exact=True)

    def times(self, key: str) -> Locator:
        """Find the free times of the day that is shown, by their label."""
        name = re.compile("^" + re.escape(self.words(key)) + " ")
        return self.page.get_by_role("radiogroup", name=name).get_by_role("radio", disabled=False)

    def slider(self) -> Locator:
        """Find the slider of the security check."""
        return self.page.get_by_role("slider", name=self.words("captcha.slide"), exact=True)

    def add_button(self, name: str) -> Locator:
        """Find the button on a card that adds the product."""
        return self.page.get_by_role("button", name=self.words.page("Add to cart: %(name)s", name=name))

    def card_stepper(self, name: str) -> Locator:
        """Find the stepper that a card has while its product is in the cart."""
        quantity = self._of_card(self.words.page("Quantity"), name)
        return self.page.get_by_role("group", name=quantity, exact=True)

    def card_step(self, name: str, more: bool = True) -> Locator:
        """Find one side of a card's stepper."""
        step = self._of_card(self.words.page("One more" if more else "One less"), name)
        return self.card_stepper(name).get_by_role("button", name=step, exact=True)

    def _of_card(self, label: str, name: str) -> str:
        return f"{label}{'：' if self.prefix else ': '}{name}"

    def stepper(self, name: str, within: Locator | None = None) -> Locator:
        """Find a line's stepper on the cart page, or in the drawer when that is given."""
        place = within or self.page
        return place.get_by_role("group", name=self.words("ui.amountOf", name=name), exact=True)

    def step(self, name: str, within: Locator | None = None, more: bool = True) -> Locator:
        """Find one side of a line's stepper, where it does not remove."""
        key = "ui.oneMore" if more else "ui.oneLess"
        return self.stepper(name, within).get_by_role("button", name=self.words(key), exact=True)

    def check(self, name: str) -> Locator:
        """Find the box that takes a line into the order."""
        return self.page.get_by_role("checkbox", name=self.words("cart.select", name=name), exact=True)

    # ── Doing things ────────────────────────────────────────────────────────────────────────────────────

    def add(self, name: str) -> None:
        """Add a product from its card, and check that the card shows it."""
        self.add_button(name).click()
        expect(self.card_stepper(name)).to_be_visible()

    def open_drawer(self) -> Locator:
        """Open the cart next to the page."""
        header = self.page.get_by_role("banner")
        header.get_by_role("link", name=self.words.page("Cart")).click()
        drawer = self.page.get_by_role("dialog", name=self.words("cart.title"))
        expect(drawer).to_be_visible()
        return drawer

    def log_in(self, account: str, password: str = "888888") -> None:
        """Fill in and send the login form."""
        self.field("login.account").fill(account)
        self.field("login.password").fill(password)
        self.button("login.logIn").click()

    def check_out(self, units: int) -> None:
        """Go from the cart to the delivery step."""
        self.button("cart.checkOut", count=units).click()

    def check_out_all(self, wire: Wire, *products: Goods, amount: int = 1) -> None:
        """Put units of each product into the customer's cart, and check all of it out."""
        for product in products:
            wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": amount})
        self.open("/home/cart")
        self.button("cart.checkOutAll").click()
        self.expect_at("/home/createOrder/delivery")

    def choose_address(self, addressee: str) -> None:
        """Choose one of the saved addresses."""
        self.radio("checkout.useAddressOf", name=addressee).check()

    def choose_time(self, key: str) -> str:
        """Choose the second free time of the day that is shown, or its only one; returns it."""
        time = self.times(key).nth(1).or_(self.times(key).first).last
        time.check()
        return time.input_value()

    def expect_time(self, key: str, time: str) -> None:
        """Wait until a time is chosen."""
        chosen = self.times(key).and_(self.page.locator(":checked"))
        expect(chosen).to_have_value(time)

    def type_place(self, text: str) -> None:
        """Ask what sending to an Australian suburb or post code costs."""
        self.field("freight.suburb").fill(text)
        self.field("freight.suburb").press("Enter")

    def choose_country(self, text: str) -> None:
        """Choose the first country that is found for a name, pinyin or code."""
        self.field("address.country").fill(text)
        expect(self.page.locator("[role=option]").first).to_be_visible()
        self.field("address.country").press("Enter")

    def log_in_at_delivery(self, account: str) -> None:
        """As a guest at the delivery step, give a place, log in and come back to the step."""
        self.type_place("6003")
        expect(self.page.locator(".parcels")).to_be_visible()
        self.button("checkout.logIn").click()
        self.log_in(account)
        self.expect_at("/home/createOrder/delivery")

    def to_payment(self) -> None:
        """Go from the delivery step to the payment step."""
        self.button("checkout.toPayment").click()
        self.expect_at("/home/createOrder/payType")

    def place_order(self, amount: Decimal) -> None:
        """Press the button that places the order and pays it."""
        self.button("checkout.placeAndPay", amount=money(amount)).click()

    def row(self, name: str) -> Locator:
        """Find the row of a sum by its name."""
        return self.page.locator("dl.totals > div", has_text=re.compile("^" + re.escape(name)))

    def at_sandbox(self) -> None:
        """Wait for the sandbox gateway's page, and read its warning."""
        expect(self.page).to_have_url(re.compile(rf"{self.prefix}/sandbox-pay/[\w-]+$"))
        warning = self.page.get_by_text(self.words.page("This is a sandbox. No money moves."))
        expect(warning).to_be_visible()
        # Text is there before the stylesheet is.
        self.page.wait_for_load_state()
        size = warning.evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
        assert size >= 24

    def decide(self, outcome: str) -> None:
        """Press a button of the sandbox gateway: Pay, Decline or Leave without paying."""
        self.at_sandbox()
        self.page.get_by_role("button", name=self.words.page(outcome), exact=True).click()

    def expect_paid(self) -> str:
        """Wait until the result page shows that the order is paid; returns the order's number."""
        expect(self.heading("result.paid")).to_be_visible()
        return self.order_no()

    def expect_unpaid(self) -> str:
        """Wait until the result page shows that the order is not paid yet; returns the order's number."""
        expect(self.heading("result.unpaid")).to_be_visible()
        return self.order_no()

    def expect_declined(self) -> str:
        """Wait until the result page shows that the payment failed; returns the order's number."""
        heading = self.words.page("Your payment did not go through")
        expect(self.page.get_by_role("heading", name=heading)).to_be_visible()
        expect(self.page.get_by_text(self.words("result.stillLooking"))).to_be_hidden()
        return self.order_no()

    def order_no(self) -> str:
        """Read the order's number from the URL of its result or its details."""
        return unquote(self.page.url.split("#")[0].split("?")[0].rsplit("/", 1)[1])


def open_updated(page: Page, path: str, text: str, is_there: bool = True) -> None:
    """Open a page once it shows a text, or no longer: a page may be cached for a few seconds."""
    for _again in range(60):
        if (text in page.request.get(path).text()) is is_there:
            break
        page.wait_for_timeout(250)
    page.goto(path)
    assert bool(page.get_by_text(text).count()) is is_there, f"{path}: {text}"


def picture(name: str, size: tuple[int, int], colour: str = "teal") -> FilePayload:
    """Make a picture to upload."""
    data = io.BytesIO()
    Image.new("RGB", size, colour).save(data, "PNG")
    return {"name": name, "mimeType": "image/png", "buffer": data.getvalue()}


def money(amount: Decimal) -> str:
    """Write an amount of AUD as the shop does."""
    return f"A${amount:,.2f}"
