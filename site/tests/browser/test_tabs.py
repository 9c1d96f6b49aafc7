"""Two tabs, reloads, impatient clicks and the Back button neither lose nor duplicate anything."""

from contextlib import nullcontext

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, wire_of
from tests.browser.walk import Walk
from tests.browser.wire import DEMO, DEMO2, PASSWORD, Goods, Wire
from tests.browser.words import TRANSLATED

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", TRANSLATED)]
wire = wire_of(DEMO)


@pytest.fixture
def page(new_page: NewPage, wire: Wire) -> Page:
    """A customer's tab at a desktop."""
    return new_page("desktop", wire)


def to_delivery(walk: Walk, wire: Wire) -> Goods:
    """Bring one unit of a product to the delivery step; returns the product."""
    [product] = wire.plentiful(1)
    wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    walk.open("/home/cart")
    walk.check(walk.words.name_of(product)).check()
    walk.check_out(1)
    expect(walk.row(walk.words("checkout.total"))).to_be_visible()
    return product


@pytest.mark.parametrize("known", [False, True], ids=["guest", "customer"])
def test_a_change_in_one_tab_shows_in_the_other(
    new_page: NewPage, wire: Wire, language: str, known: bool
) -> None:
    [product] = wire.plentiful(1)
    one = Walk(new_page("desktop", wire if known else None), language)
    name = one.words.name_of(product)
    one.open("/shop")
    other = Walk(one.page.context.new_page(), language).open("/home/cart")
    expect(other.heading("cart.empty")).to_be_visible()

    one.add(name)
    expect(other.stepper(name).get_by_role("status")).to_have_text("1")
    other.step(name).click()
    expect(one.card_stepper(name).get_by_role("status")).to_have_text("2")
    expect(one.page.get_by_role("banner").locator("[data-cart-count]")).to_have_text("2")
    # The page shows the change before the server has answered.
    deleted = other.page.expect_response(lambda answer: answer.request.method == "DELETE")
    with deleted if known else nullcontext():
        other.page.get_by_role("button", name=one.words("cart.remove", name=name)).first.click()
    expect(one.add_button(name)).to_be_visible()
    if known:
        expect(other.heading("cart.empty")).to_be_visible()
        assert wire.cart() == {}


def test_logging_out_in_one_tab_empties_the_other(page: Page, wire: Wire, language: str) -> None:
    [product] = wire.plentiful(1)
    wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 1})
    one = Walk(page, language).open("/home/account/accountdetails")
    other = Walk(page.context.new_page(), language).open("/home/cart")
    expect(other.stepper(one.words.name_of(product))).to_be_visible()
    one.button("account.logOut").click()
    expect(other.heading("cart.empty")).to_be_visible()


@pytest.mark.parametrize("logs_out", [True, False], ids=["after_a_logout", "concurrently"])
def test_another_customer_gets_nothing_of_a_checkout_in_the_other_tab(
    page: Page, wire: Wire, shop_url: str, language: str, logs_out: bool
) -> None:
    newcomer = Wire(shop_url).log_in(DEMO2).empty_cart()
    orders_before = wire.order_numbers(), newcomer.order_numbers()
    one = Walk(page, language)
    to_delivery(one, wire)
    one.radio("checkout.pickup").check()
    page.get_by_role("radiogroup", name=one.words("checkout.pickupAt")).get_by_role("radio").first.check()
    one.choose_time("checkout.pickupTime")
    one.to_payment()
    one.pay_type("5").check()

    other = Walk(page.context.new_page(), language)
    if logs_out:
        other.open("/home/account/accountdetails").button("account.logOut").click()
        expect(one.heading("cart.empty")).to_be_visible()
        other.expect_at("/home")
    other.open("/home/login").log_in(DEMO2)
    other.expect_at("/home")
    if not logs_out:
        expect(one.heading("cart.empty")).to_be_visible()
    page.bring_to_front()
    one.open("/home/createOrder/payType")
    expect(one.heading("cart.empty")).to_be_visible()
    assert (wire.log_in(DEMO).order_numbers(), newcomer.order_numbers()) == orders_before


def test_a_reload_in_the_middle_of_checkout_keeps_the_draft(page: Page, wire: Wire, language: str) -> None:
    walk = Walk(page, language)
    to_delivery(walk, wire)
    words = walk.words
    walk.radio("checkout.pickup").check()
    shop = page.get_by_role("radiogroup", name=words("checkout.pickupAt")).get_by_role("radio").first
    shop.check()
    time = walk.choose_time("checkout.pickupTime")
    page.reload()
    expect(walk.radio("checkout.pickup")).to_be_checked()
    expect(shop).to_be_checked()
    walk.expect_time("checkout.pickupTime", time)

    walk.to_payment()
    total = walk.row(words("checkout.total"))
    before = total.inner_text()
    walk.pay_type("0").check()
    page.reload()
    expect(walk.pay_type("0")).to_be_checked()
    expect(total).to_have_text(before, use_inner_text=True)

    # A reload after the order was placed continues with that order.
    orders_before = wire.order_numbers()
    walk.field("pay.password").fill("123456")
    page.locator(".actions").get_by_role("button").click()
    expect(walk.field("pay.password")).to_have_accessible_description(words.error("password_wrong"))
    page.reload()
    walk.field("pay.password").fill(PASSWORD)
    page.locator(".actions").get_by_role("button").click()
    order_no = walk.expect_paid()
    assert wire.order_numbers() == [order_no, *orders_before]


def test_a_double_click_makes_one_order(page: Page, wire: Wire, language: str) -> None:
    walk = Walk(page, language)
    to_delivery(walk, wire)
    orders_before = wire.order_numbers()
    walk.to_payment()
    walk.pay_type("5").check()
    page.locator(".actions").get_by_role("button").dblclick()
    walk.at_sandbox()
    [order_no, *rest] = wire.order_numbers()
    assert rest == orders_before
    assert len(wire.order(order_no)["payments"]) == 1


def test_back_after_paying_orders_nothing_again(page: Page, wire: Wire, language: str) -> None:
    walk = Walk(page, language)
    product = to_delivery(walk, wire)
    stock, orders_before = wire.stock(product), wire.order_numbers()
    walk.to_payment()
    walk.pay_type("5").check()
    page.locator(".actions").get_by_role("button").click()
    walk.decide("Pay")
    order_no = walk.expect_paid()

    page.go_back()
    expect(page.get_by_text(walk.words.page("This payment has been made."))).to_be_visible()
    page.go_back()
    # Its draft is deleted, so the payment step redirects to the delivery step, and that to the empty cart.
    expect(walk.heading("cart.empty")).to_be_visible()
    assert wire.order_numbers() == [order_no, *orders_before]
    assert wire.stock(product) == stock - 1
