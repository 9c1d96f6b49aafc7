from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from commerce.accounts.tests.builders import PASSWORD
from commerce.orders.services import cancel_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    make_order,
    make_stocked,
    nothing_changes,
    refuses,
    top_up,
    wallet_of,
)
from commerce.payments.audit import RETURNED_WITHIN, differences
from commerce.payments.models import PayType
from commerce.payments.services.payable import MAX_PAYMENTS
from commerce.payments.services.record import mark_of_receipts, record_payment
from commerce.payments.services.refunds import return_held_money
from commerce.payments.services.wallet import hold_from_wallet
from commerce.payments.tests.builders import decide, let_looks_ask, pay, switch_on_pay_types
from core.errors import Err
from core.money import CENT
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture
def buyer() -> Buyer:
    buyer = Buyer()
    top_up(buyer.customer, 500)
    return buyer


def test_the_wallet_pays_a_part_and_a_gateway_the_rest(buyer: Buyer) -> None:
    order = make_order(buyer)
    assert pay(buyer, order, "5", password=PASSWORD, walletAmount="2.50")["code"] == 0
    # The same button again takes nothing more.
    assert pay(buyer, order, "5", password=PASSWORD, walletAmount=2.5)["code"] == 0
    rest = order.payments.get(pay_type="5")
    assert rest.amount == order.pay_amount - Decimal("2.50")
    assert wallet_of(buyer.customer) == Decimal("497.50")
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert (detail["statusLabel"], detail["leftToPay"]) == ("Unpaid", float(rest.amount))
    assert detail["walletHeld"] == 2.5
    decide(rest)
    let_looks_ask()
    result = buyer.send("GET", f"/pay/result/{order.order_no}")["result"]
    assert (result["paid"], result["leftToPay"], result["walletHeld"]) == (True, None, 0)
    assert wallet_of(buyer.customer) == Decimal("497.50")
    audit()


def test_a_transfer_that_was_short_is_no_part_of_what_the_wallet_pays(buyer: Buyer) -> None:
    switch_on_pay_types()
    PayType.objects.filter(code="0").update(to_amount=Decimal("2.50"))
    PayType.objects.filter(code="5").update(from_amount=Decimal("6.00"))
    order = make_order(buyer)
    receipt: dict[str, Any] = {"amount": Decimal(10), "pay_type": "transfer", "note": "bank"}
    staff = User.objects.create(username="boss")
    record_payment(order=order, staff=staff, seen=mark_of_receipts(order), **receipt)
    rest = order.pay_amount - 10 - Decimal("2.50")
    for _ in range(2):
        assert pay(buyer, order, "5", password=PASSWORD, walletAmount=2.5)["code"] == 0
    held = order.payments.filter(is_held=True).order_by("pk").values_list("pay_type", "amount")
    assert [*held] == [("transfer", 10), ("0", Decimal("2.50"))]
    assert order.payments.get(pay_type="5").amount == rest
    result = buyer.send("GET", f"/pay/result/{order.order_no}")["result"]
    assert (result["leftToPay"], result["walletHeld"]) == (float(rest), 2.5)
    # It counts in what is left for the smallest amount of a pay type too.
    PayType.objects.filter(code="5").update(from_amount=rest + 1)
    assert pay(buyer, order, "5", password=PASSWORD, walletAmount=2.5)["reason"] == "pay_type_not_for_order"


def test_who_changes_their_mind_pays_the_rest_from_the_wallet_too(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, "transfer", password=PASSWORD, walletAmount=2)
    assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
    assert wallet_of(buyer.customer) == 500 - order.pay_amount
    audit()


def test_the_audit_waits_for_the_job_that_gives_the_part_of_a_canceled_order_back(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, "5", password=PASSWORD, walletAmount=2)
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    audit()
    order.history.update(created_at=timezone.now() - 2 * RETURNED_WITHIN)
    assert [each.rule for each in differences()] == ["held-money"]
    return_held_money()
    assert wallet_of(buyer.customer) == 500
    assert not list(differences())


def test_a_part_that_cannot_be_taken_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_order(buyer)
    for sent, reason in (
        ({"walletAmount": 2}, "password_format"),
        ({"walletAmount": 2, "password": "000000"}, "password_wrong"),
        ({"walletAmount": 100_000, "password": PASSWORD}, "parameter_error"),
        ({"walletAmount": 0, "password": PASSWORD}, "parameter_error"),
        ({"walletAmount": "1.005", "password": PASSWORD}, "parameter_error"),
        ({"walletAmount": True, "password": PASSWORD}, "parameter_error"),
    ):
        with subtests.test(sent=sent, reason=reason), rolled_back(), nothing_changes():
            assert pay(buyer, order, "5", **sent)["reason"] == reason


def test_a_wallet_that_may_not_pay_an_order_pays_no_part_of_it(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    order = make_order(buyer)
    for restriction, reason in (
        ({"enabled": False}, "pay_type_off"),
        ({"for_domestic": False}, "pay_type_not_for_order"),
    ):
        with subtests.test(restriction=restriction, reason=reason), rolled_back():
            assert PayType.objects.filter(code="0").update(**restriction)
            with nothing_changes():
                answer = pay(buyer, order, "5", password=PASSWORD, walletAmount=2)
            assert (answer["reason"], answer["fields"]) == (reason, {"walletAmount": reason})


def test_parts_count_as_payments_of_which_an_order_has_a_few_and_the_last_is_for_the_rest(
    buyer: Buyer,
) -> None:
    order = make_order(buyer, (make_stocked(price=Decimal("30.00")), 2))
    for cents in range(1, MAX_PAYMENTS):
        hold_from_wallet(order=order, amount=cents * CENT, pay_type="5")
    with refuses(Err.too_frequent):
        hold_from_wallet(order=order, amount=MAX_PAYMENTS * CENT, pay_type="5")
    assert pay(buyer, order)["code"] == 0
    assert order.payments.count() == MAX_PAYMENTS


def test_a_wallet_without_the_part_pays_nothing(buyer: Buyer) -> None:
    poor = Buyer()
    top_up(poor.customer, 1)
    order = make_order(poor)
    with nothing_changes():
        assert pay(poor, order, "5", password=PASSWORD, walletAmount=2)["reason"] == "balance_insufficient"
