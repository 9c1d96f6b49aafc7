"""What staff may move alone (docs/guarantees/money.md#second-approval)."""

from datetime import timedelta
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from commerce.approvals import services
from commerce.approvals.models import StaffTotal
from commerce.approvals.services import KEPT_FOR, ORDERS_A_DAY, delete_old_totals, moves_alone
from core.tests.races import only_where_races_show
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def limit(settings: Settings) -> None:
    settings.APPROVAL_LIMIT = 100


def staff(name: str = "anna") -> User:
    return User.objects.get_or_create(username=name)[0]


def move(amount: str, subject: str = "order 1", name: str = "anna") -> bool:
    with transaction.atomic():
        return moves_alone(staff=staff(name), subject=subject, amount=Decimal(amount))


def test_a_person_moves_up_to_the_limit_alone_for_one_order_in_parts_too() -> None:
    assert [move("60.00"), move("40.01"), move("40.00"), move("0.01")] == [True, False, True, False]
    assert move("0.00")
    # The next day does not begin again for the same order; another order and another person do.
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        assert not move("0.01")
    assert move("100.00", subject="order 2")
    assert move("100.00", name="bert")
    totals = dict(StaffTotal.objects.filter(staff=staff(), scope="order 1").values_list("scope", "total"))
    assert totals == {"order 1": Decimal(100)}


def test_a_day_has_a_limit_for_all_orders_together() -> None:
    assert all(move("100.00", subject=f"order {number}") for number in range(ORDERS_A_DAY))
    assert not move("0.01", subject="order 9")
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        assert move("0.01", subject="order 9")


def test_old_totals_are_deleted() -> None:
    move("1.00")
    StaffTotal.objects.filter(scope="order 1").update(created_at=timezone.now() - KEPT_FOR)
    assert delete_old_totals() == 1
    assert StaffTotal.objects.count() == 1


def moved_together(times: int) -> Decimal:
    concurrently(lambda _number: move("60.00"), range(times))
    return StaffTotal.objects.get(scope="order 1").total


@pytest.mark.django_db(transaction=True)
def test_forms_that_are_sent_together_stay_within_the_limit() -> None:
    # The rows exist, since inserting them would already make the second form wait.
    assert move("1.00")
    assert moved_together(8) == Decimal(61)


@only_where_races_show
@pytest.mark.django_db(transaction=True)
def test_control_without_the_condition_two_forms_together_exceed_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert move("1.00")
    both_have_read = Barrier(2)

    def read_before(user: User, limits: Any, amount: Decimal) -> Any:
        rows = StaffTotal.objects.filter(staff=user, scope__in=limits)
        assert all(row.total + amount <= limits[row.scope] for row in rows)
        both_have_read.wait(10)
        return rows

    monkeypatch.setattr(services, "_within", read_before)
    assert moved_together(2) == Decimal(121)
