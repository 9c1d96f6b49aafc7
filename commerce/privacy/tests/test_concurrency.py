"""A deletion concurrent with other acts of the same customer, on both databases."""

from collections import Counter
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from commerce.accounts.models import Customer
from commerce.accounts.services import change_profile, lock
from commerce.accounts.tests.builders import PASSWORD
from commerce.cart.models import CartItem
from commerce.claims.models import Claim, ClaimMessage
from commerce.claims.tests.builders import claim_of
from commerce.ledger.models import LedgerAccount
from commerce.ledger.services import balance_of
from commerce.messaging.models import Message
from commerce.orders.models import Order
from commerce.orders.services import mark_paid, place
from commerce.orders.tests.builders import Buyer, audit, make_order, make_stocked, top_up
from commerce.payments.models import PayType, Refund
from commerce.payments.services import refresh_payment
from commerce.payments.tests.builders import decide, make_pay_types, pay
from commerce.privacy.links import unsubscribe_token
from commerce.privacy.models import ConsentChange, DataCopy, DeletedCustomer
from commerce.privacy.services import (
    CopyFormat,
    DataFile,
    change_consent,
    copying,
    delete_account,
    erase_due,
    give_copy,
)
from commerce.privacy.tests.builders import receive, staff
from commerce.refunds.models import OrderRefund
from commerce.refunds.tests.builders import make_staff, refund
from core.errors import Err
from core.tests.threads import before_commit, concurrently

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def pay_types(db: None) -> None:
    """Make the pay types again where a test has emptied the tables."""
    if not PayType.objects.exists():
        make_pay_types()


def order_body(buyer: Buyer) -> dict[str, Any]:
    return buyer.body((make_stocked(), 1))


def delete(buyer: Buyer) -> None:
    delete_account(customer=Customer.objects.get(pk=buyer.customer.pk), language="en")


def order(buyer: Buyer, body: dict[str, Any]) -> str:
    return str(buyer.send("POST", "/order", body).get("reason") or "ok")


def deleted_before_the_order() -> str:
    """Place an order while the deletion has written and not yet committed; returns what became of it."""
    buyer = Buyer()
    body = order_body(buyer)
    # The call has read the token before the deletion.
    return str(before_commit(lambda: delete(buyer), lambda: order(buyer, body))[1])


def test_an_order_that_waits_for_a_deletion_is_refused() -> None:
    # The code of the order may be gone before the account is looked at.
    assert deleted_before_the_order() in {"login_invalid", "parameter_error"}
    assert not Order.objects.exists()
    erase_due()
    audit()


def test_a_deletion_that_waits_for_an_order_is_refused() -> None:
    buyer = Buyer()
    body = order_body(buyer)
    outcomes = before_commit(lambda: order(buyer, body), lambda: delete(buyer))
    assert outcomes == [None, Err.deletion_blocked]
    assert not DeletedCustomer.objects.exists()
    assert Customer.objects.get(pk=buyer.customer.pk).is_active


def test_control_without_the_look_at_the_locked_row_a_deleted_customer_has_an_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(place, "lock_customer", lambda _customer: None)
    outcome = deleted_before_the_order()
    # On SQLite the token is read after the deletion, since a transaction there is the only writer.
    assert (outcome == "ok") is (connection.vendor == "postgresql")


