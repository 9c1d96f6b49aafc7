from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import Mock

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, nothing_changes
from commerce.payments.audit import CAPTURED_WITHIN, differences
from commerce.payments.models import Payment, PaymentEvent, Refund
from commerce.payments.providers import slots
from commerce.payments.providers.base import Outcome, UnavailableError
from commerce.payments.providers.paypal import provider as paypal
from commerce.payments.providers.royalpay import client as royalpay
from commerce.payments.providers.sandbox.models import OPEN_FOR, SandboxCharge
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.services import query, query_open_payments, settle
from commerce.payments.services.polling import ASKED_WITHIN, INTERVALS
from commerce.payments.services.query import ASK_FAILED_FOR, OVERDUE_AFTER, UNKNOWN_FAILS_AFTER
from commerce.payments.tests.builders import (
    busy_gateway,
    collect,
    decide,
    gateway_does,
    let_looks_ask,
    make_collected,
    make_declined,
    make_payment,
    pay,
    pay_in_vain,
    result_of,
    send_notice,
    unreachable,
)
from core.gateways import MAX_FAILURES, OPEN_SECONDS
from core.tests.failing import failing_for
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def run_job() -> int:
    """Run the periodic job when every next poll is due."""
    Payment.objects.filter(next_query_at__isnull=False).update(next_query_at=timezone.now())
    return query_open_payments()


def age(payment: Payment, by: timedelta) -> None:
    """Let a payment have begun, and failed, earlier."""
    Payment.objects.filter(pk=payment.pk).update(created_at=timezone.now() - by)
    Payment.objects.filter(pk=payment.pk, state="failed").update(settled_at=timezone.now() - by)


def state_of(payment: Payment) -> str:
    return Payment.objects.get(pk=payment.pk).state


