"""The windows of the van (docs/product.md#delivery-windows)."""

import time as clock_time
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django import Settings

from catalog.goods.models import Product, Storage
from commerce.accounts.tests.builders import make_address, make_customer
from commerce.delivery.models import DeliveryDayOff, DeliverySlot, DeliveryWindow
from commerce.delivery.services import book_window, release_windows
from commerce.delivery.tests.builders import make_freight_rule, make_windows
from commerce.delivery.windows import windows
from commerce.orders.audit import differences
from commerce.orders.models import Order
from commerce.orders.services import expire_due_orders, mark_paid
from commerce.orders.tests.builders import Answer, Buyer, audit, make_stocked, nothing_changes
from core import clock
from core.errors import Err, ShopError
from core.tests.threads import at_once, before_commit

PERTH = {"province_name": "WA", "city_name": "Perth", "area_name": "Northbridge", "zip_code": "6003"}
PERTH_TEXT = "Australia-WA-Perth-Northbridge-6003"


def make_window(weekday: int = 0, starts: str = "09:00", ends: str = "12:00", **kw: Any) -> DeliveryWindow:
    return DeliveryWindow(
        weekday=weekday, starts=time.fromisoformat(starts), ends=time.fromisoformat(ends), **kw
    )


def begins(rows: list[DeliveryWindow], now: str, *days_off: date) -> list[str]:
    return [clock.to_wire(each.starts_at) for each in windows(rows, clock.from_wire(now), days_off)]


# 23/11/2026 is a Monday.
def test_windows_are_offered_in_order_from_their_cut_off_to_seven_days_ahead() -> None:
    afternoon, morning = make_window(starts="13:00", ends="17:00"), make_window(cutoff_hours=2)
    rows = [afternoon, morning]
    assert begins(rows, "22/11/2026 23:00") == ["23/11/2026 09:00", "23/11/2026 13:00"]
    assert begins(rows, "23/11/2026 07:00") == ["23/11/2026 09:00"]
    assert begins(rows, "23/11/2026 07:01") == []
    assert begins(rows, "23/11/2026 09:01") == ["30/11/2026 09:00"]


def test_on_a_day_off_no_window_is_offered() -> None:
    rows = [make_window(day) for day in range(7)]
    found = begins(rows, "22/11/2026 12:00", date(2026, 11, 24))
    assert "23/11/2026 09:00" in found
    assert "24/11/2026 09:00" not in found


def test_a_window_that_begins_as_the_clock_skips_an_hour_does_not_appear(settings: Settings) -> None:
    settings.TIME_ZONE = "Australia/Sydney"
    rows = [make_window(6, "02:30", "04:00"), make_window(6, "03:30", "04:00")]
    found = windows(rows, datetime(2027, 10, 1, tzinfo=UTC))
    assert [clock.to_wire(each.starts_at) for each in found] == ["03/10/2027 03:30"]


def last_offered() -> datetime:
    return windows(DeliveryWindow.objects.all(), timezone.now())[-1].starts_at


def refused(starts_at: datetime, *, is_full: bool = False) -> bool:
    with pytest.raises(ShopError) as refusal:
        book_window(starts_at=starts_at)
    error = refusal.value
    assert (error.err, error.fields) == (Err.parameter_error, {"deliverySlot": "parameter_error"})
    return (error.why is not None) == is_full


@pytest.mark.django_db
def test_only_an_offered_window_can_be_booked() -> None:
    make_windows()
    starts_at = last_offered()
    for wrong in (starts_at + timedelta(minutes=30), starts_at + timedelta(days=30), timezone.now()):
        assert refused(wrong)
    DeliveryDayOff.objects.create(date=timezone.localdate(starts_at, clock.shop_zone()))
    assert refused(starts_at)
    assert not DeliverySlot.objects.exists()


