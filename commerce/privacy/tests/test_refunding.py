"""Money of deleted accounts never goes to their wallets (docs/guarantees/money.md#refunds)."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from commerce.accounts.tests.builders import PASSWORD
from commerce.orders.models import Order
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    make_order,
    make_stocked,
    nothing_changes,
    top_up,
    wallet_of,
)
from commerce.payments.models import Refund
from commerce.payments.services import note_paid_back, refresh_payment, send_refunds
from commerce.payments.tests.builders import decide, pay
from commerce.privacy.services import delete_account, erase_due
from commerce.privacy.tests.builders import receive
from commerce.refunds.models import OrderRefund
from commerce.refunds.services import preview_refund
from commerce.refunds.tests.builders import everything, make_staff, refund, wish
from commerce.refunds.worth import FreightPart
from core.money import ZERO
from core.tests.pages import html_of
from core.tests.rows import rolled_back
from core.tests.screens import set_language

pytestmark = pytest.mark.django_db


@pytest.fixture
def order() -> Order:
    """A received order that the wallet has paid 20 dollars of and a card the rest; its account is deleted."""
    buyer = Buyer()
    order = make_order(buyer, (make_stocked(price=Decimal("30.00"), name_en="Rice"), 2))
    top_up(buyer.customer, 20)
    assert pay(buyer, order, "5", password=PASSWORD, walletAmount=20)["code"] == 0
    card = order.payments.get(pay_type="5")
    decide(card)
    refresh_payment(payment=card)
    receive(buyer, order)
    delete_account(customer=buyer.customer, language="en")
    return Order.objects.get()


def test_a_refund_of_a_deleted_account_is_paid_by_hand_and_never_goes_to_its_wallet(
    order: Order, subtests: pytest.Subtests
) -> None:
    for to in Refund.To:
        with subtests.test(to=to), rolled_back():
            preview = preview_refund(order=order, lines=everything(order), freight=FreightPart.all, to=to)
            ways = [(payment.pay_type, way.value) for payment, _amount, way in preview.money]
            assert ways == [("0", "by_hand"), ("5", "provider")]

            made = refund(order, to=to)

            assert made.destination == "source"
            legs = [leg.refund for leg in made.legs.all()]
            sent = order.pay_amount - 20
            assert [(leg.payment.pay_type, leg.to, leg.state, leg.amount) for leg in legs] == [
                ("0", "source", "due", Decimal(20)),
                ("5", "source", "due", sent),
            ]
            # A card payment is refunded automatically.
            assert send_refunds() == 1
            note_paid_back(refund=legs[0], staff=make_staff(), note="By transfer")
            assert [*Refund.objects.values_list("state", flat=True)] == ["done", "done"]
            assert wallet_of(order.customer) == ZERO
            erase_due()
            audit()


def form_of(order: Order) -> dict[str, object]:
    """Return the form that refunds one unit of an order's only line."""
    line = order.lines.get().pk
    return {f"units_{line}": 1, f"restocked_{line}": 0, "freight": "none", "to": "source", "note": "Torn"}


def test_the_form_shows_that_nothing_goes_to_the_wallet_of_a_deleted_account(
    order: Order, staff: Client
) -> None:
    url = reverse("order_refund", args=[order.pk])
    for language, expected in (("zh-hans", "不会退到它的钱包"), ("en", "nothing goes to its wallet")):
        set_language(staff, language)
        page = html_of(staff.get(url))
        assert expected in page
        assert 'value="wallet"' not in page
    values = form_of(order)
    shown = html_of(staff.post(url, values))
    assert re.search(r"by hand, for payment\s+\S+", shown)
    assert "to the wallet" not in shown
    with nothing_changes():
        assert "Select a valid choice" in html_of(staff.post(url, values | {"to": "wallet"}))


def test_what_was_shown_before_the_account_was_deleted_is_shown_again(staff: Client) -> None:
    buyer = Buyer()
    order = make_order(buyer)
    top_up(buyer.customer, order.pay_amount)
    assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0
    receive(buyer, order)
    url, values = reverse("order_refund", args=[order.pk]), form_of(order)
    shown = html_of(staff.post(url, values))
    assert "to the wallet" in shown
    seen = {name: re.search(rf'name="{name}" value="([^"]*)"', shown) for name in ("seen", "previewed")}
    confirmed = values | {name: found[1] for name, found in seen.items() if found} | {"confirm": 1}
    delete_account(customer=buyer.customer, language="en")
    with nothing_changes():
        assert "The order’s status has changed" in html_of(staff.post(url, confirmed))
    assert not OrderRefund.objects.exists()
    refund(Order.objects.get(), wish(order.lines.get(), 1))
    assert wallet_of(order.customer) == ZERO
