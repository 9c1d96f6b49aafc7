import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from datetime import timedelta
from decimal import Decimal
from importlib import import_module
from threading import Event
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone
from pytest_django import Settings

from catalog.stock.models import StockLevel
from commerce.accounts.tests.builders import PASSWORD
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.orders.models import Order
from commerce.orders.services import cancel, cancel_order, expire_orders, paid
from commerce.orders.services.change_status import change_status
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Answer, Buyer, audit, make_order, make_stocked, top_up, wallet_of
from commerce.payments import services
from commerce.payments.audit import differences
from commerce.payments.models import Certificate, Payment, PaymentEvent, PayType, Refund
from commerce.payments.providers.base import Outcome, UnavailableError
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.services import refresh_payment, review
from commerce.payments.services.pay import open_payment
from commerce.payments.services.review import approve_transfer
from commerce.payments.services.wallet import pay_from_wallet
from commerce.payments.tests.builders import decide, make_collected, make_payment, pay, prove, send_notice
from core.errors import Err, ShopError
from core.tests.races import SHOWS_RACES
from core.tests.threads import concurrently

T = TypeVar("T")

pytestmark = pytest.mark.django_db(transaction=True)


def reasons(answers: Iterable[Answer]) -> Counter[str]:
    return Counter(answer.get("reason") or "ok" for answer in answers)


def run_concurrently(work: Callable[[T], Answer], each: Iterable[T]) -> list[Answer]:
    answers = concurrently(work, each)
    assert not any(isinstance(answer, Err) for answer in answers)
    return cast(list[Answer], answers)


def test_concurrent_wallet_payments_of_one_order_take_the_money_once() -> None:
    buyer = Buyer()
    order = make_order(buyer)
    top_up(buyer.customer, 500)

    answers = run_concurrently(lambda _: pay(buyer, order, "0", password=PASSWORD), range(2))

    assert reasons(answers) == {"ok": 1, "order_paid": 1}
    assert wallet_of(buyer.customer) == 500 - order.pay_amount
    assert LedgerEntry.objects.filter(reason="payment").count() == Payment.objects.count() == 1
    audit()


def test_a_wallet_with_money_for_three_orders_pays_three_of_eight_however_often_each_is_sent(
    settings: Settings,
) -> None:
    """Skip the pay password, whose limit would count so many concurrent calls as guesses."""
    settings.MAX_UNPAID_ORDERS = 8
    buyer = Buyer()
    orders = [make_order(buyer, (make_stocked(), 1)) for _ in range(8)]
    top_up(buyer.customer, int(orders[0].pay_amount * 3) + 1)
    wallet = PayType.objects.get(code="0")

    outcomes = Counter(concurrently(lambda order: pay_from_wallet(order=order, pay_type=wallet), orders * 4))

    assert outcomes[None] == 3
    assert set(outcomes) <= {None, Err.balance_insufficient, Err.order_paid}
    assert Order.objects.filter(status=OrderStatus.paid).count() == 3
    audit()


def test_many_clicks_at_the_same_time_start_one_payment() -> None:
    buyer = Buyer()
    order = make_order(buyer)

    answers = run_concurrently(lambda _: pay(buyer, order), range(16))

    urls = {answer["result"]["jumpUrl"] for answer in answers if answer["code"] == 0}
    assert len(urls) == 1
    assert set(reasons(answers)) <= {"ok", "too_frequent"}
    assert Payment.objects.count() == SandboxCharge.objects.count() == 1


def test_control_without_locking_the_order_postgresql_begins_a_payment_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def check_only(*, order: Order, pay_type: str) -> None:
        time.sleep(0.05)

    # The package has functions of these names, so the modules are asked for.
    monkeypatch.setattr(import_module("commerce.payments.services.pay"), "lock_payable", check_only)
    count = Payment.next_reference

    def count_slowly(order: Order) -> str:
        reference = count(order)
        time.sleep(0.05)
        return reference

    monkeypatch.setattr(Payment, "next_reference", count_slowly)
    buyer = Buyer()
    order = make_order(buyer)
    pay_type, provider = PayType.objects.get(code="5"), SandboxProvider()

    def begin(_: int) -> str:
        try:
            return open_payment(order=order, pay_type=pay_type, provider=provider, language="en").reference
        except IntegrityError:
            return "refused by the constraint"

    outcomes = concurrently(begin, range(4))
    assert ("refused by the constraint" in outcomes) is SHOWS_RACES


