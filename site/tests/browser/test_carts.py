"""Carts that are cleared, checked out whole, changed on two devices, or left by a promotion that ends."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime

import pytest
from playwright.sync_api import Locator, Page, Request, Response, Route, expect

from tests.browser.conftest import Axe, NewPage, wire_of
from tests.browser.walk import Walk, money
from tests.browser.wire import DEMO, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.translated, pytest.mark.parametrize("language", LANGUAGES)]
wire = wire_of(DEMO)

# The narrowest page in the language with the longer words.
VIEWPORTS = {"en": "narrowest", "zh-hans": "desktop"}
START_UP = [
    *("/user/userInfo", "/shoppingCart", "/shoppingCart"),
    *("/setting/deliveryAddressNew", "/favourites/goodsIds"),
]


def calls_of(page: Page) -> list[str]:
    """Collect the calls that a page makes from now on, without their query."""
    calls: list[str] = []

    def note(request: Request) -> None:
        _, api, path = request.url.partition("/api/v1/pc")
        # A countdown on the home page asks for the time.
        if api and path != "/actionType/list":
            calls.append(path.partition("?")[0])

    page.on("request", note)
    return calls


def is_change(method: str) -> Callable[[Response], bool]:
    """Return True for an answer to a change of the ordinary cart."""
    return lambda answer: (
        answer.request.method == method and answer.url.endswith("/shoppingCart?type=DirectMailCart")
    )


def is_removal(answer: Response) -> bool:
    """Return True for an answer to a removal from the ordinary cart."""
    return answer.request.method == "DELETE" and "/shoppingCart/" in answer.url


def expect_fit(page: Page, axe: Axe) -> None:
    """Assert that nothing scrolls sideways, and that axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)


def test_a_promotion_that_ends_in_the_cart_is_notified_with_its_products(
    new_page: NewPage, axe: Axe, wire: Wire, language: str
) -> None:
    walk = Walk(new_page(VIEWPORTS[language]), language)
    page, words = walk.page, walk.words
    promotion = wire.call("GET", "/actionType/list")[0]
    promotion_id = promotion["goodsActionTypeId"]
    product = wire.call("GET", f"/action/list/{promotion_id}")["list"][1]
    title = promotion["goodsActionTypeName" + ("" if language == "zh-hans" else "En")]
    walk.open(f"/promotions/{promotion_id}").add(words.name_of(product))

    end = datetime.fromisoformat(promotion["endTimeIso"])

    def record_time(route: Route) -> None:
        # The server's clock decides, not the visitor's.
        date = format_datetime(end.astimezone(UTC) - timedelta(seconds=4), usegmt=True)
        route.fulfill(status=200, headers={"Date": date, "Content-Type": "application/json"}, body="{}")

    page.route("**/actionType/list", record_time)
    walk.open("/home/cart")
    expect(page.get_by_role("region", name=title)).to_be_visible()
    notices = page.get_by_role("region", name=words("cart.notices"))
    expect(notices).to_contain_text(words("promotion.over", name=title))
    expect(notices).to_contain_text(words("promotion.taken", names=words.name_of(product)))
    expect(page.get_by_role("region", name=title)).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text=words("promotion.over", name=title))).to_have_count(1)
    expect_fit(page, axe)

    walk.button("promotion.buyAnyway").click()
    ordinary = page.get_by_role("region", name=words("cart.everyday"))
    price = Decimal(wire.call("GET", f"/goods/{product['goodsId']}")["memberPrice"])
    expect(ordinary.locator(".group__foot b")).to_have_text(money(price))
    page.reload()
    expect(walk.stepper(words.name_of(product))).to_be_visible()
    expect(notices).to_have_count(0)


def test_a_cart_with_nothing_checked_is_checked_out_whole_or_cleared(
    new_page: NewPage, axe: Axe, wire: Wire, language: str
) -> None:
    for product in wire.plentiful(2):
        wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    walk = Walk(new_page(VIEWPORTS[language], wire), language).open("/home/cart")
    page, words = walk.page, walk.words
    all_of_it = walk.button("cart.checkOutAll")
    expect(all_of_it).to_be_visible()
    expect(page.locator("[data-cart-count]").first).to_have_text("2")
    expect(page.locator("[data-cart-total]").first).to_be_hidden()
    expect_fit(page, axe)
    all_of_it.click()
    walk.expect_at("/home/createOrder/delivery")
    expect(walk.row(words("checkout.total"))).to_be_visible()

    walk.open("/home/cart")
    expect(walk.button("cart.checkOut", count=2)).to_be_visible()
    walk.button("cart.clear").click()
    question = page.get_by_role("dialog", name=words("cart.clearTitle"))
    expect(question).to_contain_text(words("cart.clearText", count=2))
    expect_fit(page, axe)
    question.get_by_role("button", name=words("cart.clear"), exact=True).click()
    expect(walk.heading("cart.title")).to_be_focused()
    expect(walk.heading("cart.empty")).to_be_visible()
    expect(page.get_by_text(words("cart.cleared"))).to_be_visible()
    assert wire.cart() == {}
    assert (
        page.evaluate("['cart', 'bulkCart', 'promotionCart'].some(name => `shop.${name}` in localStorage)")
        is False
    )


def state_of(page: Page) -> list[tuple[str, bool]]:
    """Return the lines of the cart page, each with whether it is ticked."""
    lines = page.locator(".line").all()
    return [(line.locator(".line__name").inner_text(), line.locator("input").is_checked()) for line in lines]


