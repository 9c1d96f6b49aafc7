"""Orders that book a window of the van (docs/product.md#delivery-windows)."""

import re
from collections import Counter
from datetime import time, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.goods.models import Product, Storage
from commerce.accounts.tests.builders import make_address, make_customer
from commerce.delivery.models import DeliverySlot, DeliveryWindow
from commerce.delivery.tests.builders import make_freight_rule, make_windows
from commerce.delivery.windows import windows
from commerce.orders.audit import differences
from commerce.orders.models import Order
from commerce.orders.services import expire_due_orders, mark_paid
from commerce.orders.tests.baskets import lines_of
from commerce.orders.tests.builders import Answer, Buyer, audit, make_stocked, nothing_changes
from core import clock
from core.tests.pages import html_of
from core.tests.queries import statements_of
from core.tests.rows import rolled_back

PERTH = {"province_name": "WA", "city_name": "Perth", "area_name": "Northbridge", "zip_code": "6003"}
PERTH_TEXT = "Australia-WA-Perth-Northbridge-6003"


def last_offered() -> str:
    return clock.to_wire(windows(DeliveryWindow.objects.all(), timezone.now())[-1].starts_at)


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
    slot = last_offered() if slot is None else slot
    return buyer.order((product, 1), deliverySlot=slot, **kw)


def test_an_order_books_its_window_and_shows_it(buyer: Buyer, dumplings: Product) -> None:
    number = order(buyer, dumplings, leaveAtDoor=True)["result"]["orderNo"]
    detail = buyer.send("GET", f"/order/detailed/{number}")["result"]
    slot = DeliverySlot.objects.get()
    assert (slot.booked, detail["leaveAtDoor"]) == (1, True)
    found = (detail["deliverySlot"], detail["deliveryUntil"])
    assert found == (clock.to_wire(slot.starts_at), clock.to_wire(slot.ends_at))
    audit()


def test_a_window_adds_five_statements_to_an_order(
    buyer: Buyer, dumplings: Product, settings: LazySettings
) -> None:
    # What processes share was read by an earlier order.
    settings.SNAPSHOT_SECONDS = 3600
    DeliveryWindow.objects.update(capacity=2)
    order(buyer, dumplings)
    mark_paid(order=Order.objects.get(), pay_type="5")
    counts = []
    for slot in ("", last_offered()):
        counts.append(len(statements_of(partial(order, buyer, dumplings, slot, code=buyer.trade()))))
        # A second unpaid order in the window is refused.
        mark_paid(order=Order.objects.latest("pk"), pay_type="5")
    assert Order.objects.count() == 3
    assert counts[1] - counts[0] == 5


def test_staff_read_on_the_order_page_what_packer_and_driver_must_know(
    buyer: Buyer, dumplings: Product, admin_client: Client
) -> None:
    wishes: dict[str, Any] = {"leaveAtDoor": True, "remark": "Blue door", "soldOutWish": "refund"}
    number = order(buyer, dumplings, **wishes)["result"]["orderNo"]
    placed, slot = Order.objects.get(order_no=number), DeliverySlot.objects.get()
    # The window of another order may have another end.
    DeliverySlot.objects.update(ends_at=slot.ends_at + timedelta(hours=1))
    page = html_of(admin_client.get(reverse("orders:inspect", args=[placed.pk])))
    starts, ends = timezone.localtime(slot.starts_at), timezone.localtime(slot.ends_at)
    assert f"{starts:%Y, %H:%M}–{ends:%H:%M}" in page
    assert re.search(r"May be left at the door</dt>\s*<dd>\s*Yes", page)
    assert "Blue door" in page
    assert re.search(r"If something is sold out</dt>\s*<dd>\s*Refund", page)
    # Of the product and of its parcel.
    assert page.count("<td>Frozen</td>") == 2


def test_an_order_without_a_window_is_made_all_the_same(buyer: Buyer, dumplings: Product) -> None:
    number = order(buyer, dumplings, "")["result"]["orderNo"]
    detail = buyer.send("GET", f"/order/detailed/{number}")["result"]
    assert (detail["deliverySlot"], detail["deliveryUntil"], detail["leaveAtDoor"]) == (None, None, False)
    assert not DeliverySlot.objects.exists()


def test_a_full_window_refuses_an_order_with_its_reason(buyer: Buyer, dumplings: Product) -> None:
    order(Buyer(), dumplings)
    code = buyer.trade()
    with nothing_changes():
        answer = order(buyer, dumplings, code=code)
    assert (answer["reason"], answer["fields"]) == ("parameter_error", {"deliverySlot": "parameter_error"})
    assert answer["whyEn"] == "This window is full. Please choose another one."
    assert answer["why"] == "该时段已约满，请选择其他时段。"


