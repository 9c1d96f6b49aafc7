"""What a screen reader is given of cart, checkout, address form and login: names, news and the focus."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewPage
from tests.browser.walk import Walk
from tests.browser.wire import DEMO, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.both_languages, pytest.mark.parametrize("language", LANGUAGES)]

INDENT = "  "


def tree(*nodes: str) -> str:
    """Render an accessibility tree of nodes that `node` has written; others may be between them."""
    return "\n".join(nodes)


def node(role: str, name: str = "", *children: str, state: str = "") -> str:
    """Write one node of an accessibility tree."""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    text = " ".join(part for part in (role, f'"{quoted}"' if name else "", state) if part)
    head = "- '" + text.replace("'", "''") + "'"
    below = [INDENT + line for child in children for line in child.splitlines()]
    return "\n".join([head + (":" if below else ""), *below])


@pytest.fixture
def wire(shop_url: str) -> Iterator[Wire]:
    """The API as the demonstration's customer, whose cart is empty."""
    wire = Wire(shop_url).log_in(DEMO).empty_cart()
    yield wire
    wire.empty_cart()


def summary_of(walk: Walk) -> str:
    """Write the tree of an order's summary."""
    words = walk.words
    return node(
        "complementary",
        words("checkout.summary"),
        node("heading", words("checkout.summary"), state="[level=2]"),
        node("link", words("checkout.editCart")),
        "- list:\n  - listitem",
        f"- term: {words('checkout.total')}",
        "- definition",
    )


def expect_summary_of_errors(walk: Walk, *keys: str) -> Locator:
    """Check that the focus is on an alert that links to each wrong field; return the alert."""
    alert = walk.page.get_by_role("main").get_by_role("alert")
    expect(alert).to_be_focused()
    links = [node("listitem", "", node("link", walk.words(key))) for key in keys]
    expect(alert).to_match_aria_snapshot(node("alert", "", node("list", "", *links)))
    return alert


def test_the_cart_names_each_control_shows_what_changed_and_keeps_the_focus(
    new_page: NewPage, wire: Wire, language: str
) -> None:
    products = wire.plentiful(2)
    for product in reversed(products):
        wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 2})
    walk = Walk(new_page("desktop", wire), language).open("/home/cart")
    page, words = walk.page, walk.words
    names = [words.name_of(product) for product in products]
    for name in names:
        walk.check(name).check()

    def line(name: str) -> str:
        amount = [node("button", words("ui.oneLess")), "- status: '2'", node("button", words("ui.oneMore"))]
        return node(
            "listitem",
            "",
            node("checkbox", words("cart.select", name=name), state="[checked]"),
            node("link", name),
            node("button", words("cart.remove", name=name)),
            node("group", words("ui.amountOf", name=name), *amount),
        )

    expect(page.get_by_role("main")).to_match_aria_snapshot(
        tree(
            node("heading", words("cart.title"), state="[level=1]"),
            node("button", words("cart.clear")),
            node(
                "region",
                words("cart.everyday"),
                node("checkbox", words("cart.everyday"), state="[checked]"),
                node("list", "", *map(line, names)),
            ),
            node(
                "complementary",
                words("cart.summary"),
                node("heading", words("cart.summary"), state="[level=2]"),
                node("definition", "", node("button", words("freight.ask"))),
                node("button", words("cart.checkOut", count=4)),
            ),
        )
    )

    walk.step(names[0]).click()
    status = page.get_by_role("status").filter(has_text=words("cart.changed", name=names[0], count=3))
    expect(status).to_have_count(1)
    expect(walk.step(names[0])).to_be_focused()
    page.get_by_role("button", name=words("cart.remove", name=names[0])).click()
    messages = page.get_by_role("region", name=words("ui.messages"))
    expect(messages).to_have_attribute("aria-live", "polite")
    expect(messages).to_contain_text(words("cart.removed", name=names[0]))
    expect(page.get_by_role("main").get_by_role("link", name=names[1], exact=True)).to_be_focused()

    walk.button("cart.clear").click()
    question = page.get_by_role("dialog", name=words("cart.clearTitle"))
    expect(question).to_be_visible()
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(walk.button("cart.clear")).to_be_focused()
    page.get_by_role("button", name=words("cart.remove", name=names[1])).click()
    expect(walk.heading("cart.title")).to_be_focused()


