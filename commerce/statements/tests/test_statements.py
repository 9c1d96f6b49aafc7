"""Providers' lists against the books, both ways (docs/guarantees/money.md#providers-lists)."""

from datetime import date, timedelta
from decimal import Decimal
from unittest.mock import Mock

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import RefundOutcome, Settled, SettledPage, UnavailableError
from commerce.payments.providers.sandbox import provider as sandbox
from commerce.payments.providers.sandbox.models import SandboxCharge, SandboxRefund
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.services import note_paid_back, refresh_payment, request_refund
from commerce.payments.services.refunds import settle_refund
from commerce.payments.tests.builders import (
    audit_money,
    decide,
    gateway_does,
    make_collected,
    make_paid_payment,
    make_payment,
    make_recharge,
)
from commerce.statements import purging, services
from commerce.statements.audit import differences
from commerce.statements.models import Statement, StatementDifference, StatementLine
from commerce.statements.services import compare, fetch
from commerce.statements.tests.builders import move_all_to, noon_of, reconcile, refunded, the_day
from core.gateways import MAX_FAILURES

pytestmark = pytest.mark.django_db


def rules() -> set[str]:
    """Return the rules that the audit finds broken."""
    return {each.rule for each in differences()}


def refused_and_paid_back(payment: Payment) -> Refund:
    """Let the provider refuse a refund that it was sent, and staff pay it back by hand."""
    refund = request_refund(payment=payment, amount=Decimal("2.00"), reason=Refund.Reason.order_refund)
    Refund.objects.filter(pk=refund.pk).update(state="sending", sent_at=timezone.now())
    settle_refund(refund=refund, outcome=RefundOutcome(Refund.State.failed, "F1", "no such card"))
    note_paid_back(refund=refund, staff=User.objects.get(username="helper"), note="By transfer")
    return refund


def test_what_staff_have_paid_back_and_the_provider_too_is_a_difference() -> None:
    payment = make_paid_payment(Buyer())
    refunded(payment)
    by_hand = refused_and_paid_back(payment)
    SandboxCharge.objects.get().refunds.create(reference=by_hand.reference, amount=by_hand.amount)
    move_all_to(the_day())
    assert reconcile() == [("only_there", "refund", by_hand.reference)]


def test_a_clean_day_has_no_differences_however_often_it_is_compared() -> None:
    payment = make_paid_payment(Buyer())
    refunded(payment)
    refused_and_paid_back(payment)
    top_up = make_recharge(Buyer(), "20.00").payments.get()
    decide(top_up)
    refresh_payment(payment=top_up)
    # Collected before midnight, and known here after it.
    late = make_paid_payment(Buyer())
    make_payment(Buyer())
    move_all_to(the_day())
    Payment.objects.filter(pk=late.pk).update(settled_at=noon_of(the_day() + timedelta(days=1)))
    assert reconcile() == []
    named = set(StatementLine.objects.values_list("kind", "payment", "refund__amount"))
    assert named == {
        ("payment", payment.pk, None),
        ("payment", top_up.pk, None),
        ("payment", late.pk, None),
        ("refund", None, Decimal("1.00")),
    }
    assert Statement.objects.filter(state="fetched").count() == fetch.DAYS_BACK
    # The last day has no list after it yet.
    waiting = Statement.objects.filter(is_compared=False).values_list("day", flat=True)
    assert list(waiting) == [the_day() + timedelta(days=1)]
    services.fetch_again(statement=Statement.objects.get(day=the_day()))
    assert reconcile() == []
    assert (Statement.objects.count(), StatementLine.objects.count()) == (fetch.DAYS_BACK, 4)
    assert not StatementDifference.objects.exists()
    assert rules() == set()


