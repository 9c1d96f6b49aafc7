from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from commerce.accounts.tests.builders import PASSWORD
from commerce.ledger.models import LedgerAccount
from commerce.ledger.services import balance_of
from commerce.orders.services import cancel_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, nothing_changes, top_up
from commerce.payments.audit import RETURNED_WITHIN, differences
from commerce.payments.models import PayType
from commerce.payments.services.refunds import return_held_money
from commerce.payments.tests.builders import decide, let_looks_ask, pay

pytestmark = pytest.mark.django_db


@pytest.fixture
def buyer() -> Buyer:
    buyer = Buyer()
    top_up(buyer.customer, 500)
    return buyer


def wallet_of(buyer: Buyer) -> Decimal:
    return balance_of(customer=buyer.customer, kind=LedgerAccount.Kind.wallet)


def test_the_wallet_pays_a_part_and_a_gateway_the_rest(buyer: Buyer) -> None:
    order = make_order(buyer)
    assert pay(buyer, order, "5", password=PASSWORD, walletAmount="2.50")["code"] == 0
    # The same button again takes nothing more.
    assert pay(buyer, order, "5", password=PASSWORD, walletAmount=2.5)["code"] == 0
    rest = order.payments.get(pay_type="5")
    assert rest.amount == order.pay_amount - Decimal("2.50")
    assert wallet_of(buyer) == Decimal("497.50")
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert (detail["statusLabel"], detail["leftToPay"]) == ("Unpaid", float(rest.amount))
    decide(rest)
    let_looks_ask()
    result = buyer.send("GET", f"/pay/result/{order.order_no}")["result"]
    assert (result["paid"], result["leftToPay"]) == (True, None)
    assert wallet_of(buyer) == Decimal("497.50")
    audit()


def test_who_changes_their_mind_pays_the_rest_from_the_wallet_too(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, "transfer", password=PASSWORD, walletAmount=2)
    assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
    assert wallet_of(buyer) == 500 - order.pay_amount
    audit()


def test_the_audit_waits_for_the_sweep_that_gives_the_part_of_a_canceled_order_back(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, "5", password=PASSWORD, walletAmount=2)
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    audit()
    order.history.update(created_at=timezone.now() - 2 * RETURNED_WITHIN)
    assert [each.rule for each in differences()] == ["held-money"]
    return_held_money()
    assert wallet_of(buyer) == 500
    assert not list(differences())


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"walletAmount": 2}, "password_format"),
        ({"walletAmount": 2, "password": "000000"}, "password_wrong"),
        ({"walletAmount": 100_000, "password": PASSWORD}, "parameter_error"),
        ({"walletAmount": 0, "password": PASSWORD}, "parameter_error"),
        ({"walletAmount": "1.005", "password": PASSWORD}, "parameter_error"),
        ({"walletAmount": True, "password": PASSWORD}, "parameter_error"),
    ],
)
def test_a_part_that_cannot_be_taken_is_refused(buyer: Buyer, sent: dict[str, Any], reason: str) -> None:
    order = make_order(buyer)
    with nothing_changes():
        assert pay(buyer, order, "5", **sent)["reason"] == reason


@pytest.mark.parametrize(
    ("restriction", "reason"),
    [({"enabled": False}, "pay_type_off"), ({"for_domestic": False}, "pay_type_not_for_order")],
)
def test_a_wallet_that_may_not_pay_an_order_pays_no_part_of_it(
    buyer: Buyer, restriction: dict[str, Any], reason: str
) -> None:
    order = make_order(buyer)
    assert PayType.objects.filter(code="0").update(**restriction)
    with nothing_changes():
        answer = pay(buyer, order, "5", password=PASSWORD, walletAmount=2)
    assert (answer["reason"], answer["fields"]) == (reason, {"walletAmount": reason})


def test_a_wallet_without_the_part_pays_nothing(buyer: Buyer) -> None:
    poor = Buyer()
    top_up(poor.customer, 1)
    order = make_order(poor)
    with nothing_changes():
        assert pay(poor, order, "5", password=PASSWORD, walletAmount=2)["reason"] == "balance_insufficient"