def test_many_at_the_same_time_leave_either_a_deleted_customer_without_open_orders_or_an_open_account() -> (
    None
):
    buyer = Buyer()
    bodies = [order_body(buyer) for _ in range(4)]

    def act(number: int) -> str:
        if number % 2:
            delete(buyer)
            return "deleted"
        return order(buyer, bodies[number // 2])

    outcomes = Counter(each.name if isinstance(each, Err) else each for each in concurrently(act, range(8)))
    orders = Order.objects.count()
    assert outcomes["ok"] == orders
    assert bool(outcomes["deleted"]) is not bool(orders)
    assert outcomes["deleted"] == DeletedCustomer.objects.count() <= 1
    audit()


def test_nothing_is_put_into_the_cart_of_a_customer_who_is_deleted_at_that_moment() -> None:
    buyer, product = Buyer(), make_stocked()
    body = {"goodsId": product.pk, "goodsAmount": 1}
    answer = before_commit(lambda: delete(buyer), lambda: buyer.send("POST", "/shoppingCart", body))[1]
    assert isinstance(answer, dict)
    assert answer["reason"] == "login_invalid"
    assert not CartItem.objects.exists()


def test_nothing_is_claimed_by_a_customer_who_is_deleted_at_that_moment() -> None:
    buyer = Buyer()
    sent = make_order(buyer)
    mark_paid(order=sent, pay_type="5")
    receive(buyer, sent)
    assert before_commit(lambda: delete(buyer), lambda: claim_of(sent))[1] is Err.login_invalid
    assert not Claim.objects.exists()
    assert not ClaimMessage.objects.exists()


def test_who_is_deleted_at_that_moment_gets_no_name_again() -> None:
    buyer = Buyer()

    def name() -> None:
        change_profile(customer=buyer.customer, nickname="Mei", language="zh-hans")

    assert before_commit(lambda: delete(buyer), name)[1] is Err.login_invalid
    deleted = Customer.objects.get(pk=buyer.customer.pk)
    assert (deleted.nickname, deleted.language) == ("", "")
    erase_due()
    audit()


def copied_during_a_deletion() -> object:
    """Give a copy while the deletion has written and not yet committed; returns what became of it."""
    buyer = Buyer()

    def copy() -> object:
        return give_copy(
            customer=buyer.customer,
            password=PASSWORD,
            format=CopyFormat.json,
            language="en",
            token="a token",
        )

    return before_commit(lambda: delete(buyer), copy)[1]


def test_no_copy_is_given_of_a_customer_who_is_deleted_at_that_moment() -> None:
    assert copied_during_a_deletion() is Err.login_invalid
    assert not DataCopy.objects.exists()
    assert "is deleted" in Message.objects.get().subject


def test_control_without_the_lock_a_deleted_customer_has_a_copy_and_a_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(copying, "lock_customer", lambda _customer: None)
    assert isinstance(copied_during_a_deletion(), DataFile)
    assert (DataCopy.objects.count(), Message.objects.count()) == (1, 2)


def test_staff_give_no_copy_of_a_customer_who_is_deleted_at_that_moment() -> None:
    buyer, helper = Buyer(), staff("helper", "handle_request")

    def press() -> str:
        path = f"/admin/customers/{buyer.customer.pk}/copy/"
        return str(helper.post(path, {"format": "json"}).headers["Content-Type"])

    assert before_commit(lambda: delete(buyer), press) == [None, "text/html; charset=utf-8"]
    assert not DataCopy.objects.exists()


def test_the_link_that_ends_a_consent_meets_the_end_of_the_account() -> None:
    buyer = Buyer()
    change_consent(customer=buyer.customer, is_given=True, source=ConsentChange.Source.account, language="en")
    path = f"/home/unsubscribe/{unsubscribe_token(buyer.customer.pk)}"

    def follow() -> tuple[int, str]:
        answer = Client().post(path)
        return answer.status_code, answer.content.decode()

    [_, answer] = before_commit(lambda: delete(buyer), follow)
    assert isinstance(answer, tuple)
    assert answer[0] == 200
    assert "This account was deleted" in answer[1]
    assert not ConsentChange.objects.exists()


def received(pay_type: str) -> tuple[Buyer, Order]:
    """Make an order that has arrived, paid from a wallet that is empty then, or by card without a wallet."""
    buyer = Buyer()
    order = make_order(buyer)
    if pay_type == "0":
        top_up(buyer.customer, order.pay_amount)
    answer = pay(buyer, order, pay_type, password=PASSWORD)
    assert answer["code"] == 0
    if pay_type != "0":
        decide(order.payments.get())
        refresh_payment(payment=order.payments.get())
    receive(buyer, order)
    return buyer, order


def refunded_to_the_wallet_during_a_deletion(monkeypatch: pytest.MonkeyPatch) -> Decimal:
    """Refund an order while the deletion has written and not yet committed; returns what is in the wallet."""
    monkeypatch.setattr(import_module("commerce.refunds.services.refund_order"), "mark_of", lambda _: "")
    buyer, order = received("0")
    make_staff()
    outcomes = before_commit(
        lambda: delete(buyer), lambda: refund(Order.objects.get(), to=Refund.To.wallet, seen="")
    )
    assert isinstance(outcomes[1], OrderRefund)
    assert Customer.objects.get().is_deleted
    return balance_of(customer=order.customer, kind=LedgerAccount.Kind.wallet)


def test_a_refund_that_waits_for_a_deletion_is_to_be_paid_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refunded_to_the_wallet_during_a_deletion(monkeypatch) == 0
    refund_due = Refund.objects.get()
    assert (refund_due.to, refund_due.state, refund_due.next_query_at) == ("source", "due", None)
    assert OrderRefund.objects.get().destination == "source"
    erase_due()
    audit()


def test_control_without_the_lock_a_refund_goes_to_the_wallet_of_a_deleted_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("commerce.refunds.services.refund_order", "commerce.payments.services.refunds"):
        monkeypatch.setattr(
            import_module(module),
            "lock_wallet",
            lambda customer: not Customer.objects.get(pk=customer.pk).is_deleted,
        )
    # SQLite has one writer at a time, so it cannot show the race.
    is_lost = refunded_to_the_wallet_during_a_deletion(monkeypatch) > 0
    assert is_lost is (connection.vendor == "postgresql")


@pytest.mark.parametrize("pay_type", ["0", "5"])
def test_a_deletion_that_waits_for_a_refund_to_the_wallet_is_refused(pay_type: str) -> None:
    buyer, order = received(pay_type)
    outcomes = before_commit(lambda: refund(order, to=Refund.To.wallet), lambda: delete(buyer))
    assert outcomes == [None, Err.deletion_blocked]
    assert not DeletedCustomer.objects.exists()
    assert balance_of(customer=buyer.customer, kind=LedgerAccount.Kind.wallet) == order.pay_amount
    audit()


def test_two_deletions_at_the_same_time_are_one() -> None:
    buyer = Buyer()
    outcomes = Counter(map(str, concurrently(lambda _: delete(buyer), range(6))))
    assert outcomes["None"] == DeletedCustomer.objects.count() == 1


def test_a_consent_that_is_changed_many_times_at_the_same_time_is_noted_once() -> None:
    buyer = Buyer()
    source = ConsentChange.Source.account

    def agree(_: int) -> bool:
        return change_consent(customer=buyer.customer, is_given=True, source=source, language="en")

    assert Counter(concurrently(agree, range(12))) == {True: 1, False: 11}
    assert ConsentChange.objects.count() == 1


def test_the_row_of_a_customer_who_is_there_is_locked() -> None:
    buyer = Buyer()
    lock.lock_customer(buyer.customer)
    assert make_order(buyer).pk
