from decimal import Decimal
from functools import partial

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from commerce.accounts.tests.builders import make_customer
from commerce.ledger.models import ImmutableError, LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of, post
from commerce.ledger.tests.builders import book
from core.errors import Err, ShopError

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason
cents = st.integers(-50_000, 50_000).map(lambda n: Decimal(n) / 100)


class BalanceTest(TestCase):
    @settings(max_examples=60, deadline=None)
    @given(
        moves=st.lists(
            st.tuples(st.sampled_from(Kind.values), cents, st.integers(0, 12)), min_size=1, max_size=25
        )
    )
    def test_balance_is_the_sum_of_the_entries_and_never_negative(
        self, moves: list[tuple[str, Decimal, int]]
    ) -> None:
        customer = make_customer()
        expected = dict.fromkeys(Kind, Decimal(0))
        posted = set()
        for kind, amount, number in moves:
            repeat = (kind, number) in posted
            short = expected[Kind(kind)] + amount < 0
            move = partial(
                post,
                customer=customer,
                kind=Kind(kind),
                amount=amount,
                reason=Reason.adjustment,
                reference=str(number),
            )
            if short and not repeat:
                with pytest.raises(ShopError) as refusal:
                    move()
                points = kind == Kind.points
                assert refusal.value.err is (Err.points_insufficient if points else Err.balance_insufficient)
                continue
            entry = move()
            if not repeat:
                posted.add((kind, number))
                expected[Kind(kind)] += amount
                assert (entry.amount, entry.balance) == (amount, expected[Kind(kind)])
                if kind == Kind.wallet and amount > 0:
                    # A debt is paid first.
                    settled = min(expected[Kind.debt], expected[Kind.wallet])
                    expected[Kind.wallet] -= settled
                    expected[Kind.debt] -= settled
        for kind in Kind:
            entries = LedgerEntry.objects.filter(account__customer=customer, account__kind=kind)
            assert balance_of(customer=customer, kind=kind) == expected[kind]
            assert sum(entries.values_list("amount", flat=True)) == expected[kind]


def test_a_repeat_returns_the_first_entry_and_changes_nothing() -> None:
    customer = make_customer()
    first = book(customer, "100.00", "R1")
    again = book(customer, "55.00", "R1")
    assert again == first
    assert again.amount == Decimal("100.00")
    assert balance_of(customer=customer, kind=Kind.wallet) == Decimal("100.00")


def test_a_wallet_of_cents_can_be_emptied_exactly() -> None:
    customer = make_customer()
    for number, amount in enumerate(["0.10", "0.20", "-0.30"]):
        entry = book(customer, amount, str(number), Reason.adjustment)
    assert entry.balance == 0
    with pytest.raises(ShopError):
        book(customer, "-0.01", "x", Reason.adjustment)


def test_wallet_points_and_customers_have_separate_accounts() -> None:
    mine, other = make_customer(), make_customer()
    for customer, kind, amount in [(mine, Kind.wallet, 5), (mine, Kind.points, 7), (other, Kind.wallet, 9)]:
        post(customer=customer, kind=kind, amount=Decimal(amount), reason=Reason.opening, reference="1")
    assert balance_of(customer=mine, kind=Kind.wallet) == 5
    assert balance_of(customer=mine, kind=Kind.points) == 7
    assert balance_of(customer=other, kind=Kind.wallet) == 9
    assert balance_of(customer=other, kind=Kind.points) == 0


def test_an_entry_cannot_be_changed_or_deleted() -> None:
    customer = make_customer()
    entry = book(customer, 5, "1", Reason.opening)
    entry.amount = Decimal(500)
    for change in (
        entry.save,
        entry.delete,
        LedgerEntry.objects.all().delete,
        lambda: LedgerEntry.objects.update(amount=500),
        lambda: LedgerEntry.objects.bulk_update([entry], ["amount"]),
        lambda: entry.account.entries.update(amount=500),
    ):
        with pytest.raises(ImmutableError), transaction.atomic():
            change()
    assert LedgerEntry.objects.get().amount == Decimal(5)