def test_many_copies_of_a_notice_at_the_same_time_are_applied_once() -> None:
    payment = make_collected(Buyer())

    statuses = Counter(concurrently(lambda _: send_notice(payment), range(32)))

    # A gateway sends again what was answered with 503.
    assert set(statuses) <= {200, 503}
    assert send_notice(payment) == 200
    assert PaymentEvent.objects.count() == 1
    order = Order.objects.get()
    assert (order.status, order.history.count()) == (OrderStatus.paid, 2)
    assert not Refund.objects.exists()
    audit()


def outcome_of(payment: Payment) -> Outcome:
    outcome = SandboxProvider().query(payment=payment, may_collect=True)
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("wrong", [{}, {"amount": Decimal("1.00")}, {"currency": "CNY"}])
def test_many_copies_of_an_outcome_at_the_same_time_count_its_money_once(wrong: dict[str, Any]) -> None:
    payment = make_payment(Buyer())
    decide(payment, **wrong)
    outcome = outcome_of(payment)

    concurrently(lambda _: services.settle(payment=payment, outcome=outcome), range(32))

    order = Order.objects.get()
    assert (order.status, order.history.count()) == (
        (OrderStatus.unpaid, 1) if wrong else (OrderStatus.paid, 2)
    )
    assert Payment.objects.get().collected == (outcome.amount, outcome.currency)
    assert list(Refund.objects.values_list("amount", "currency")) == (
        [(outcome.amount, outcome.currency)] if wrong else []
    )
    audit()


def test_control_without_the_condition_copies_of_an_outcome_count_its_money_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def capture_unconditionally(payment: Payment, outcome: Outcome) -> bool:
        return bool(Payment.objects.filter(pk=payment.pk).update(state=Payment.State.paid))

    # `services.settle` is the function, not its module.
    module = import_module("commerce.payments.services.settle")
    monkeypatch.setattr(module, "_capture", capture_unconditionally)
    payment = make_collected(Buyer())
    outcome = outcome_of(payment)

    def settle_copy(_: int) -> None:
        # The constraint behind the condition lets one refund through.
        with suppress(IntegrityError):
            services.settle(payment=payment, outcome=outcome)

    concurrently(settle_copy, range(20))

    assert Order.objects.get().status == OrderStatus.paid
    assert [(row.payment, row.reason) for row in Refund.objects.all()] == [(payment, "paid_twice")]
    assert list(differences())


def test_two_payments_of_one_order_at_the_same_time_pay_it_once_and_make_the_other_a_refund_due() -> None:
    buyer = Buyer()
    for _ in range(3):
        order = make_order(buyer)
        payments = [make_collected(buyer, order, pay_type) for pay_type in ("5", "2", "4")]
        concurrently(settle, payments)
        assert Refund.objects.filter(payment__order=order, reason="paid_twice").count() == 2
    assert set(Order.objects.values_list("status", flat=True)) == {OrderStatus.paid}
    audit()


@pytest.fixture
def without_lock_and_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an order be paid as it was read, which is no longer locked either."""

    def read_and_write(
        *, order: Order, to: OrderStatus, reason: str, seen: Any = None, only: Any = None, **values: Any
    ) -> bool:
        if seen is not None and Order.objects.get(pk=order.pk).status != seen:
            return False
        time.sleep(0.2)
        return bool(Order.objects.filter(pk=order.pk).update(status=to, **values))

    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)
    monkeypatch.setattr(paid, "change_status", read_and_write)


def test_control_without_lock_and_condition_postgresql_keeps_the_money_of_two_payments(
    without_lock_and_condition: None,
) -> None:
    buyer = Buyer()
    order = make_order(buyer)
    payments = [make_collected(buyer, order, pay_type) for pay_type in ("5", "2")]

    concurrently(lambda payment: services.settle(payment=payment, outcome=outcome_of(payment)), payments)

    assert set(Payment.objects.values_list("state", flat=True)) == {Payment.State.paid}
    assert Refund.objects.exists() is (not SHOWS_RACES)
    assert bool(list(differences())) is SHOWS_RACES


def pay_by_wallet_and_gateway(count: int) -> list[Order]:
    """Pay orders from the wallet at the moment at which a gateway's payment of each settles."""
    buyer = Buyer()
    orders = [make_order(buyer, (make_stocked(), 1)) for _ in range(count)]
    top_up(buyer.customer, 500)
    wallet = PayType.objects.get(code="0")
    payments = [make_collected(buyer, order) for order in orders]

    def act(job: tuple[str, Payment]) -> None:
        verb, payment = job
        if verb == "wallet":
            pay_from_wallet(order=payment.paid_order, pay_type=wallet)
        else:
            services.settle(payment=payment, outcome=outcome_of(payment))

    jobs = [(verb, payment) for payment in payments for verb in random.sample(["wallet", "gateway"], 2)]
    assert set(concurrently(act, jobs)) <= {None, Err.order_paid}
    return orders


