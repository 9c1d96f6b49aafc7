"""Orders whose money staff collect are held for longer, and show it by their image."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone
from pytest_django import Settings

from commerce.delivery.models import DeliverySlot, PickupSlot
from commerce.orders.audit import differences
from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.services import expire_due_orders, mark_paid
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Answer,
    Buyer,
    audit,
    make_order,
    make_paid,
    make_pick_up,
    nothing_changes,
    press,
)
from commerce.payments.hold_times import held_until
from commerce.payments.models import Certificate, PayType
from commerce.payments.tests.builders import make_van_order, pay
from core.ids import new_secret
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

IN_STORE, ON_DELIVERY = "/static/img/pay-in-store.webp", "/static/img/pay-on-delivery.webp"


@pytest.fixture
def buyer() -> Buyer:
    PayType.objects.update(enabled=True)
    return Buyer()


def label_of(buyer: Buyer, order: Order) -> str:
    label: str = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]["statusLabel"]
    return label


def certificate_of(buyer: Buyer) -> str:
    certificate = Certificate.objects.create(customer=buyer.customer, name=new_secret())
    return f"/pay/certificate/{certificate.name}?key=anything"


def send_picture(buyer: Buyer, order: Order, url: str | None = None) -> Answer:
    """Prove a transfer by a picture, by default a new one of the customer's."""
    body = {"imgUrl": certificate_of(buyer) if url is None else url, "orderNo": order.order_no}
    return buyer.send("POST", "/savePayCertificates", body)


