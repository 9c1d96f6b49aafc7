"""Providers' lists in the back office: the screens of staff, and the right to tick off."""

from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from commerce.accounts.tests.staff import set_language, staff_with
from commerce.orders.tests.builders import Buyer, nothing_changes
from commerce.payments.models import Payment
from commerce.payments.tests.builders import make_paid_payment
from commerce.statements.models import Statement, StatementDifference
from commerce.statements.tests.builders import the_day
from core.tests.pages import html_of, shown
from core.tests.queries import statements_of
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture
def difference() -> StatementDifference:
    """A payment that a list has with another amount, and a list that was not fetched."""
    payment = make_paid_payment(Buyer())
    Statement.objects.create(provider="paypal", day="2026-01-31", next_try_at=timezone.now())
    return make_difference(payment)


def make_difference(payment: Payment) -> StatementDifference:
    statement, _ = Statement.objects.get_or_create(provider="sandbox", day=the_day(), state="fetched")
    return StatementDifference.objects.create(
        statement=statement,
        reason="amount",
        kind="payment",
        reference=payment.reference,
        payment=payment,
        their_amount="0.01",
        their_currency="AUD",
        our_amount=payment.amount,
        our_currency="AUD",
    )


VIEWER = ("view_statement", "view_statementdifference")


def text(client: Client, name: str, *args: Any) -> str:
    return shown(client, reverse(name, args=args))


def test_staff_with_the_right_tick_off_with_a_note(difference: StatementDifference) -> None:
    boss = staff_with(*VIEWER, "tick_off_difference")
    for name in ("statement_differences:index", "statement_differences:inspect"):
        page = text(boss, name, *([difference.pk] if name.endswith("inspect") else []))
        for part in (difference.reference, "Another amount or currency", "0.01", "Sandbox, without money"):
            assert part in page
    assert "which one has really moved" in page
    lists = html_of(boss.get(reverse("statements:index"), {"provider": ["sandbox"]}))
    assert reverse("statements:inspect", args=[difference.statement_id]) in lists
    assert reverse("statements:inspect", args=[Statement.objects.get(provider="paypal").pk]) not in lists
    tick = reverse("statement_difference_tick", args=[difference.pk])
    with nothing_changes():
        for note in ("", "  ", "x" * 201):
            answer = boss.post(tick, {"note": note}, follow=True)
            assert "Please enter a note" in html_of(answer)
    assert "was ticked off" in html_of(boss.post(tick, {"note": "Agreed"}, follow=True))
    difference.refresh_from_db()
    assert (difference.state, difference.note, str(difference.staff)) == ("ticked", "Agreed", "staff3")
    assert difference.closed_at
    with nothing_changes():
        assert "closed in the meantime" in html_of(boss.post(tick, {"note": "Again"}, follow=True))
    fetch = reverse("statement_fetch", args=[difference.statement_id])
    assert "Fetch again" in text(boss, "statements:inspect", difference.statement_id)
    assert "within ten minutes" in html_of(boss.post(fetch, follow=True))
    assert Statement.objects.get(pk=difference.statement_id).state == "waiting"


def test_who_may_only_look_changes_nothing(difference: StatementDifference) -> None:
    viewer = staff_with(*VIEWER)
    assert "Tick off</button>" not in text(viewer, "statement_differences:inspect", difference.pk)
    assert "Fetch again" not in text(viewer, "statements:inspect", difference.statement_id)
    with nothing_changes():
        for url in (
            reverse("statement_difference_tick", args=[difference.pk]),
            reverse("statement_fetch", args=[difference.statement_id]),
            reverse("statement_differences:edit", args=[difference.pk]),
            reverse("statements:delete", args=[difference.statement_id]),
        ):
            assert viewer.post(url, {"note": "x", "state": "ticked"}).status_code == 302


def test_the_dashboard_shows_open_differences_and_lists_that_are_missing(
    difference: StatementDifference, subtests: pytest.Subtests
) -> None:
    viewer = staff_with(*VIEWER)
    for language, parts in (
        ("en", ("Differences from providers’ lists", "This list could not be fetched yet")),
        ("zh-hans", ("与支付渠道账单的差异", "尚未取得此账单")),
    ):
        with subtests.test(language=language, parts=parts), rolled_back():
            set_language(viewer, language)
            page = text(viewer, "wagtailadmin_home")
            for part in (
                *parts,
                difference.reference,
                reverse("statement_differences:inspect", args=[difference.pk]),
            ):
                assert part in page
            assert difference.reference not in text(staff_with(), "wagtailadmin_home")
            StatementDifference.objects.update(state="gone")
            Statement.objects.update(state="fetched", next_try_at=None)
            assert parts[0] not in text(viewer, "wagtailadmin_home")


def test_the_lists_take_the_same_queries_for_one_row_and_for_many(difference: StatementDifference) -> None:
    viewer = staff_with(*VIEWER)

    def queries() -> list[int]:
        names = ("statement_differences:index", "statements:index")
        return [len(statements_of(partial(text, viewer, name))) for name in names]

    queries()
    before = queries()
    for _ in range(3):
        make_difference(make_paid_payment(Buyer()))
    assert queries() == before