def status_of(order: Order) -> int:
    return Order.objects.get(pk=order.pk).status


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the references the gateway is asked about, in their order."""
    references: list[str] = []
    answer = SandboxProvider.query

    def query(self: SandboxProvider, *, payment: Payment, may_collect: bool) -> Outcome | None:
        references.append(payment.reference)
        return answer(self, payment=payment, may_collect=may_collect)

    monkeypatch.setattr(SandboxProvider, "query", query)
    return references


def test_the_job_asks_at_growing_intervals_until_the_gateway_answers(buyer: Buyer) -> None:
    payment = make_payment(buyer)
    assert query_open_payments() == 0
    minutes = []
    for _ in range(7):
        before = timezone.now()
        assert run_job() == 1
        payment.refresh_from_db()
        assert payment.next_query_at is not None
        minutes.append(round((payment.next_query_at - before).total_seconds() / 60))
    assert minutes == [1, 2, 5, 15, 60, 60, 60]

    age(payment, OVERDUE_AFTER)
    assert run_job() == 1
    assert state_of(payment) == Payment.State.pending
    SandboxCharge.objects.update(created_at=timezone.now() - OPEN_FOR)
    assert run_job() == 1
    assert state_of(payment) == Payment.State.failed


def look() -> None:
    let_looks_ask()
    query.refresh_for_customer(payments=Payment.objects.all())


def test_a_payment_is_asked_about_again_soon_however_often_a_process_is_killed_in_the_meantime(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    payment = make_payment(buyer)
    monkeypatch.setattr(SandboxProvider, "query", Mock(side_effect=SystemExit))
    for work, times in ((run_job, len(INTERVALS)), (look, 1)):
        with subtests.test(work=work), rolled_back():
            for _ in range(times):
                with pytest.raises(SystemExit):
                    work()
            payment.refresh_from_db()
            assert payment.next_query_at
            assert payment.next_query_at - timezone.now() <= ASKED_WITHIN


def test_the_job_finds_money_without_a_notice(buyer: Buyer) -> None:
    make_collected(buyer)
    assert run_job() == 1
    assert Order.objects.get().status == OrderStatus.paid
    assert run_job() == 0
    audit()


def test_money_is_captured_however_late_its_gateway_can_be_asked(
    buyer: Buyer, settings: Settings, caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    payment = make_payment(buyer)
    for is_configured in (True, False):
        for wrong in ({}, {"amount": Decimal("1.00")}, {"currency": "CNY"}):
            with subtests.test(is_configured=is_configured, wrong=wrong), rolled_back():
                caplog.clear()
                decide(payment, **wrong)
                age(payment, OVERDUE_AFTER)
                settings.SANDBOX_GATEWAY = is_configured
                with unreachable():
                    assert [run_job() for _ in range(3)] == [1, 1, 1]
                assert state_of(payment) == Payment.State.pending
                # Staff are notified once.
                assert [row.getMessage() for row in caplog.records if row.levelname == "ERROR"] == [
                    f"payment {payment.reference}: no outcome after 1 day, 1:00:00"
                ]

                settings.SANDBOX_GATEWAY = True
                assert run_job() == 1
                assert state_of(payment) == Payment.State.paid
                assert Order.objects.get().status == (OrderStatus.unpaid if wrong else OrderStatus.paid)
                assert Refund.objects.count() == bool(wrong)
                audit()


def test_staff_are_notified_about_an_overdue_payment_alone(buyer: Buyer) -> None:
    overdue, failed, not_asked = (make_payment(buyer) for _ in range(3))
    decide(failed, SandboxCharge.State.declined)
    send_notice(failed, event="declined")
    for payment in (overdue, failed, not_asked):
        Payment.objects.filter(pk=payment.pk).update(created_at=timezone.now() - OVERDUE_AFTER)
    make_payment(buyer)
    later = timezone.now() + timedelta(days=1)
    Payment.objects.filter(pk=not_asked.pk).update(next_query_at=later)
    Payment.objects.exclude(pk=not_asked.pk).update(next_query_at=timezone.now())
    assert query_open_payments() == 3
    assert Payment.objects.exclude(overdue_at=None).get() == overdue


def test_an_answer_about_another_payment_or_without_money_that_can_be_stored_is_none(
    buyer: Buyer, caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    payment = make_collected(buyer)
    answer = SandboxProvider().query(payment=payment, may_collect=True)
    assert answer is not None
    wrong_answers: list[dict[str, Any]] = [
        {"reference": "another"},
        {"currency": "AUDX"},
        {"currency": ""},
        {"currency": "A\0D"},
        *({"amount": Decimal(text)} for text in ("0", "0.004", "NaN", "sNaN", "Infinity", "99999999999.99")),
    ]
    for wrong in wrong_answers:
        with subtests.test(wrong=wrong), rolled_back():
            caplog.clear()
            age(payment, OVERDUE_AFTER)
            wrong_answer = Mock(return_value=replace(answer, **wrong))
            with gateway_does("query", wrong_answer), nothing_changes(but=[Payment]):
                assert run_job() == 1
                assert Client().get(f"/pay/return/{payment.reference}").status_code == 302
            assert "the provider answered with" in caplog.text
            assert state_of(payment) == Payment.State.pending
            assert run_job() == 1
            assert Order.objects.get().status == OrderStatus.paid


def test_a_failed_payment_is_asked_about_for_25_hours_and_until_an_answer(buyer: Buyer) -> None:
    payment = make_declined(buyer)
    assert [run_job() for _ in range(8)] == [1] * 8
    assert state_of(payment) == Payment.State.failed
    age(payment, ASK_FAILED_FOR)
    with unreachable():
        assert run_job() == 1
    assert [run_job(), run_job()] == [1, 0]
    assert Payment.objects.get().next_query_at is None


def test_the_money_of_a_failed_payment_is_found(buyer: Buyer, subtests: pytest.Subtests) -> None:
    payment = make_declined(buyer)
    send_notice(payment, event="declined")
    for way in ("job", "look", "return", "notice"):
        with subtests.test(way=way), rolled_back():
            assert state_of(payment) == Payment.State.failed
            assert Payment.objects.get().settled_at
            newest = make_payment(buyer, payment.paid_order)
            decide(payment)
            match way:
                case "job":
                    run_job()
                case "look":
                    assert result_of(buyer, payment.paid_order)["paid"] is True
                case "return":
                    Client().get(f"/pay/return/{payment.reference}")
                case "notice":
                    send_notice(payment, event="paid")
            assert (state_of(payment), state_of(newest)) == (Payment.State.paid, Payment.State.pending)
            assert Order.objects.get().status == OrderStatus.paid
            audit()


def test_looks_ask_about_open_payments_every_four_seconds_and_about_failed_ones_every_minute(
    buyer: Buyer, asked: list[str]
) -> None:
    older = make_payment(buyer)
    others = [older, make_payment(buyer, older.paid_order, "2")]
    pending = [payment.reference for payment in reversed(others)]
    failed = make_declined(buyer, older.paid_order, "4")
    result = f"/pay/result/{failed.paid_order.order_no}"
    buyer.send("GET", result)
    start = timezone.now() + timedelta(minutes=2)
    for after, expected in [
        (0, [*pending, failed.reference]),
        (7.9, []),
        (8, pending),
        (59, pending),
        (60, [failed.reference]),
    ]:
        asked.clear()
        with time_machine.travel(start + timedelta(seconds=after), tick=False):
            for _ in range(3):
                buyer.send("GET", result)
        assert asked == expected, after


def test_of_one_payment_no_look_asks_while_another_may_still_wait() -> None:
    longest = max(paypal.WORK_SECONDS, paypal.QUESTION_SECONDS, royalpay.QUESTION_SECONDS)
    until_it_ends = query.MAX_SECONDS_PER_LOOK + slots.SLOT_TIMEOUT_SECONDS + longest
    assert query.LOOK_INTERVAL.total_seconds() > until_it_ends


def test_a_return_from_a_failed_payment_asks_every_eight_seconds(buyer: Buyer, asked: list[str]) -> None:
    payment = make_declined(buyer)
    result, start = f"/pay/result/{payment.paid_order.order_no}", timezone.now()
    assert buyer.send("GET", result)["result"]["failed"]
    with time_machine.travel(start + timedelta(minutes=2), tick=False):
        assert buyer.send("GET", result)["result"]["failed"]
    for after, expected in [(7.9, []), (8, [payment.reference])]:
        asked.clear()
        with time_machine.travel(start + timedelta(minutes=2, seconds=after), tick=False):
            for _ in range(3):
                Client().get(f"/pay/return/{payment.reference}")
        assert asked == expected, after
    # Paid at the second try there.
    decide(payment)
    with time_machine.travel(start + timedelta(minutes=2, seconds=16), tick=False):
        Client().get(f"/pay/return/{payment.reference}")
        assert buyer.send("GET", result)["result"]["paid"]
    audit()


def test_a_look_that_could_not_ask_leaves_the_next_one_its_question(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    payment = make_payment(buyer)
    for state in (SandboxCharge.State.open, SandboxCharge.State.declined):
        with subtests.test(state=state), rolled_back():
            decide(payment, state)
            assert not result_of(buyer, payment.paid_order)["paid"]
            decide(payment)
            with time_machine.travel(timezone.now() + timedelta(minutes=2), tick=False):
                with busy_gateway():
                    assert not result_of(buyer, payment.paid_order)["paid"]
                assert result_of(buyer, payment.paid_order)["paid"]


def test_a_look_whose_answer_could_not_be_stored_leaves_the_next_one_its_question(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = make_collected(buyer)
    with monkeypatch.context() as patched:
        patched.setattr(query, "settle", failing_for(payment, settle))
        with pytest.raises(RuntimeError):
            query.refresh_for_customer(payments=payment.paid_order.payments.all())
    assert result_of(buyer, payment.paid_order)["paid"]


def test_a_look_that_could_not_ask_sets_back_no_other_question(buyer: Buyer) -> None:
    payment, other = make_payment(buyer), make_payment(Buyer())
    now = timezone.now()
    before, later = now - timedelta(minutes=1), now + timedelta(seconds=1)
    mine = Payment.objects.filter(pk=payment.pk)
    mine.update(queried_at=before)
    Payment.objects.filter(pk=other.pk).update(queried_at=now)

    def cannot_ask_while_another_does(*_arguments: Any, **_asked: Any) -> None:
        mine.update(queried_at=later)
        raise UnavailableError("sandbox")

    for gateway, expected in [
        (unreachable(), before),
        (gateway_does("query", cannot_ask_while_another_does), later),
    ]:
        with gateway, time_machine.travel(now, tick=False):
            query.refresh_for_customer(payments=payment.paid_order.payments.all())
        assert mine.get().queried_at == expected
    assert Payment.objects.get(pk=other.pk).queried_at == now


def test_a_look_asks_nothing_that_another_one_waits_for(
    buyer: Buyer, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = make_payment(buyer)
    answer = SandboxProvider.query

    def query(self: SandboxProvider, *, payment: Payment, may_collect: bool) -> Outcome | None:
        Client().get(f"/pay/return/{payment.reference}")
        return answer(self, payment=payment, may_collect=may_collect)

    monkeypatch.setattr(SandboxProvider, "query", query)
    Client().get(f"/pay/return/{payment.reference}")
    assert asked == [payment.reference]


def test_of_two_looks_at_the_same_time_one_asks(
    buyer: Buyer, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = make_payment(buyer)
    claim = query._claim_look

    def claim_too_late(payment: Payment, now: datetime) -> bool:
        Payment.objects.update(queried_at=now)
        return claim(payment, now)

    monkeypatch.setattr(query, "_claim_look", claim_too_late)
    Client().get(f"/pay/return/{payment.reference}")
    assert asked == []


def test_a_look_asks_nothing_that_the_job_has_just_asked(buyer: Buyer, asked: list[str]) -> None:
    payment = make_payment(buyer)
    assert run_job() == 1
    Client().get(f"/pay/return/{payment.reference}")
    assert asked == [payment.reference]


def test_a_look_asks_nothing_about_a_paid_order(buyer: Buyer, asked: list[str]) -> None:
    payment = make_payment(buyer)
    make_payment(buyer, payment.paid_order, "2")
    collect(payment)
    asked.clear()
    assert result_of(buyer, payment.paid_order)["paid"] is True
    assert asked == []


def test_a_look_is_bounded_in_number_and_in_time(
    buyer: Buyer, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    order = make_order(buyer)
    for _ in range(7):
        decide(make_payment(buyer, order), SandboxCharge.State.declined)
        run_job()
    let_looks_ask()
    asked.clear()
    buyer.send("GET", f"/pay/result/{order.order_no}")
    assert len(asked) == query.MAX_PER_LOOK
    let_looks_ask()
    asked.clear()
    # The start, and the times before the first question and after it: a provider may take four seconds.
    seconds = iter([0, 0.1, 4.1])
    monkeypatch.setattr(query, "monotonic", lambda: next(seconds))
    buyer.send("GET", f"/pay/result/{order.order_no}")
    assert len(asked) == 1


def test_a_payment_whose_start_was_not_answered_is_asked_about(buyer: Buyer) -> None:
    """The gateway has opened the charge; the shop did not hear of it."""
    start = SandboxProvider.start

    def open_silently(self: SandboxProvider, **kw: Any) -> str:
        start(self, **kw)
        raise UnavailableError("timeout")

    with gateway_does("start", open_silently):
        pay_in_vain(buyer, make_order(buyer))
    payment = Payment.objects.get()
    assert (payment.state, payment.jump_url) == (Payment.State.pending, "")
    decide(payment)
    assert run_job() == 1
    assert Order.objects.get().status == OrderStatus.paid
    audit()


def test_a_payment_the_gateway_does_not_know_fails_after_an_hour(buyer: Buyer) -> None:
    payment = make_payment(buyer)
    SandboxCharge.objects.all().delete()
    assert run_job() == 1
    assert state_of(payment) == Payment.State.pending
    age(payment, UNKNOWN_FAILS_AFTER)
    assert run_job() == 1
    assert state_of(payment) == Payment.State.failed
    assert pay(buyer, payment.paid_order)["result"]["jumpUrl"].endswith("-2")


def test_a_job_does_not_ask_again_about_what_was_paid_in_the_meantime(
    buyer: Buyer, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = make_payment(buyer), make_payment(buyer)
    decide(second)
    now = timezone.now()
    for payment, due in ((first, now - timedelta(seconds=1)), (second, now)):
        Payment.objects.filter(pk=payment.pk).update(next_query_at=due)
    answer = SandboxProvider.query

    def pay_the_second_first(self: SandboxProvider, *, payment: Payment, may_collect: bool) -> Outcome | None:
        if payment.pk == first.pk:
            send_notice(second)
        return answer(self, payment=payment, may_collect=may_collect)

    monkeypatch.setattr(SandboxProvider, "query", pay_the_second_first)
    assert query_open_payments() == 1
    assert asked == [second.reference, first.reference]
    assert Payment.objects.get(pk=second.pk).next_query_at is None


def test_the_job_goes_on_past_a_gateway_that_cannot_be_reached(buyer: Buyer) -> None:
    payments = [make_payment(buyer), make_payment(buyer)]
    with unreachable():
        assert run_job() == 2
    assert {state_of(payment) for payment in payments} == {Payment.State.pending}


def test_a_payment_that_cannot_be_settled_stops_no_other(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = make_payment(buyer), make_payment(buyer)
    decide(bad)
    decide(good)
    Payment.objects.filter(pk=good.pk).update(next_query_at=timezone.now())
    Payment.objects.filter(pk=bad.pk).update(next_query_at=timezone.now() - timedelta(hours=1))
    monkeypatch.setattr(query, "refresh_payment", failing_for(bad, query.refresh_payment))
    assert query_open_payments() == 1
    assert (status_of(bad.paid_order), status_of(good.paid_order)) == (OrderStatus.unpaid, OrderStatus.paid)


def test_a_provider_that_keeps_failing_is_left_alone_for_a_while(buyer: Buyer) -> None:
    down = Mock(side_effect=UnavailableError("down"))
    payment = make_collected(buyer)
    with gateway_does("query", down):
        for _ in range(MAX_FAILURES + 3):
            assert send_notice(payment) == 503
    assert down.call_count == MAX_FAILURES
    pay_in_vain(buyer, make_order(buyer))
    with time_machine.travel(timezone.now() + timedelta(seconds=OPEN_SECONDS)):
        query.refresh_payment(payment=payment)
    assert status_of(payment.paid_order) == OrderStatus.paid
    audit()


def test_a_busy_shop_does_not_count_against_a_provider(buyer: Buyer) -> None:
    payment = make_collected(buyer)
    with busy_gateway():
        for _ in range(MAX_FAILURES + 1):
            assert send_notice(payment) == 503
    assert send_notice(payment) == 200
    assert status_of(payment.paid_order) == OrderStatus.paid


def reported_paid(payment: Payment, **kw: Any) -> Payment:
    """Send a payment's notice while the gateway cannot be asked, and let an hour pass."""
    with unreachable():
        assert send_notice(payment, **kw) == 503
    PaymentEvent.objects.update(created_at=timezone.now() - CAPTURED_WITHIN)
    return payment


