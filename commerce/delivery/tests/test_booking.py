import time
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from commerce.delivery.models import PickupException, PickupShop, PickupSlot
from commerce.delivery.services import book_slot, release_slots
from commerce.delivery.slots import slots
from commerce.delivery.tests.builders import make_shop
from core.clock import shop_zone
from core.errors import Err
from core.tests.refusals import refusal
from core.tests.threads import before_commit, between_check_and_save, concurrently


def last_offered(shop: PickupShop) -> datetime:
    return slots(shop.hours.all(), timezone.now())[-1].starts_at


def refused(shop: PickupShop, starts_at: datetime) -> bool:
    with refusal(Err.parameter_error, {"terminalDateTime": "parameter_error"}):
        book_slot(shop=shop, starts_at=starts_at)
    return True


@pytest.mark.django_db
def test_a_slot_takes_its_maximum_of_bookings_and_one_more_after_a_release() -> None:
    shop = make_shop(per_hour=2)
    starts_at = last_offered(shop)
    first = book_slot(shop=shop, starts_at=starts_at)
    assert book_slot(shop=shop, starts_at=starts_at) == first
    assert refused(shop, starts_at)
    assert PickupSlot.objects.get().booked == 2

    release_slots({first.pk: 1})
    book_slot(shop=shop, starts_at=starts_at)
    assert refused(shop, starts_at)


@pytest.mark.django_db
def test_releasing_without_a_booking_changes_nothing() -> None:
    shop = make_shop()
    slot = book_slot(shop=shop, starts_at=last_offered(shop))
    for _ in range(3):
        release_slots({slot.pk: 1})
    assert PickupSlot.objects.get().booked == 0


@pytest.mark.django_db
def test_only_an_offered_hour_of_an_open_shop_can_be_booked() -> None:
    shop = make_shop()
    starts_at = last_offered(shop)
    offered = {slot.starts_at for slot in slots(shop.hours.all(), timezone.now())}
    for wrong in (
        starts_at + timedelta(minutes=30),
        starts_at + timedelta(days=30),
        starts_at - timedelta(days=30),
        min(offered) - timedelta(days=1),
        timezone.now(),
    ):
        assert refused(shop, wrong)
    assert refused(make_shop(is_open=False), starts_at)
    assert not PickupSlot.objects.exists()


@pytest.mark.django_db
def test_a_closed_day_takes_no_bookings_and_keeps_those_it_has() -> None:
    shop = make_shop()
    starts_at = last_offered(shop)
    book_slot(shop=shop, starts_at=starts_at)
    PickupException.objects.create(date=timezone.localdate(starts_at, shop_zone()))
    assert refused(shop, starts_at)
    assert PickupSlot.objects.get().booked == 1


@pytest.mark.django_db
def test_a_changed_maximum_applies_to_a_slot_that_has_bookings() -> None:
    shop = make_shop(per_hour=3)
    starts_at = last_offered(shop)
    book_slot(shop=shop, starts_at=starts_at)
    book_slot(shop=shop, starts_at=starts_at)
    shop.hours.update(per_hour=1)
    assert refused(shop, starts_at)
    shop.hours.update(per_hour=4)
    book_slot(shop=shop, starts_at=starts_at)
    book_slot(shop=shop, starts_at=starts_at)
    assert refused(shop, starts_at)


@pytest.mark.django_db(transaction=True)
def test_100_bookings_at_the_same_time_of_an_hour_of_8_give_8() -> None:
    shop = make_shop(per_hour=8)
    starts_at = last_offered(shop)

    outcomes = concurrently(lambda _: book_slot(shop=shop, starts_at=starts_at), range(100))

    assert sum(isinstance(outcome, PickupSlot) for outcome in outcomes) == 8
    assert outcomes.count(Err.parameter_error) == 92
    assert PickupSlot.objects.get().booked == 8


@pytest.mark.django_db(transaction=True)
def test_control_reading_and_then_saving_overbooks() -> None:
    shop = make_shop()
    starts_at = last_offered(shop)
    PickupSlot.objects.create(shop=shop, starts_at=starts_at, capacity=6)

    def book(_: int) -> bool:
        slot = PickupSlot.objects.get(shop=shop, starts_at=starts_at)
        if slot.booked >= slot.capacity:
            return False
        # Time for another order between reading and saving.
        time.sleep(0.002)
        PickupSlot.objects.filter(pk=slot.pk).update(booked=slot.booked + 1)
        return True

    assert sum(outcome is True for outcome in concurrently(book, range(24))) > 6


@pytest.mark.django_db(transaction=True)
def test_hours_booked_while_an_editor_lowers_their_maximum_stay_booked(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = make_shop(per_hour=3)
    starts_at = last_offered(shop)
    values = {field: getattr(shop, field) for field in ("name_en", "name_zh", "address", "sort")}
    values |= {"location": shop.location_id, "is_open": "on", "cutoff_hours": 2}
    values |= {"hours-TOTAL_FORMS": 7, "hours-INITIAL_FORMS": 7, "hours-MIN_NUM_FORMS": 0}
    for place, row in enumerate(shop.hours.all()):
        fields = {"id": row.pk, "weekday": row.weekday, "opens": "9:00", "closes": "17:00", "per_hour": 1}
        values |= {f"hours-{place}-{name}": value for name, value in fields.items()}

    def book_twice() -> None:
        for _ in range(2):
            book_slot(shop=shop, starts_at=starts_at)

    def save() -> int:
        return staff.post(reverse("pickup_shops:edit", args=[shop.pk]), values).status_code

    booking = between_check_and_save(monkeypatch, PickupShop, book_twice)
    assert concurrently(lambda work: work(), [save, booking]) == [302, None]
    assert PickupSlot.objects.get().booked == 2
    assert refused(shop, starts_at)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["per_hour", "closed"])
def test_a_maximum_that_is_lowered_while_a_booking_waits_for_another_holds_for_it(change: str) -> None:
    shop = make_shop(per_hour=3)
    starts_at = last_offered(shop)
    first = book_slot(shop=shop, starts_at=starts_at)

    def lower_and_release() -> None:
        if change == "closed":
            PickupShop.objects.filter(pk=shop.pk).update(is_open=False)
        else:
            shop.hours.update(per_hour=0)
        release_slots({first.pk: 1})

    assert before_commit(lower_and_release, lambda: refused(shop, starts_at)) == [None, True]
    assert PickupSlot.objects.get().booked == 0