def test_an_order_is_held_for_as_long_as_its_pay_type_takes(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_order(buyer)
    for pay_type, held_for in (
        ("5", timedelta(minutes=30)),
        ("1", timedelta(hours=24)),
        ("transfer", timedelta(days=3)),
    ):
        with subtests.test(pay_type=pay_type, held_for=held_for), rolled_back():
            assert pay(buyer, order, pay_type)["code"] == 0
            order.refresh_from_db()
            assert order.expires_at is not None
            assert abs(order.expires_at - order.created_at - held_for) < timedelta(seconds=2)
            with time_machine.travel(order.expires_at - timedelta(minutes=1), tick=False):
                assert expire_due_orders() == 0
            with time_machine.travel(order.expires_at + timedelta(minutes=1), tick=False):
                assert expire_due_orders() == 1
            audit()


def test_cash_for_a_pick_up_is_held_until_the_day_of_its_hour_is_over_and_some_hours_more(
    buyer: Buyer, settings: Settings
) -> None:
    settings.CASH_GRACE_HOURS = 3
    # In UTC it is still the day before.
    with time_machine.travel("2026-11-24T06:30:00+08:00", tick=False):
        order = make_pick_up(buyer)
        answer = pay(buyer, order, "cashOnDelivery")
    assert answer["result"] == {"jumpUrl": None}
    order.refresh_from_db()
    assert order.expires_at == datetime.fromisoformat("2026-11-25T03:00:00+08:00")
    assert (order.status, order.pay_img, label_of(buyer, order)) == (1, IN_STORE, "Pay In Store")


def test_cash_for_the_van_is_held_until_the_day_of_its_window_is_over_and_some_hours_more(
    buyer: Buyer,
) -> None:
    order = make_order(buyer)
    starts_at = datetime.fromisoformat("2026-11-24T18:00:00+08:00")
    window = DeliverySlot.objects.create(
        starts_at=starts_at, ends_at=starts_at + timedelta(hours=3), capacity=1, booked=1
    )
    Order.objects.filter(pk=order.pk).update(delivery_slot=window)
    order.refresh_from_db()
    assert held_until(order, "cashOnDelivery") == datetime.fromisoformat("2026-11-25T12:00:00+08:00")


def test_who_comes_after_the_hour_and_pays_cash_is_served_and_keeps_the_booking(buyer: Buyer) -> None:
    order = make_pick_up(buyer)
    pay(buyer, order, "cashOnDelivery")
    slot = PickupSlot.objects.get()
    with time_machine.travel(slot.starts_at + timedelta(hours=2), tick=False):
        assert expire_due_orders() == 0
        assert mark_paid(order=order, pay_type="cashOnDelivery")
        press(order, Move.prepare, Move.hand_over)
        slot.refresh_from_db()
        assert (order.status, order.pickup_slot, slot.booked) == (OrderStatus.completed, slot, 1)
        assert not list(differences())


def test_money_for_an_order_whose_hour_has_passed_revives_it_without_an_hour(buyer: Buyer) -> None:
    order = make_pick_up(buyer)
    pay(buyer, order, "cashOnDelivery")
    order.refresh_from_db()
    assert order.expires_at is not None
    with time_machine.travel(order.expires_at, tick=False):
        assert expire_due_orders() == 1
        # Others have taken all of it in the meantime, as far as it was still to be had.
        PickupSlot.objects.update(capacity=0)
        assert mark_paid(order=order, pay_type="cashOnDelivery")
        order.refresh_from_db()
        assert (order.status, order.pickup_slot) == (OrderStatus.paid, None)
        assert PickupSlot.objects.get().booked == 0
        detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
        assert detail["shop"]["terminalDateTime"]
        press(order, Move.prepare, Move.hand_over)
        assert not list(differences())


def test_cash_on_delivery_has_the_image_of_a_delivery(buyer: Buyer) -> None:
    order = make_van_order(buyer)
    pay(buyer, order, "cashOnDelivery")
    order.refresh_from_db()
    assert (order.pay_img, label_of(buyer, order)) == (ON_DELIVERY, "Pay In Store")


def test_another_pay_type_takes_the_image_of_cash_away_and_shortens_nothing(buyer: Buyer) -> None:
    order = make_van_order(buyer)
    pay(buyer, order, "cashOnDelivery")
    held = Order.objects.get().expires_at
    pay(buyer, order, "1")
    pay(buyer, order, "5")
    order.refresh_from_db()
    assert (order.pay_img, order.expires_at, label_of(buyer, order)) == ("", held, "Unpaid")


def test_choosing_again_prolongs_nothing(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, "1")
    held = Order.objects.get().expires_at
    with time_machine.travel(timezone.now() + timedelta(hours=20), tick=False):
        pay(buyer, order, "1")
    assert Order.objects.get().expires_at == held


def test_a_transfer_with_its_picture_waits_for_review_and_keeps_it(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, "transfer")
    assert label_of(buyer, order) == "Unpaid"
    almost_over = Order.objects.get().expires_at
    assert isinstance(almost_over, datetime)
    with time_machine.travel(almost_over - timedelta(hours=1), tick=False):
        url = certificate_of(buyer)
        answer = send_picture(buyer, order, url)
        assert answer["result"] == 1
        order.refresh_from_db()
        assert order.expires_at == timezone.now() + timedelta(days=3)
        other = certificate_of(buyer)
        send_picture(buyer, order, other)
    with time_machine.travel(almost_over, tick=False):
        pay(buyer, order, "5")
    held = order.expires_at
    order.refresh_from_db()
    assert (order.pay_img, order.expires_at) == (other.partition("?")[0], held)
    assert label_of(buyer, order) == "Pay By Transfer Waiting For Review"


def test_only_an_own_picture_proves_a_transfer(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_order(buyer)
    for url in ("", "/static/img/pay-in-store.webp", "https://example.com/a.jpg", "theirs"):
        with subtests.test(url=url), rolled_back():
            url = certificate_of(Buyer()) if url == "theirs" else url
            with nothing_changes():
                answer = send_picture(buyer, order, url)
            assert (answer["reason"], answer["fields"]) == ("parameter_error", {"imgUrl": "parameter_error"})


def test_an_order_that_is_paid_or_ended_is_neither_held_nor_proven(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    order = make_order(buyer)
    url = certificate_of(buyer)
    for status, reason in ((OrderStatus.paid, "order_paid"), (OrderStatus.canceled, "order_cancelled")):
        with subtests.test(status=status, reason=reason), rolled_back():
            Order.objects.update(status=status)
            with nothing_changes():
                assert pay(buyer, order, "transfer")["reason"] == reason
                answer = send_picture(buyer, order, url)
                assert answer["reason"] == reason


def test_without_the_transfer_among_the_pay_types_only_a_begun_one_may_be_proven(buyer: Buyer) -> None:
    make_paid(buyer)
    begun, proven, fresh = make_order(buyer), make_order(buyer), make_order(buyer)
    assert send_picture(buyer, proven)["code"] == 0
    for order, pay_type in [(begun, "transfer"), (proven, "5"), (fresh, "5")]:
        assert pay(buyer, order, pay_type)["code"] == 0
    transfer = PayType.objects.filter(code="transfer")
    for name, value, reason in [
        ("to_amount", 1, "pay_type_not_for_order"),
        ("enabled", False, "pay_type_off"),
    ]:
        transfer.update(**{name: value})
        with nothing_changes(but=[Certificate]):
            answer = send_picture(buyer, fresh)
        assert not fresh.certificates.exists()
        assert (answer["reason"], answer["fields"]) == (reason, {"payType": reason})
    assert [send_picture(buyer, order)["code"] for order in (begun, proven)] == [0, 0]


def test_no_number_of_pictures_and_choices_holds_an_order_for_ever(buyer: Buyer) -> None:
    order = make_van_order(buyer)
    pay(buyer, order, "transfer")
    for _ in range(4):
        order.refresh_from_db()
        assert order.expires_at is not None
        with time_machine.travel(order.expires_at - timedelta(hours=1), tick=False):
            for pay_type in ("cashOnDelivery", "transfer"):
                pay(buyer, order, pay_type)
            assert send_picture(buyer, order)["code"] == 0
    order.refresh_from_db()
    assert order.expires_at == order.created_at + timedelta(days=6)


def test_choosing_cash_keeps_the_picture_of_a_transfer(buyer: Buyer) -> None:
    order = make_van_order(buyer)
    url = certificate_of(buyer)
    send_picture(buyer, order, url)
    pay(buyer, order, "cashOnDelivery")
    order.refresh_from_db()
    assert order.pay_img == url.partition("?")[0]


def test_a_picture_after_cash_was_chosen_holds_the_order_for_its_review(buyer: Buyer) -> None:
    order = make_pick_up(buyer)
    pay(buyer, order, "cashOnDelivery")
    send_picture(buyer, order)
    order.refresh_from_db()
    assert order.expires_at is not None
    assert order.expires_at - timezone.now() > timedelta(days=2, hours=23)
    assert label_of(buyer, order) == "Pay By Transfer Waiting For Review"
