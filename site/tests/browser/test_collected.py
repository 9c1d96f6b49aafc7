"""Orders whose money staff collect: the instructions, from the choice to the order's page."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.walk import Walk, money
from tests.browser.wire import Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

SERVICE, TRANSFER, CASH = "1", "transfer", "cashOnDelivery"


def choose(walk: Walk, code: str) -> Locator:
    """Choose a pay type on the page of an order; returns the instructions on the next page."""
    # A click anywhere on the choice, such as on its name or the picture, selects it.
    walk.page.locator(".option", has=walk.pay_type(code)).click()
    expect(walk.pay_type(code)).to_be_checked()
    walk.button("checkout.payThisWay").click()
    if code == TRANSFER:
        # The picture that proves it is sent from the order's own page.
        walk.expect_at(f"/home/account/orderdetails/{walk.order_no()}")
    else:
        walk.expect_at(f"/home/payResult/{walk.order_no()}")
        expect(walk.heading("result.placed")).to_be_visible()
    instructions = walk.page.get_by_role("region", name=walk.words.pay_type(code))
    expect(instructions).to_be_visible()
    return instructions


def test_customers_are_notified_how_to_pay_what_staff_collect(
    new_page: NewPage, axe: Axe, wire: Wire, language: str, viewport: str
) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    walk = Walk(new_page(viewport, wire, permissions=permissions), language)
    page, words = walk.page, walk.words
    order_no = wire.place_order(wire.plentiful(1)[0])
    amount = money(wire.order(order_no)["payAmount"])
    order_page = f"/home/account/orderdetails/{order_no}"

    # Customer service: whom to ask, with the number of the order, and until when.
    instructions = choose(walk.open(order_page), SERVICE)
    for text in ("+61 8 5550 0000", "help@eastbowl.example", "eastbowl-demo", order_no, amount):
        expect(instructions).to_contain_text(text)
    expect(instructions).to_contain_text(words("instructions.heldUntil"))
    expect(instructions).not_to_contain_text("000-000")
    instructions.get_by_role(
        "button", name=words("instructions.copyOf", name=words("instructions.orderNo"))
    ).click()
    expect(page.get_by_text(words("instructions.copied", name=words("instructions.orderNo")))).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == order_no
    axe(page)

    # The order's page shows the same; another way may be chosen there: a transfer.
    walk.link("result.seeOrder").click()
    walk.expect_at(order_page)
    expect(page.get_by_role("region", name=words.pay_type(SERVICE))).to_contain_text("eastbowl-demo")
    instructions = choose(walk, TRANSFER)
    for text in ("Demonstration Bank", "000-000", "0000 0000", order_no, amount):
        expect(instructions).to_contain_text(text)
    prove = instructions.get_by_role("link", name=words("instructions.prove"))
    expect(prove).to_have_attribute("href", re.compile(rf"{order_page}#transfer$"))
    axe(page)

    # No carrier of a parcel takes cash.
    walk.open(order_page)
    expect(walk.pay_type(TRANSFER)).to_be_visible()
    expect(walk.pay_type(CASH)).to_have_count(0)
    expect(walk.heading("orders.payOtherwise")).to_be_visible()
    wire.call("PUT", f"/order/cancel/{order_no}")
