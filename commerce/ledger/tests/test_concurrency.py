import time

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet, Sum

from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import make_customer
from commerce.ledger.models import LedgerAccount, LedgerEntry, PointsAdjustment
from commerce.ledger.points import adjust_points
from commerce.ledger.services import balance_of
from commerce.ledger.tests.builders import book, points_of
from core.errors import Err
from core.tests.constraints import without_constraint
from core.tests.races import SHOWS_RACES, only_where_races_show
from core.tests.threads import before_commit, concurrently

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def make_rich_customer() -> Customer:
    customer = make_customer()
    book(customer, 100, "1", Reason.opening)
    return customer


def test_concurrent_payments_never_overspend() -> None:
    customer = make_rich_customer()

    outcomes = concurrently(lambda each: book(customer, -7, f"order {each}", Reason.payment), range(50))

    assert sum(isinstance(outcome, LedgerEntry) for outcome in outcomes) == 14
    assert outcomes.count(Err.balance_insufficient) == 36
    entries = LedgerEntry.objects.filter(account__customer=customer).values_list("amount", flat=True)
    assert balance_of(customer=customer, kind=Kind.wallet) == sum(entries) == 2


def test_control_reading_and_then_saving_overspends() -> None:
    customer = make_rich_customer()

    def pay(number: int) -> bool:
        account = LedgerAccount.objects.get(customer=customer, kind=Kind.wallet)
        if account.balance < 7:
            return False
        # Time for another payment between reading and saving.
        time.sleep(0.002)
        LedgerAccount.objects.filter(pk=account.pk).update(balance=account.balance - 7)
        return True

    assert sum(outcome is True for outcome in concurrently(pay, range(50))) > 14


def test_one_reference_sent_many_times_at_the_same_time_is_posted_once() -> None:
    # Its account row exists: creating it here would make the others wait and hide the race.
    customer = make_rich_customer()

    outcomes = concurrently(lambda _: book(customer, 20, "R1"), range(20))

    assert len(set(outcomes)) == 1
    assert LedgerEntry.objects.filter(reason=Reason.recharge).count() == 1
    assert balance_of(customer=customer, kind=Kind.wallet) == 120


def test_control_reading_and_then_posting_books_one_reference_twice() -> None:
    customer = make_rich_customer()

    def top_up(number: int) -> None:
        with transaction.atomic():
            if LedgerEntry.objects.filter(reference__startswith="R1").exists():
                return
            # Time for a twin between reading and posting.
            time.sleep(0.1)
            # By a number of their own the constraint knows the twins for two.
            book(customer, 20, f"R1 {number}")

    concurrently(top_up, range(2))
    assert balance_of(customer=customer, kind=Kind.wallet) == (140 if SHOWS_RACES else 120)


def top_up_a_newcomer_twice() -> Customer:
    """Post a newcomer's second entry when the first is written and not yet committed."""
    customer = make_customer()

    first, second = before_commit(lambda: book(customer, 1, "R1"), lambda: book(customer, 1, "R2"))
    assert (first, isinstance(second, LedgerEntry)) == (None, True)
    return customer


def test_a_newcomers_first_entries_at_the_same_time_share_one_account() -> None:
    customer = top_up_a_newcomer_twice()
    assert LedgerAccount.objects.get().balance == balance_of(customer=customer, kind=Kind.wallet) == 2
    assert list(LedgerEntry.objects.order_by("pk").values_list("balance", flat=True)) == [1, 2]


@only_where_races_show
def test_control_without_the_constraint_postgresql_makes_a_newcomer_two_accounts() -> None:
    with without_constraint(LedgerAccount, "one_account_per_kind"):
        customer = top_up_a_newcomer_twice()
        assert LedgerAccount.objects.count() == 2
        assert balance_of(customer=customer, kind=Kind.wallet) == 1


def test_one_payment_sent_many_times_at_the_same_time_takes_the_last_money_once() -> None:
    customer = make_rich_customer()
    outcomes = concurrently(lambda _: book(customer, -100, "order 1", Reason.payment), range(20))
    assert len(set(outcomes)) == 1
    assert isinstance(outcomes[0], LedgerEntry)
    assert balance_of(customer=customer, kind=Kind.wallet) == 0


def adjust_twice_from_one_page() -> list[object]:
    """Let a page be pressed again while what it was pressed for first is not committed yet."""
    customer = make_customer()
    # Two members of staff, since the totals of one make the second press wait.
    anna, ben = (User.objects.create(username=name) for name in ("anna", "ben"))
    adjust_points(customer=customer, points=1, staff=anna, note="Welcome", seen=0)

    def press(staff: User) -> object:
        return adjust_points(customer=customer, points=30, staff=staff, note="Sorry", seen=1)

    outcomes = before_commit(lambda: press(anna), lambda: press(ben))
    posted = PointsAdjustment.objects.aggregate(total=Sum("points"))["total"]
    assert posted == points_of(customer)
    return [*outcomes, posted]


def test_an_adjustment_of_points_that_is_pressed_twice_at_the_same_time_is_made_once() -> None:
    assert adjust_twice_from_one_page() == [None, Err.points_adjusted, 31]


@only_where_races_show
def test_control_without_the_lock_postgresql_adjusts_points_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)
    assert adjust_twice_from_one_page()[2] == 61