def test_each_difference_is_found_once_and_goes_when_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    only_here, other, currency, twice, back = (make_paid_payment(Buyer()) for _ in range(5))
    only_there = make_collected(Buyer())
    Payment.objects.filter(pk=only_there.pk).update(next_query_at=None)
    gone, foreign, unasked = refunded(back), refunded(back), refunded(back, "3.00")
    move_all_to(the_day())
    charge = SandboxCharge.objects.get(reference=only_here.reference)
    charge.delete()
    SandboxCharge.objects.filter(reference=other.reference).update(amount=Decimal("0.01"))
    SandboxCharge.objects.filter(reference=currency.reference).update(currency="CNY")
    SandboxRefund.objects.filter(reference=gone.reference).delete()
    # An earlier attempt, which the shop has as failed and has sent again under another reference.
    Refund.objects.filter(pk=foreign.pk).update(reference=f"{foreign.reference}-2", provider_ref="")
    Refund.objects.filter(pk=unasked.pk).update(state=Refund.State.failed, detail="no such card")
    settled = SandboxProvider.settled

    def with_others(self: SandboxProvider, *, day: date, page: int) -> SettledPage:
        answer = settled(self, day=day, page=page)
        more = [("S0-1", "S0-1", "9.99"), (twice.reference, "T2", str(twice.amount))]
        rows = [
            Settled(False, reference, number, Decimal(amount), "AUD", noon_of(day))
            for reference, number, amount in more
        ]
        return SettledPage([*answer.rows, *rows], is_last=True) if day == the_day() else answer

    monkeypatch.setattr(SandboxProvider, "settled", with_others)
    expected = [
        ("amount", "payment", currency.reference),
        ("amount", "payment", other.reference),
        ("only_here", "payment", only_here.reference),
        ("only_here", "refund", gone.reference),
        ("only_here", "refund", f"{foreign.reference}-2"),
        ("only_there", "payment", "S0-1"),
        ("only_there", "refund", foreign.reference),
        ("only_there", "refund", unasked.reference),
        ("twice", "payment", twice.reference),
    ]
    assert reconcile() == sorted(expected)
    row = StatementDifference.objects.get(reference=other.reference)
    assert (row.theirs, row.ours) == ("AUD 0.01", f"AUD {other.amount}")
    assert rules() == {"statement-difference"}
    # What only the provider had as paid was settled as any money.
    assert Order.objects.get(pk=only_there.paid_order.pk).status == OrderStatus.paid
    audit_money()
    assert reconcile() == sorted(expected)
    assert StatementDifference.objects.count() == len(expected)
    # The list has it now; what staff have ticked off stays so, whatever is found again.
    charge.save(force_insert=True)
    services.fetch_again(statement=row.statement)
    services.tick_off(difference=row, staff=User.objects.get(username="helper"), note="Agreed")
    expected.remove(("only_here", "payment", only_here.reference))
    expected.remove(("amount", "payment", other.reference))
    assert reconcile() == sorted(expected)
    closed = StatementDifference.objects.exclude(state="open").values_list("reference", "state")
    assert set(closed) == {(only_here.reference, "gone"), (other.reference, "ticked")}
    # And back.
    StatementLine.objects.filter(reference=only_here.reference).delete()
    assert ("only_here", "payment", only_here.reference) in reconcile()
    assert StatementDifference.objects.get(reference=only_here.reference).closed_at is None


def test_a_list_that_is_fetched_again_while_it_is_compared_is_compared_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_paid_payment(Buyer())
    move_all_to(the_day())
    ask_about_unpaid = compare._ask_about_unpaid

    def fetched_again(statement: Statement) -> None:
        ask_about_unpaid(statement)
        services.fetch_again(statement=statement)

    monkeypatch.setattr(compare, "_ask_about_unpaid", fetched_again)
    assert reconcile() == []
    monkeypatch.setattr(compare, "_ask_about_unpaid", ask_about_unpaid)
    charge = SandboxCharge.objects.get()
    charge.pk, charge.reference = None, "S0-9"
    charge.save(force_insert=True)
    assert reconcile() == [("only_there", "payment", "S0-9")]


def test_what_staff_tick_off_while_it_is_compared_stays_ticked_off(monkeypatch: pytest.MonkeyPatch) -> None:
    payment = make_paid_payment(Buyer())
    move_all_to(the_day())
    SandboxCharge.objects.update(amount=1)
    assert reconcile() == [("amount", "payment", payment.reference)]
    StatementLine.objects.update(amount=payment.amount)
    staff, key = User.objects.create(username="helper"), compare._key

    def ticked_off(difference: StatementDifference) -> tuple[str, str, str, str]:
        services.tick_off(difference=difference, staff=staff, note="Agreed")
        return key(difference)

    monkeypatch.setattr(compare, "_key", ticked_off)
    assert reconcile() == []
    assert StatementDifference.objects.get().state == "ticked"