def test_wallet_and_gateway_at_the_same_time_pay_an_order_once() -> None:
    orders = pay_by_wallet_and_gateway(5)

    assert set(Order.objects.values_list("status", flat=True)) == {OrderStatus.paid}
    by_wallet = [order for order in orders if order.payments.filter(pay_type="0").exists()]
    # The gateway has collected its money: where the wallet was first, it goes back.
    due = Refund.objects.filter(reason="paid_twice").values_list("payment__order", flat=True)
    assert set(due) == {order.pk for order in by_wallet}
    spent = sum(order.pay_amount for order in by_wallet)
    assert LedgerAccount.objects.get().balance == 500 - spent
    audit()


def test_control_without_lock_and_condition_postgresql_keeps_the_money_of_wallet_and_gateway(
    without_lock_and_condition: None,
) -> None:
    [order] = pay_by_wallet_and_gateway(1)
    took_both = order.payments.filter(state="paid").count() == 2 and not Refund.objects.exists()
    assert took_both is SHOWS_RACES


def pay_a_canceled_order_late(pay_types: list[str]) -> None:
    """Settle payments of a canceled order concurrently; its two units can be sold again."""
    buyer = Buyer()
    order = make_order(buyer, (make_stocked(10), 2))
    payments = [make_payment(buyer, order, pay_type) for pay_type in pay_types]
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    for payment in payments:
        decide(payment)
    concurrently(lambda payment: services.settle(payment=payment, outcome=outcome_of(payment)), payments)


def test_late_payments_of_a_canceled_order_at_the_same_time_revive_it_once() -> None:
    pay_a_canceled_order_late(["5", "2", "4"])

    assert Order.objects.get().status == OrderStatus.paid
    assert StockLevel.objects.get().reserved == 2
    assert list(Refund.objects.values_list("reason", flat=True)) == ["paid_twice"] * 2
    audit()


def test_control_without_lock_and_condition_postgresql_revives_a_canceled_order_twice(
    without_lock_and_condition: None,
) -> None:
    # Only the constraint behind them refuses to reserve twice, which is a fault.
    fault = pytest.raises(IntegrityError, match="one_hold_per_order_and_level")
    with fault if SHOWS_RACES else nullcontext():
        pay_a_canceled_order_late(["5", "2"])
        assert StockLevel.objects.get().reserved == 2


def test_20_copies_of_late_money_at_the_same_time_make_one_refund_due() -> None:
    buyer, rice = Buyer(), make_stocked(2)
    payment = make_payment(buyer, make_order(buyer, (rice, 2)))
    cancel_order(customer=buyer.customer, order_no=payment.paid_order.order_no)
    other = make_order(Buyer(), (rice, 1))
    decide(payment)
    outcome = outcome_of(payment)

    concurrently(lambda _: services.settle(payment=payment, outcome=outcome), range(20))

    due = Refund.objects.values_list("payment", "amount", "reason")
    assert list(due) == [(payment.pk, payment.amount, "order_canceled")]
    assert list(Order.objects.values_list("pk", "status")) == [
        (other.pk, OrderStatus.unpaid),
        (payment.order_id, OrderStatus.canceled),
    ]
    assert StockLevel.objects.get().reserved == 1
    audit()