def test_the_checkout_names_each_choice_shows_the_freight_and_links_to_what_is_wrong(
    new_page: NewPage, wire: Wire, language: str
) -> None:
    [product] = wire.plentiful(1)
    wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    walk = Walk(new_page("desktop", wire), language).open("/home/cart")
    page, words = walk.page, walk.words
    main = page.get_by_role("main")
    walk.check(words.name_of(product)).check()
    walk.check_out(1)
    ways = [f"{words(f'checkout.{way}')} {words(f'checkout.{way}Hint')}" for way in ("delivery", "pickup")]
    delivery = tree(
        node("heading", words("checkout.deliveryTitle"), state="[level=1]"),
        node(
            "group",
            words("checkout.method"),
            node("radio", ways[0], state="[checked]"),
            node("radio", ways[1]),
        ),
        node(
            "group",
            words("checkout.deliverTo"),
            node("radio", words("checkout.useAddressOf", name="Mei Chen"), state="[checked]"),
            node("button", words("address.editOf", name="Mei Chen")),
        ),
        node("button", words("checkout.anotherAddress")),
        node("combobox", words("wishes.soldOut")),
        node("textbox", words("wishes.instructions")),
        node("link", words("checkout.backToCart")),
        node("button", words("checkout.toPayment")),
        summary_of(walk),
    )
    expect(main).to_match_aria_snapshot(delivery)
    totals = main.locator("dl.totals")
    expect(totals).to_have_attribute("aria-live", "polite")
    expect(totals).to_contain_text(words("checkout.freight"))

    # The address form: its heading has the focus, then what is wrong, then what has opened it.
    walk.button("checkout.anotherAddress").click()
    expect(walk.heading("address.new")).to_be_focused()
    fields = [
        node("combobox", words("address.country")),
        node("textbox", words("address.addressee")),
        node("textbox", words("address.phone")),
        node("textbox", words("address.addressDetails")),
        node("combobox", words("address.suburb")),
        node("combobox", words("address.state")),
        node("textbox", words("address.postcode")),
        node("button", words("address.saveAndUse")),
        node("button", words("address.cancel")),
    ]
    expect(main).to_match_aria_snapshot(
        tree(node("heading", words("address.new"), state="[level=2]"), *fields)
    )
    walk.button("address.saveAndUse").click()
    wrong = [f"address.error.{name}" for name in ("addressee", "phone", "addressDetails")]
    alert = expect_summary_of_errors(walk, *wrong)
    expect(walk.field("address.addressee")).to_have_accessible_description(words(wrong[0]))
    alert.get_by_role("link").first.click()
    expect(walk.field("address.addressee")).to_be_focused()
    walk.button("address.cancel").click()
    expect(walk.button("checkout.anotherAddress")).to_be_focused()
    walk.button("address.editOf", name="Mei Chen").click()
    walk.button("address.cancel").click()
    expect(walk.button("address.editOf", name="Mei Chen")).to_be_focused()

    walk.to_payment()
    pay = [node("radio", words.pay_type(code)) for code in ("2", "4")]
    expect(main).to_match_aria_snapshot(
        tree(
            node("heading", words("checkout.payTitle"), state="[level=1]"),
            node("link", words("checkout.change")),
            node(
                "group",
                words("pay.method"),
                node("radio", words.pay_type("5"), state="[checked]"),
                *pay,
                node("radio", words.pay_type("0")),
            ),
            node("link", words("checkout.backToDelivery")),
            summary_of(walk),
        )
    )
    walk.pay_type("0").check()
    main.locator(".actions").get_by_role("button").click()
    expect(walk.field("pay.password")).to_be_focused()
    expect(walk.field("pay.password")).to_have_accessible_description(words("pay.error.sixDigits"))


def test_the_login_names_its_fields_and_links_to_what_is_wrong(new_page: NewPage, language: str) -> None:
    walk = Walk(new_page("phone"), language).open("/home/login")
    page, words = walk.page, walk.words
    expect(page.get_by_role("main")).to_match_aria_snapshot(
        tree(
            node("heading", words("login.title.login"), state="[level=1]"),
            node(
                "navigation",
                words("login.switch"),
                node("link", words("login.logIn")),
                node("link", words("login.register")),
            ),
            node("textbox", words("login.account")),
            node("textbox", words("login.password")),
            node("button", words("form.showPassword")),
            node("button", words("login.logIn")),
            node("paragraph", "", node("link", words("login.byCode"))),
            node("paragraph", "", node("link", words("login.forgot"))),
        )
    )
    expect(walk.link("login.logIn")).to_have_attribute("aria-current", "page")
    walk.button("login.logIn").click()
    expect_summary_of_errors(walk, "login.error.account", "login.error.password")
    expect(walk.field("login.account")).to_have_accessible_description(words("login.error.account"))