def test_a_list_is_tried_again_until_it_is_there_and_named_in_the_meantime(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        make_paid_payment(Buyer())
    day = the_day()
    move_all_to(day)
    settled = SandboxProvider.settled

    def without_the_rest(self: SandboxProvider, *, page: int, **asked: date) -> SettledPage:
        if asked == {"day": day} and page > 2:
            raise UnavailableError("status 503")
        return settled(self, page=page, **asked)

    monkeypatch.setattr(sandbox, "PAGE_SIZE", 1)
    monkeypatch.setattr(SandboxProvider, "settled", without_the_rest)
    assert reconcile() == []
    row = Statement.objects.get(day=day)
    assert (row.state, row.tries, StatementLine.objects.count()) == ("waiting", 1, 2)
    assert "not fetched: status 503" in caplog.text
    assert row.next_try_at
    # Not sooner than its time, and later each time.
    assert services.fetch_statements() == 0
    with time_machine.travel(row.next_try_at + timedelta(seconds=1)):
        services.fetch_statements()
        later = Statement.objects.get(day=day)
        assert later.next_try_at
        assert (later.tries, later.next_try_at - timezone.now() > timedelta(minutes=29)) == (2, True)
    Statement.objects.filter(day=day).update(tries=1_000)
    assert rules() == set()
    with time_machine.travel(noon_of(day + timedelta(days=3))):
        assert rules() == {"statement-fetched"}
        Statement.objects.filter(day=day).update(next_try_at=timezone.now())
        services.fetch_statements()
        assert Statement.objects.get(day=day).tries == 1_001
        monkeypatch.setattr(SandboxProvider, "settled", settled)
        Statement.objects.filter(day=day).update(next_try_at=timezone.now())
        assert services.fetch_statements() == 1
        assert rules() == set()
    assert StatementLine.objects.count() == 3


def test_neither_a_list_without_end_nor_one_that_takes_too_long_is_read_whole(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    endless = Mock(return_value=SettledPage([], is_last=False))
    monkeypatch.setattr(SandboxProvider, "settled", endless)
    monkeypatch.setattr(fetch, "DAYS_BACK", 1)
    reconcile()
    assert [each.kwargs["page"] for each in endless.mock_calls] == list(range(1, fetch.MAX_PAGES + 1))
    monkeypatch.setattr(fetch, "MAX_SECONDS", -1)
    Statement.objects.update(next_try_at=timezone.now())
    reconcile()
    assert endless.call_count == fetch.MAX_PAGES
    assert "too many pages" in caplog.text
    assert "takes too long" in caplog.text
    assert Statement.objects.get().state == "waiting"


def test_lists_that_fail_keep_no_customer_from_paying() -> None:
    failing = Mock(side_effect=UnavailableError("status 500"))
    with gateway_does("settled", failing):
        reconcile()
    assert set(Statement.objects.values_list("state", "tries")) == {("waiting", 1)}
    assert failing.call_count == MAX_FAILURES < fetch.DAYS_BACK
    make_paid_payment(Buyer())


def test_lines_go_after_two_years_and_differences_stay() -> None:
    payment = make_paid_payment(Buyer())
    move_all_to(the_day())
    Payment.objects.filter(pk=payment.pk).update(state=Payment.State.failed)
    SandboxCharge.objects.update(reference="S0-1")
    assert reconcile() == [("only_there", "payment", "S0-1")]
    assert purging.delete_old_lines() == 0
    with time_machine.travel(timezone.now() + timedelta(days=2 * 365 + 4)):
        assert purging.delete_old_lines() == 1
        # What was open is not resolved then, nor is all of its day missing in the list.
        services.compare_statements()
    assert StatementDifference.objects.get().state == "open"
    assert Statement.objects.count() == fetch.DAYS_BACK
