"""A customer tops up the wallet and pays a part of an order from it, in both languages."""

import re
from decimal import Decimal
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.shops import Shop
from tests.browser.walk import Walk, money
from tests.browser.wire import PASSWORD, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.translated, pytest.mark.parametrize("language", LANGUAGES)]

HAS = Decimal("12.30")
MAKE_CUSTOMER = """
from decimal import Decimal
from django.db import transaction
from commerce.accounts.tests.builders import make_address, make_customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post
with transaction.atomic():
    customer = make_customer(account="{account}")
    make_address(customer, contacts="Jia Wen")
    post(customer=customer, kind=LedgerAccount.Kind.wallet, amount=Decimal("{has}"),
         reason=LedgerEntry.Reason.opening, reference="opening")
"""


@pytest.fixture
def wire(shop: Shop) -> Wire:
    """The API as a customer with an address and a little in the wallet."""
    account = f"wallet-{uuid4().hex}@example.com"
    code = MAKE_CUSTOMER.format(account=account, has=HAS)
    shop.run(code)
    return Wire(shop.url).log_in(account)


def rows(walk: Walk) -> Locator:
    """Find the entries of the statement."""
    return walk.page.get_by_role("table").locator("tbody tr")


def to_wallet(walk: Walk) -> None:
    """Go from the result of a top-up to the wallet."""
    walk.link("result.topUp.toWallet").click()
    walk.expect_at("/home/account/wallet")


def test_a_top_up_is_declined_left_and_gone_on_with_until_it_is_paid(
    new_page: NewPage, wire: Wire, axe: Axe, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    walk.open("/home/account/accountdetails")
    walk.link("account.page.wallet").first.click()
    walk.expect_at("/home/account/wallet")
    expect(page.get_by_text(money(HAS)).last).to_be_visible()
    walk.field("wallet.amount").fill("0.5")
    walk.button("wallet.payAny").click()
    error = words("wallet.error.range", least=money(Decimal(1)), most=money(Decimal(5000)))
    expect(walk.field("wallet.amount")).to_have_accessible_description(re.compile(re.escape(error) + "$"))
    axe(page)

    # Declined: nothing is left open.
    page.get_by_role("button", name=money(Decimal(50)), exact=True).click()
    expect(walk.field("wallet.amount")).to_have_value("50")
    walk.button("wallet.pay", amount=money(Decimal(50))).click()
    walk.decide("Decline")
    walk.expect_declined()
    to_wallet(walk)
    expect(rows(walk)).to_have_count(1)
    expect(walk.heading("wallet.open")).to_have_count(0)
    assert wire.balance() == HAS

    # Left, and gone on with.
    walk.field("wallet.amount").fill("20")
    walk.pay_type("Paypal").check()
    walk.button("wallet.pay", amount=money(Decimal(20))).click()
    walk.decide("Leave without paying")
    expect(walk.heading("result.topUp.unpaid")).to_be_visible()
    number = walk.order_no()
    to_wallet(walk)
    expect(walk.heading("wallet.open")).to_be_visible()
    walk.button("wallet.continueOf", number=number).click()
    walk.decide("Pay")
    expect(walk.heading("result.topUp.paid")).to_be_visible()
    assert walk.order_no() == number
    to_wallet(walk)

    after = HAS + 20
    expect(rows(walk)).to_have_count(2)
    expect(rows(walk).first).to_contain_text(words("wallet.reason.recharge"))
    expect(rows(walk).first).to_contain_text(f"+{money(Decimal(20))}")
    expect(rows(walk).first).to_contain_text(money(after))
    expect(rows(walk).last).to_contain_text(words("wallet.reason.opening"))
    expect(walk.heading("wallet.open")).to_have_count(0)
    assert wire.balance() == after
    axe(page)
    walk.link("wallet.topUpLink", number=number).click()
    expect(walk.heading("result.topUp.paid")).to_be_visible()


def test_a_part_of_an_order_comes_from_the_wallet_and_the_rest_by_card(
    new_page: NewPage, wire: Wire, axe: Axe, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    [product] = wire.plentiful(1)
    walk.check_out_all(wire, product, amount=5)
    walk.choose_address("Jia Wen")
    walk.to_payment()

    # The wallet alone has too little: it offers a part of it, and the rest by card.
    walk.pay_type("0").check()
    expect(walk.link("wallet.short.topUp")).to_be_visible()
    page.locator(".option__body").get_by_role("button").click()
    expect(walk.pay_type("5")).to_be_focused()
    box = page.get_by_role("checkbox", name=words("wallet.part.use", amount=money(HAS)))
    expect(box).to_be_checked()
    button = page.get_by_role("button", name=re.compile(words("checkout.placeAndPay", amount="").strip()))
    label = button.inner_text()
    rest = Decimal(label.split("A$")[1])
    expect(
        page.get_by_text(words("wallet.part.rest", amount=money(rest), name=words.pay_type("5")))
    ).to_be_visible()
    axe(page)
    walk.field("pay.password").fill(PASSWORD)
    walk.place_order(rest)
    walk.at_sandbox()
    expect(page.get_by_text(f"{rest:.2f}")).to_be_visible()

    # The wallet's part waits while the rest is declined.
    walk.decide("Decline")
    order_no = walk.expect_declined()
    left = walk.row(words("wallet.part.left"))
    expect(left).to_contain_text(money(rest))
    assert wire.order(order_no)["leftToPay"] == rest
    assert wire.balance() == 0
    walk.link("result.payAgain").click()
    expect(left).to_contain_text(money(rest))
    expect(walk.row(words("wallet.part.paid"))).to_contain_text(money(HAS))
    expect(box).to_have_count(0)
    walk.button("checkout.pay", amount=money(rest)).click()
    walk.decide("Pay")
    assert walk.expect_paid() == order_no
    order = wire.order(order_no)
    assert (order["statusLabel"], order["leftToPay"]) == ("Paid", None)
    assert order["payAmount"] == HAS + rest

    # The statement shows what was taken, and links to the order.
    walk.open("/home/account/wallet")
    expect(rows(walk)).to_have_count(2)
    expect(rows(walk).first).to_contain_text(words("wallet.reason.payment"))
    expect(rows(walk).first).to_contain_text(f"−{money(HAS)}")
    walk.link("wallet.orderLink", number=order_no).click()
    walk.expect_at(f"/home/account/orderdetails/{order_no}")