@pytest.mark.django_db
def test_a_changed_capacity_applies_to_a_window_that_has_bookings() -> None:
    make_windows(capacity=3)
    starts_at = last_offered()
    first = book_window(starts_at=starts_at)
    assert book_window(starts_at=starts_at) == first
    DeliveryWindow.objects.update(capacity=1)
    assert refused(starts_at, is_full=True)
    DeliveryWindow.objects.update(capacity=3)
    book_window(starts_at=starts_at)
    assert refused(starts_at, is_full=True)
    release_windows({first.pk: 1})
    book_window(starts_at=starts_at)


@pytest.mark.django_db(transaction=True)
def test_100_bookings_at_once_of_a_window_of_8_give_8() -> None:
    make_windows(capacity=8)
    starts_at = last_offered()

    outcomes = at_once(lambda _: book_window(starts_at=starts_at), range(100))

    assert sum(isinstance(outcome, DeliverySlot) for outcome in outcomes) == 8
    assert outcomes.count(Err.parameter_error) == 92
    assert DeliverySlot.objects.get().booked == 8


@pytest.mark.django_db(transaction=True)
def test_control_reading_and_then_saving_overbooks_a_window() -> None:
    slot = DeliverySlot.objects.create(starts_at=timezone.now(), ends_at=timezone.now(), capacity=8)

    def book(_: int) -> bool:
        row = DeliverySlot.objects.get(pk=slot.pk)
        if row.booked >= row.capacity:
            return False
        # Time for another order between reading and saving.
        clock_time.sleep(0.002)
        DeliverySlot.objects.filter(pk=row.pk).update(booked=row.booked + 1)
        return True

    assert sum(outcome is True for outcome in at_once(book, range(100))) > 8


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["capacity", "day off"])
def test_what_staff_change_while_a_booking_waits_holds_for_it(change: str) -> None:
    make_windows(capacity=3)
    starts_at = last_offered()
    first = book_window(starts_at=starts_at)

    def change_and_release() -> None:
        if change == "capacity":
            DeliveryWindow.objects.update(capacity=0)
        else:
            DeliveryDayOff.objects.create(date=timezone.localdate(starts_at, clock.shop_zone()))
        release_windows({first.pk: 1})

    book = lambda: refused(starts_at, is_full=change == "capacity")  # noqa: E731
    assert before_commit(change_and_release, book) == [None, True]
    assert DeliverySlot.objects.get().booked == 0


# ── With orders ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def buyer(db: None) -> Buyer:
    make_windows(capacity=1)
    for storage in Storage.values:
        make_freight_rule(storage=storage)
    customer = make_customer()
    make_address(customer, **PERTH)
    return Buyer(customer)


@pytest.fixture
def dumplings(buyer: Buyer) -> Product:
    return make_stocked(storage=Storage.frozen)


def order(buyer: Buyer, product: Product, slot: str | None = None, **kw: Any) -> Answer:
    slot = clock.to_wire(last_offered()) if slot is None else slot
    return buyer.order((product, 1), deliverySlot=slot, **kw)


def test_an_order_books_its_window_and_shows_it(buyer: Buyer, dumplings: Product) -> None:
    number = order(buyer, dumplings, leaveAtDoor=True)["result"]["orderNo"]
    detail = buyer.send("GET", f"/order/detailed/{number}")["result"]
    slot = DeliverySlot.objects.get()
    assert (slot.booked, detail["leaveAtDoor"]) == (1, True)
    assert (detail["deliverySlot"], detail["deliveryUntil"]) == (
        clock.to_wire(slot.starts_at),
        clock.to_wire(slot.ends_at),
    )
    audit()


def test_an_order_without_a_window_is_made_all_the_same(buyer: Buyer, dumplings: Product) -> None:
    number = order(buyer, dumplings, "")["result"]["orderNo"]
    detail = buyer.send("GET", f"/order/detailed/{number}")["result"]
    assert (detail["deliverySlot"], detail["deliveryUntil"], detail["leaveAtDoor"]) == (None, None, False)
    assert not DeliverySlot.objects.exists()