@pytest.mark.parametrize("units", [2, 100])
def test_payment_and_expiry_of_an_order_at_the_same_time_lose_no_money(
    units: int, settings: Settings
) -> None:
    """`units`: enough for the order alone, or for more."""
    settings.MAX_UNPAID_ORDERS = 10
    buyer = Buyer()
    payments = [make_collected(buyer, make_order(buyer, (make_stocked(units), 2))) for _ in range(10)]
    Order.objects.update(expires_at=timezone.now())

    def cancel(payment: Payment) -> None:
        cancel_order(customer=buyer.customer, order_no=payment.paid_order.order_no)

    def expire(payment: Payment) -> None:
        expire_orders(order_ids=[payment.paid_order.pk])

    jobs = [(verb, payment) for payment in payments for verb in random.sample([settle, cancel, expire], 3)]
    concurrently(lambda job: job[0](job[1]), jobs)

    # Its products were available again immediately, so each order was paid, or expired and reopened.
    assert set(Order.objects.values_list("status", flat=True)) == {OrderStatus.paid}
    assert set(StockLevel.objects.values_list("reserved", flat=True)) == {2}
    assert not Refund.objects.exists()
    audit()


def pay_or_end(verb: str, order: Order) -> bool:
    """Pay an order from the wallet, cancel it or expire it."""
    if verb == "expire":
        return bool(expire_orders(order_ids=[order.pk]))
    if verb == "cancel":
        cancel_order(customer=order.customer, order_no=order.order_no)
    else:
        pay_from_wallet(order=order, pay_type=PayType.objects.get(code="0"))
    return True