def test_a_window_is_only_for_what_the_van_brings(
    buyer: Buyer, dumplings: Product, subtests: pytest.Subtests
) -> None:
    for wrong in ("storage", "place", "text"):
        with subtests.test(wrong=wrong), rolled_back():
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


def test_an_order_that_ends_gives_its_window_back_and_a_late_payment_takes_it_again(
    buyer: Buyer, dumplings: Product, subtests: pytest.Subtests
) -> None:
    number = order(buyer, dumplings)["result"]["orderNo"]
    for end in ("canceled", "expired"):
        with subtests.test(end=end), rolled_back():
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


def canceled(buyer: Buyer, product: Product) -> Order:
    """Cancel an order that has booked the last window."""
    number = order(buyer, product)["result"]["orderNo"]
    buyer.send("PUT", f"/order/cancel/{number}")
    return Order.objects.get(order_no=number)


def test_a_late_payment_books_the_window_with_the_end_that_staff_have_given_it(
    buyer: Buyer, dumplings: Product
) -> None:
    late = canceled(buyer, dumplings)
    DeliveryWindow.objects.update(ends=time(23))
    assert mark_paid(order=late, pay_type="5")
    detail = buyer.send("GET", f"/order/detailed/{late}")["result"]
    assert detail["deliveryUntil"][-5:] == "23:00"


def test_a_late_payment_whose_window_is_taken_revives_nothing(buyer: Buyer, dumplings: Product) -> None:
    late = canceled(buyer, dumplings)
    order(buyer, dumplings)
    with nothing_changes():
        assert not mark_paid(order=late, pay_type="5")


def test_a_late_payment_after_the_window_has_begun_revives_the_order_without_one(
    buyer: Buyer, dumplings: Product
) -> None:
    late, slot = canceled(buyer, dumplings), DeliverySlot.objects.get()
    with time_machine.travel(slot.starts_at - timedelta(minutes=1), tick=False), nothing_changes():
        assert not mark_paid(order=late, pay_type="5")
    with time_machine.travel(slot.starts_at, tick=False):
        assert mark_paid(order=late, pay_type="5")
        late.refresh_from_db()
        assert (late.status, late.delivery_slot, DeliverySlot.objects.get().booked) == (2, None, 0)
        assert not list(differences())


def test_the_windows_of_an_address_are_listed_with_what_is_left(buyer: Buyer, dumplings: Product) -> None:
    order(buyer, dumplings)
    body = {"address": PERTH_TEXT, "orderGoods": lines_of((dumplings, 1))}
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
    dry = lines_of((make_stocked(), 1))
    assert not buyer.send("POST", "/common/deliverySlots", body | {"orderGoods": dry})["result"]["offered"]
    assert buyer.send("POST", "/common/deliverySlots", body | {"address": ""})["reason"] == "address_error"


def test_an_order_keeps_the_end_of_its_window_that_staff_change(buyer: Buyer, dumplings: Product) -> None:
    DeliveryWindow.objects.update(capacity=2)
    ends = []
    numbers = {}
    for hour, shopper in ((20, buyer), (21, Buyer())):
        DeliveryWindow.objects.update(ends=time(hour))
        numbers[shopper] = order(shopper, dumplings)["result"]["orderNo"]
        details = [
            owner.send("GET", f"/order/detailed/{number}")["result"] for owner, number in numbers.items()
        ]
        ends = [detail["deliveryUntil"][-5:] for detail in details]
    assert ends == ["20:00", "21:00"]
    # One from before orders kept it has that of the first booking.
    Order.objects.update(delivery_until=None)
    [slot] = DeliverySlot.objects.all()
    assert {each.window_ends_at for each in Order.objects.all()} == {slot.ends_at}
    audit()


def test_windows_changed_later_change_nothing_of_an_order(buyer: Buyer, dumplings: Product) -> None:
    number = order(buyer, dumplings)["result"]["orderNo"]
    before = buyer.send("GET", f"/order/detailed/{number}")["result"]
    DeliveryWindow.objects.all().delete()
    buyer.customer.addresses.all().delete()
    with time_machine.travel(timezone.now() + timedelta(days=20), tick=False):
        detail = buyer.send("GET", f"/order/detailed/{number}")["result"]
    assert (detail["deliverySlot"], detail["address"]) == (before["deliverySlot"], before["address"])