def test_a_full_window_refuses_an_order_and_says_so(buyer: Buyer, dumplings: Product) -> None:
    order(buyer, dumplings)
    code = buyer.trade()
    with nothing_changes():
        answer = order(buyer, dumplings, code=code)
    assert (answer["reason"], answer["fields"]) == ("parameter_error", {"deliverySlot": "parameter_error"})
    assert answer["whyEn"] == "This window is full. Please choose another one."
    assert answer["why"] == "该时段已约满，请选择其他时段。"


@pytest.mark.parametrize("wrong", ["storage", "place", "text"])
def test_a_window_is_only_for_what_the_van_brings(buyer: Buyer, dumplings: Product, wrong: str) -> None:
    product, slot = dumplings, None
    if wrong == "storage":
        product = make_stocked()
    elif wrong == "place":
        buyer.customer.addresses.update(province_name="NSW", area_name="Sydney", zip_code="2000")
    else:
        slot = "tomorrow"
    code = buyer.trade()
    with nothing_changes():
        answer = order(buyer, product, slot, code=code)
    assert answer["fields"] == {"deliverySlot": "parameter_error"}


@pytest.mark.parametrize("end", ["canceled", "expired"])
def test_an_order_that_ends_gives_its_window_back_and_a_late_payment_takes_it_again(
    buyer: Buyer, dumplings: Product, end: str
) -> None:
    number = order(buyer, dumplings)["result"]["orderNo"]
    if end == "canceled":
        buyer.send("PUT", f"/order/cancel/{number}")
    else:
        Order.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
        assert expire_due_orders() == 1
    assert DeliverySlot.objects.get().booked == 0
    late = Order.objects.get(order_no=number)
    assert mark_paid(order=late, pay_type="5")
    assert DeliverySlot.objects.get().booked == 1
    assert not list(differences())


def test_a_late_payment_whose_window_is_taken_revives_nothing(buyer: Buyer, dumplings: Product) -> None:
    number = order(buyer, dumplings)["result"]["orderNo"]
    buyer.send("PUT", f"/order/cancel/{number}")
    order(buyer, dumplings)
    late = Order.objects.get(order_no=number)
    with nothing_changes():
        assert not mark_paid(order=late, pay_type="5")


def test_the_windows_of_an_address_are_listed_with_what_is_left(buyer: Buyer, dumplings: Product) -> None:
    order(buyer, dumplings)
    lines = [{"goodsId": dumplings.pk, "goodsAmount": 1}]
    body = {"address": PERTH_TEXT, "orderGoods": lines}
    result = buyer.send("POST", "/common/deliverySlots", body)["result"]
    slot = DeliverySlot.objects.get()
    assert result["offered"]
    assert Counter(each["left"] for each in result["slots"])[0] == 1
    assert result["slots"][-1] == {
        "deliverySlot": clock.to_wire(slot.starts_at),
        "endTime": clock.to_wire(slot.ends_at),
        "left": 0,
    }
    for address in ("Australia-NSW-Sydney-2000", "China-广东省-深圳市"):
        elsewhere = buyer.send("POST", "/common/deliverySlots", body | {"address": address})["result"]
        assert elsewhere == {"offered": False, "slots": []}
    dry = [{"goodsId": make_stocked().pk, "goodsAmount": 1}]
    assert not buyer.send("POST", "/common/deliverySlots", body | {"orderGoods": dry})["result"]["offered"]
    assert buyer.send("POST", "/common/deliverySlots", body | {"address": ""})["reason"] == "address_error"


def test_windows_changed_later_change_nothing_of_an_order(buyer: Buyer, dumplings: Product) -> None:
    number = order(buyer, dumplings)["result"]["orderNo"]
    before = buyer.send("GET", f"/order/detailed/{number}")["result"]
    DeliveryWindow.objects.all().delete()
    buyer.customer.addresses.all().delete()
    with time_machine.travel(timezone.now() + timedelta(days=20), tick=False):
        detail = buyer.send("GET", f"/order/detailed/{number}")["result"]
    assert (detail["deliverySlot"], detail["address"]) == (before["deliverySlot"], before["address"])