def fields_of(page: Page) -> Locator:
    """Find the fields of the delivery step, hidden ones too."""
    return page.locator(".co-step").locator("input, select, textarea")


def filled_in(page: Page) -> list[str]:
    """Return what the delivery step holds and sums up."""
    values = [
        field.input_value() for field in fields_of(page).all() if field.get_attribute("type") != "radio"
    ]
    chosen = [radio.get_attribute("name") or "" for radio in page.locator("input[type=radio]:checked").all()]
    return [*values, *chosen, page.locator(".co-aside dl.totals").inner_text()]


def test_a_guests_cart_stays_as_it_was_through_undo_login_and_reloads(
    new_page: NewPage, axe: Axe, wire: Wire, language: str
) -> None:
    products = wire.plentiful(3)
    walk = Walk(new_page("phone"), language)
    page, words = walk.page, walk.words
    for product in products:
        walk.open(f"/shop/shopdetails/{product['goodsId']}")
        field = page.locator("[data-buy] input[name=goodsAmount]")
        most = wire.stock(product)
        field.fill("5000" if product is products[0] else "2")
        field.press("Enter")
        if product is products[0]:
            expect(field).to_have_value(str(most))
            expect(page.locator(".buy__note")).to_have_text(words("cart.stockMost", count=most))
            expect(page.locator(".toast--ok")).to_have_count(0)
            expect(page.locator(".toast--warn")).to_contain_text(words("cart.stockMost", count=most))
        else:
            expect(page.locator(".toast--ok")).to_be_visible()

    walk.open("/home/cart")
    first, second, third = (words.name_of(product) for product in reversed(products))
    walk.check(second).uncheck()
    before = [(first, True), (second, False), (third, True)]
    assert state_of(page) == before
    # Total and button stay in sight, but where a bar would take too much of the window.
    bar = page.locator(".cart-bar .btn")
    expect(bar).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 390, "height": 480})
    expect(bar).not_to_be_in_viewport()
    page.set_viewport_size({"width": 390, "height": 844})

    page.locator(".line", has_text=second).get_by_role(
        "button", name=words("cart.remove", name=second)
    ).click()
    expect(page.locator(".line")).to_have_count(2)
    undo = walk.button("cart.undo")
    expect(undo).to_be_visible()
    expect_fit(page, axe)
    undo.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".line")).to_have_count(3)
    assert state_of(page) == before

    walk.open(f"/home/login?redirect={walk.prefix}/home/cart").log_in(DEMO)
    expect(page.locator(".line")).to_have_count(3)
    assert state_of(page) == before
    with page.expect_response(is_removal):
        page.locator(".line", has_text=second).locator(".iconbtn").click()
    with page.expect_response(is_change("POST")):
        page.keyboard.press("Control+z")
    page.reload()
    expect(page.locator(".line")).to_have_count(3)
    assert state_of(page) == before
    assert list(wire.cart()) == [product["goodsId"] for product in reversed(products)]


def test_the_delivery_step_is_the_same_after_a_reload(new_page: NewPage, wire: Wire, language: str) -> None:
    for product in wire.plentiful(2):
        wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    walk = Walk(new_page(VIEWPORTS[language], wire), language).open("/home/cart")
    page = walk.page
    page.on("dialog", lambda dialog: dialog.accept())
    walk.button("cart.checkOutAll").click()
    walk.button("checkout.anotherAddress").click()
    page.locator("input[autocomplete=name]").fill("Half Typed")
    page.locator("#remark").fill("Ring twice")
    expect(page.locator(".parcels")).to_be_attached()
    before, number = filled_in(page), fields_of(page).count()
    page.reload()
    expect(page.locator("input[autocomplete=name]")).to_have_value("Half Typed")
    expect(page.locator("#remark")).to_have_value("Ring twice")
    expect(page.locator(".parcels")).to_be_attached()
    expect(fields_of(page)).to_have_count(number)
    assert filled_in(page) == before

    walk.radio("checkout.pickup").check()
    page.locator("#first-shop").check()
    walk.choose_time("checkout.pickupTime")
    before, number = filled_in(page), fields_of(page).count()
    page.reload()
    expect(page.locator("#pickup-time")).to_be_visible()
    # The form of a new address is loaded later.
    expect(fields_of(page)).to_have_count(number)
    assert filled_in(page) == before


def test_two_devices_of_a_customer_agree_after_a_reload(new_page: NewPage, wire: Wire, language: str) -> None:
    [product] = wire.plentiful(1)
    guest = new_page("phone")
    calls = calls_of(guest)
    Walk(guest, language).open("/home")
    guest.wait_for_load_state("networkidle")
    assert calls == []

    one, other = (Walk(new_page(size, wire), language) for size in ("desktop", "phone"))
    calls = calls_of(other.page)
    other.open("/home").page.wait_for_load_state("networkidle")
    assert calls == START_UP
    other.open("/shop").page.wait_for_load_state("networkidle")
    assert calls == START_UP

    name = one.words.name_of(product)
    one.open("/shop")
    with one.page.expect_response(is_change("POST")):
        one.add(name)
    other.page.reload()
    expect(other.card_stepper(name).get_by_role("status")).to_have_text("1")
    with other.page.expect_response(is_change("PUT")):
        other.card_step(name).click()
    one.open("/home/cart")
    expect(one.stepper(name).get_by_role("status")).to_have_text("2")