def test_the_audit_names_a_payment_that_was_reported_paid_until_its_money_is_here(buyer: Buyer) -> None:
    payment = reported_paid(make_payment(buyer))
    assert [each.row for each in differences()] == [f"payment {payment}"]
    decide(payment)
    assert run_job() == 1
    assert state_of(payment) == "paid"
    audit()


def test_a_report_younger_than_an_hour_or_of_another_state_is_no_matter_for_the_audit(buyer: Buyer) -> None:
    reported_paid(make_payment(buyer), state="declined")
    assert not PaymentEvent.objects.get().reports_paid
    payment = reported_paid(make_payment(buyer))
    PaymentEvent.objects.filter(payment=payment).update(
        created_at=timezone.now() - CAPTURED_WITHIN + timedelta(minutes=1)
    )
    assert not list(differences())


def test_a_report_is_until_the_gateway_calls_the_payment_failed(buyer: Buyer) -> None:
    payment = reported_paid(make_payment(buyer))
    assert run_job() == 1
    SandboxCharge.objects.update(reference="unknown")
    assert run_job() == 1
    assert len(list(differences())) == 1
    SandboxCharge.objects.update(reference=payment.reference)
    decide(payment, SandboxCharge.State.declined)
    assert run_job() == 1
    assert not list(differences())


def test_an_answer_to_an_earlier_question_denies_no_report(buyer: Buyer) -> None:
    payment = make_declined(buyer)
    answer = SandboxProvider.query

    report: dict[str, Any] = {"provider": "sandbox", "body": {}, "reports_paid": True}

    def query_slowly(self: SandboxProvider, *, payment: Payment, may_collect: bool) -> Outcome | None:
        found = answer(self, payment=payment, may_collect=may_collect)
        PaymentEvent.objects.create(event_id="e1", payment=payment, **report)
        return found

    with gateway_does("query", query_slowly):
        assert run_job() == 1
    assert PaymentEvent.objects.get().denied_at is None
    other = PaymentEvent.objects.create(event_id="e2", payment=make_payment(buyer), **report)
    query.refresh_payment(payment=payment)
    assert PaymentEvent.objects.get(event_id="e1").denied_at
    other.refresh_from_db()
    assert other.denied_at is None