def test_wallet_payment_cancellation_and_expiry_of_an_order_at_the_same_time_agree(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_UNPAID_ORDERS = 10
    # The job's time is later: it ends orders that the payment still takes.
    monkeypatch.setattr(cancel, "timezone", SimpleNamespace(now=lambda: timezone.now() + timedelta(days=1)))
    buyer = Buyer()
    orders = [make_order(buyer, (make_stocked(), 1)) for _ in range(10)]
    top_up(buyer.customer, 500)
    verbs = ("pay", "cancel", "expire")
    jobs = [(verb, order) for order in orders for verb in random.sample(verbs, 3)]
    outcomes = concurrently(lambda job: pay_or_end(*job), jobs)

    assert outcomes.count(True) == len(orders)
    assert set(outcomes) <= {True, False, Err.order_paid, Err.order_cancelled, Err.paid_cannot_cancel}
    paid_orders = Order.objects.filter(status=OrderStatus.paid)
    won = [job for job, outcome in zip(jobs, outcomes, strict=True) if outcome is True]
    assert set(paid_orders) == {order for verb, order in won if verb == "pay"}
    assert Order.objects.filter(status=OrderStatus.canceled).count() == len(orders) - paid_orders.count()
    spent = sum(order.pay_amount for order in paid_orders)
    assert wallet_of(buyer.customer) == 500 - spent
    audit()


def settle_while_the_order_is_canceled(monkeypatch: pytest.MonkeyPatch) -> Order:
    """Cancel an order after its money's outcome has read it as unpaid and before that marks it paid."""
    buyer = Buyer()
    payment = make_collected(buyer)
    order = payment.paid_order
    outcome = outcome_of(payment)
    has_read, is_canceled = Event(), Event()

    def wait_and_change(**move: Any) -> bool:
        has_read.set()
        is_canceled.wait(0.3)
        return change_status(**move)

    def cancel_concurrently() -> None:
        assert has_read.wait(20)
        with suppress(ShopError):
            cancel_order(customer=buyer.customer, order_no=order.order_no)
        is_canceled.set()

    monkeypatch.setattr(paid, "change_status", wait_and_change)
    concurrently(
        lambda work: work(), [lambda: services.settle(payment=payment, outcome=outcome), cancel_concurrently]
    )
    order.refresh_from_db()
    return order


def test_an_order_whose_payment_settles_is_not_canceled_in_the_meantime(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert settle_while_the_order_is_canceled(monkeypatch).status == OrderStatus.paid
    assert not Refund.objects.exists()
    audit()


def test_control_without_locking_the_order_postgresql_cancels_what_its_money_could_still_pay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)
    order = settle_while_the_order_is_canceled(monkeypatch)
    assert order.status == (OrderStatus.canceled if SHOWS_RACES else OrderStatus.paid)
    assert Refund.objects.exists() is SHOWS_RACES


@pytest.mark.parametrize("ended_by", ["cancel", "expire"])
def test_control_without_the_condition_postgresql_ends_an_order_the_wallet_has_paid(
    ended_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_and_write(*, order: Order, to: OrderStatus, reason: str) -> bool:
        time.sleep(0.2)
        return bool(Order.objects.filter(pk=order.pk).update(status=to))

    def write_all(*, orders: list[Order], to: OrderStatus, reason: str) -> bool:
        return all(read_and_write(order=order, to=to, reason=reason) for order in orders)

    monkeypatch.setattr(cancel, "change_status", read_and_write)
    monkeypatch.setattr(cancel, "change_statuses", write_all)
    # Expiry has the order's row locked as well.
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)
    monkeypatch.setattr(cancel, "timezone", SimpleNamespace(now=lambda: timezone.now() + timedelta(days=1)))
    buyer = Buyer()
    order = make_order(buyer)
    top_up(buyer.customer, 500)

    def act(verb: str) -> None:
        if verb == "pay":
            time.sleep(0.05)
        pay_or_end(verb, order)

    concurrently(act, [ended_by, "pay"])
    assert bool(list(differences())) is SHOWS_RACES


def settle(payment: Payment) -> None:
    """Ask the gateway until it is not busy."""
    while True:
        try:
            refresh_payment(payment=payment)
            return
        except UnavailableError:
            continue


def approvals(count: int) -> tuple[Certificate, Counter[Any]]:
    """Let as many members of staff approve one transfer at the same time; also returns each outcome."""
    buyer = Buyer()
    order = make_order(buyer)
    certificate = prove(buyer, order)
    staff = [User.objects.create(username=f"staff {number}", is_superuser=True) for number in range(count)]

    def approve(user: User) -> str:
        approve_transfer(certificate=certificate, amount=order.pay_amount, staff=user)
        return "approved"

    return certificate, Counter(concurrently(approve, staff))


def test_of_several_who_approve_a_transfer_at_the_same_time_one_does() -> None:
    _, outcomes = approvals(8)
    assert outcomes == {"approved": 1, Err.reviewed_already: 7}
    assert Payment.objects.count() == 1
    assert not Refund.objects.exists()
    audit()


def test_control_without_the_condition_a_transfer_is_counted_as_often_as_it_is_approved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(review, "_waiting", lambda each: Certificate.objects.filter(pk=each.pk))
    _, outcomes = approvals(4)
    assert outcomes == {"approved": 4}
    assert Payment.objects.count() == 4


def test_of_several_who_approve_a_large_transfer_at_the_same_time_two_different_ones_do(
    settings: Settings,
) -> None:
    settings.APPROVAL_LIMIT = 1
    certificate, outcomes = approvals(8)
    # The first approver was notified that another member of staff must confirm it.
    assert outcomes == {"approved": 2, Err.reviewed_already: 6}
    certificate.refresh_from_db()
    assert certificate.first_approver != certificate.reviewed_by
    assert Payment.objects.count() == 1
    audit()


def test_a_transfer_that_is_approved_during_a_payment_at_a_gateway_pays_the_order_once() -> None:
    buyer = Buyer()
    user = User.objects.create(username="staff")
    for _ in range(3):
        order = make_order(buyer)
        payment, certificate = make_collected(buyer, order), prove(buyer, order)

        def act(
            verb: str,
            payment: Payment = payment,
            certificate: Certificate = certificate,
            order: Order = order,
        ) -> None:
            if verb == "approve":
                approve_transfer(certificate=certificate, amount=order.pay_amount, staff=user)
            else:
                services.settle(payment=payment, outcome=outcome_of(payment))

        assert concurrently(act, random.sample(["approve", "gateway"], 2)) == [None, None]
        assert Refund.objects.get(payment__order=order).reason == "paid_twice"
    audit()


def test_an_order_whose_pictures_come_at_the_same_time_has_one_that_waits() -> None:
    buyer = Buyer()
    order = make_order(buyer)
    assert concurrently(lambda _: prove(buyer, order).pk and None, range(6)) == [None] * 6
    states = Counter(order.certificates.values_list("state", flat=True))
    assert states == {"waiting": 1, "replaced": 5}
