import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.services import complete_due_orders
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_paid, make_stocked, nothing_changes
from commerce.shipments import polling
from commerce.shipments.models import ParcelState, Shipment
from commerce.shipments.pending import stuck_parcels
from commerce.shipments.polling import poll_due_parcels, poll_parcel
from commerce.shipments.providers.base import TrackedParcel, TrackingError
from commerce.shipments.providers.kuaidi100 import Kuaidi100, sign
from commerce.shipments.services import (
    Event,
    correct_parcel,
    event_of,
    record_events,
    record_return,
)
from commerce.shipments.tests.builders import make_followed, make_paid_order, make_shipment, send_units
from commerce.shipments.tests.fake_kuaidi100 import NEWS, Provider
from core.shop import Seller
from core.tests.pages import html_of
from core.tests.rows import rolled_back
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _soon_after_the_notice() -> Iterator[None]:
    with time_machine.travel("2026-11-22T12:00:00Z"):
        yield


def let_ask() -> None:
    Shipment.objects.exclude(next_check_at=None).update(next_check_at=timezone.now())


def test_a_question_is_signed_as_the_provider_wants_it(provider: Provider) -> None:
    param = '{"com":"ems","num":"EA123456789AU"}'
    assert sign(param, key="KEY", customer="CUST") == "E3938481B3C869478B509E02FA78B8AC"
    parcel = TrackedParcel("ems", "EA123456789AU")
    [(found, events)] = Kuaidi100().fetch([parcel]).items()
    assert provider.asked == [
        {"customer": "CUST", "param": param, "sign": "E3938481B3C869478B509E02FA78B8AC"}
    ]
    assert found == parcel
    assert [(event.time, event.state, event.text_zh, event.text_en) for event in events] == [
        (datetime(2026, 11, 20, 10, tzinfo=UTC), "in_transit", "离开悉尼", "On its way"),
        (datetime(2026, 11, 21, 1, 30, tzinfo=UTC), "out_for_delivery", "派送中", "Out for delivery"),
    ]


def test_each_state_of_the_provider_has_its_meaning(provider: Provider, subtests: pytest.Subtests) -> None:
    for states, meaning in (
        (("0", "1", "7", "8", "10", "11", "12", "103", "1001", "1002", "1003"), "in_transit"),
        (("101", "102"), "info_received"),
        (("3", "301", "302", "303", "304"), "delivered"),
        (("2", "13", *map(str, range(201, 211)), "401", 13), "exception"),
        (("4",), "returned"),
        (("5",), "out_for_delivery"),
        (("6", "14"), "coming_back"),
        (("501",), "pickup_ready"),
        # A code that the provider has added since is never taken for progress.
        (("77", "9", "", None, "03", 0.5), "exception"),
    ):
        for state in states:
            with subtests.test(state=state, meaning=meaning):
                provider.answer = NEWS | {"state": state}
                [events] = Kuaidi100().fetch([TrackedParcel("ems", "EA1")]).values()
                assert [event.state for event in events] == ["in_transit", meaning]


@pytest.mark.parametrize(
    ("carrier", "entered", "phone"),
    [
        ("shunfeng", "+86 138 0013 8000", "13800138000"),
        ("shunfengkuaiyun", "0086-13800138000", "13800138000"),
        ("zhongtong", "021-6722 2227", "02167222227"),
        ("shunfeng", "0412 345 678", "0412345678"),
        # Erased with the account: the sender's number serves as well.
        ("shunfeng", "", "0892001234"),
        ("ems", "+86 138 0013 8000", None),
    ],
)
def test_a_carrier_that_requires_a_phone_number_gets_it_and_no_other(
    provider: Provider,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
    carrier: str,
    entered: str,
    phone: str | None,
) -> None:
    settings.KUAIDI_SALT = "a-salt"
    seller = Seller("Shop", "店", "", "", "", "(08) 9200 1234", "")
    monkeypatch.setattr(polling, "contact", lambda: seller)
    order = make_paid_order()
    Order.objects.update(address={**(order.address or {}), "contactPhone": entered})
    order.refresh_from_db()
    make_shipment(order, "SF1234567890", provider_code=carrier)
    assert poll_due_parcels() == 1
    [asked], [registered] = provider.asked, provider.registered
    assert json.loads(asked["param"]).get("phone") == phone
    assert json.loads(registered["param"])["parameters"].get("phone") == phone
    # The signature covers it.
    assert asked["sign"] == sign(asked["param"], key="KEY", customer="CUST")


def test_staff_see_the_parcels_that_need_attention(provider: Provider, boss: Client) -> None:
    shipment, good = make_followed(), make_followed(tracking_no="EA000000002AU")
    provider.answer = NEWS | {"state": "13"}
    assert poll_parcel(shipment.pk)
    page = html_of(boss.get(reverse("wagtailadmin_home")))
    assert "Parcels with a problem" in page
    assert (shipment.tracking_no in page, good.tracking_no in page) == (True, False)
    assert stuck_parcels(User.objects.create_user("li")) is None
    record_return(order=shipment.order, seen=OrderStatus.shipped)
    assert shipment.tracking_no not in html_of(boss.get(reverse("wagtailadmin_home")))


def test_the_scheduler_asks_about_a_parcel_once_in_half_an_hour(provider: Provider) -> None:
    buyer = Buyer()
    shipment = make_followed(make_paid_order(buyer))
    assert poll_due_parcels() == 1
    assert poll_due_parcels() == 0
    assert len(provider.asked) == 1
    shipment.refresh_from_db()
    assert shipment.state == ParcelState.out_for_delivery
    assert shipment.next_check_at
    assert timedelta(minutes=29) < shipment.next_check_at - timezone.now() <= timedelta(minutes=30)
    answer = buyer.send("GET", f"/order/logistics/{shipment.order.order_no}")["result"]
    [parcel] = answer["list"]
    assert [event["text"] for event in parcel.pop("events")] == ["派送中", "离开悉尼"]
    assert parcel == {
        "parcelNo": f"{shipment.order.order_no}-P1",
        "carrier": "袋鼠邮政",
        "carrierEn": "Kangaroo Post",
        "trackingNo": "EA123456789AU",
        "trackingUrl": "https://post.example/track/EA123456789AU",
        "status": "out_for_delivery",
        "goods": [
            {
                "goodsId": line.product_id,
                "goodsName": line.name_zh,
                "goodsEnglishName": line.name_en,
                "goodsAmount": line.amount,
            }
            for line in shipment.order.lines.all()
        ],
    }
    let_ask()
    poll_due_parcels()
    assert shipment.events.count() == 2


def test_a_parcel_of_two_orders_is_asked_about_once_for_both(provider: Provider) -> None:
    shipments = [make_followed() for _ in range(2)]
    poll_due_parcels()
    assert len(provider.asked) == 1
    assert [shipment.events.count() for shipment in shipments] == [2, 2]


def test_a_number_that_is_given_again_brings_no_events_to_the_former_parcel(
    provider: Provider, subtests: pytest.Subtests
) -> None:
    former, parcel = make_followed(), make_followed()
    for ended in (
        {"state": ParcelState.delivered},
        {"state": ParcelState.returned},
        {"created_at": datetime(2026, 9, 1, tzinfo=UTC)},
    ):
        with subtests.test(ended=ended), rolled_back():
            Shipment.objects.filter(pk=former.pk).update(**ended, next_check_at=None)
            assert poll_due_parcels() == 1
            assert (former.events.count(), parcel.events.count()) == (0, 2)


def test_the_former_parcel_of_a_number_brings_no_events_to_the_new_one(provider: Provider) -> None:
    former = {"time": "2026-11-10 09:30:00", "context": "已签收"}
    provider.answer = NEWS | {"state": "5", "data": [*NEWS["data"], former]}
    parcel = make_followed()
    assert poll_due_parcels() == 1
    assert [event.text_zh for event in parcel.events.all()] == ["派送中", "离开悉尼"]


def test_an_answer_that_cannot_be_used_changes_nothing_but_the_next_time(
    provider: Provider, subtests: pytest.Subtests
) -> None:
    shipment = make_followed()
    for status, answer in (
        (500, NEWS),
        (302, NEWS),
        (200, b"no"),
        (200, b"[" * 100_000),
        (200, []),
        (200, {"result": False, "returnCode": "500", "message": "查询无结果，请隔段时间再查"}),
        (200, NEWS | {"data": None}),
        (200, NEWS | {"data": ["x"]}),
        (200, NEWS | {"data": [{"time": "yesterday", "context": "x"}]}),
        (200, b"x" * 300_000),
    ):
        with subtests.test(status=status, answer=answer), rolled_back():
            provider.status, provider.answer = status, answer
            with nothing_changes(but=[Shipment]):
                assert not poll_parcel(shipment.pk)
            shipment.refresh_from_db()
            assert shipment.state == ParcelState.pending


def test_where_no_parcel_could_be_asked_about_that_is_an_error(provider: Provider) -> None:
    provider.status = 500
    with pytest.raises(TrackingError, match="status 500"):
        Kuaidi100().fetch([TrackedParcel("ems", "EA1"), TrackedParcel("ems", "EA2")])


def test_what_has_arrived_came_back_or_has_no_provider_is_not_asked_about(
    provider: Provider, settings: LazySettings
) -> None:
    provider.answer = NEWS | {"state": "3"}
    arrived, back = make_followed(), make_followed(tracking_no="EA000000002AU")
    old = make_followed(tracking_no="EA000000003AU")
    record_return(order=back.order, seen=OrderStatus.shipped)
    Shipment.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=61))
    assert poll_due_parcels() == 1
    assert list(Shipment.objects.exclude(next_check_at=None)) == []
    settings.KUAIDI_KEY = ""
    assert poll_due_parcels() == 0
    arrived.refresh_from_db()
    assert (arrived.state, len(provider.asked)) == (ParcelState.delivered, 1)


@pytest.mark.django_db(transaction=True)
def test_many_who_ask_at_the_same_time_ask_once(provider: Provider) -> None:
    shipment = make_followed(make_paid(Buyer()))
    concurrently(lambda _: poll_parcel(shipment.pk), range(6))
    assert len(provider.asked) == 1
    assert shipment.events.count() == 2


def complete_at() -> datetime:
    """Return when the only order completes automatically."""
    found = Order.objects.get().complete_at
    assert found
    return found


def reported(hours: int, state: ParcelState, text: Callable[[int], str] = str) -> Event:
    moment = datetime(2026, 11, 20, tzinfo=UTC) + timedelta(hours=hours)
    return event_of(moment, state, text(hours), text(hours))


def test_news_that_come_late_leave_the_parcel_where_it_is() -> None:
    shipment = make_shipment()
    assert record_events(shipment=shipment, events=[reported(5, ParcelState.failed_attempt)]) == 1
    assert record_events(shipment=shipment, events=[reported(1, ParcelState.in_transit)]) == 1
    shipment.refresh_from_db()
    assert shipment.state == ParcelState.failed_attempt
    with nothing_changes():
        assert record_events(shipment=shipment, events=[reported(1, ParcelState.in_transit)]) == 0


def test_an_order_completes_sooner_once_all_its_parcels_are_delivered() -> None:
    shipment = make_shipment()
    before, now = complete_at(), timezone.now()
    delivered(shipment, at=now)
    after = complete_at()
    assert (after - now).days == 7
    assert after < before
    with nothing_changes():
        delivered(shipment, at=now)


def delivered(shipment: Shipment, *, hours: int = 0, at: datetime | None = None) -> None:
    moment = at or timezone.now() + timedelta(hours=hours)
    record_events(shipment=shipment, events=[event_of(moment, ParcelState.delivered, "", "")])


def correct(shipment: Shipment, state: ParcelState) -> None:
    """Enter newer reported than those of `delivered`, as staff do who find them wrong."""
    moment = timezone.now() + timedelta(hours=2)
    record_events(shipment=shipment, events=[event_of(moment, state, "", "")])


def test_an_order_whose_end_was_reported_by_mistake_completes_when_it_would_have(
    subtests: pytest.Subtests,
) -> None:
    shipment = make_shipment()
    usual = complete_at()
    for was in (ParcelState.delivered, ParcelState.returned):
        with subtests.test(was=was), rolled_back():
            record_events(shipment=shipment, events=[event_of(timezone.now(), was, "", "")])
            assert Order.objects.get().complete_at != usual
            correct(shipment, ParcelState.in_transit)
            assert abs(complete_at() - usual) < timedelta(minutes=1)
            with time_machine.travel(timezone.now() + timedelta(days=8), tick=False):
                assert complete_due_orders() == 0


def test_a_wrong_delivery_of_one_parcel_of_two_completes_no_order_sooner() -> None:
    order = make_paid_order(Buyer(), (make_stocked(10), 2))
    parcels = send_units(order, 1, 1)
    usual = complete_at()
    for parcel in parcels:
        delivered(parcel, hours=1)
    assert complete_at() < usual
    correct(parcels[0], ParcelState.exception)
    assert abs(complete_at() - usual) < timedelta(minutes=1)


def test_an_order_completes_by_the_delivery_of_its_last_parcel_whichever_is_reported_last() -> None:
    order = make_paid_order(Buyer(), (make_stocked(10), 2))
    first, last = send_units(order, 1, 1)
    delivered(last, hours=20)
    delivered(first, hours=1)
    assert complete_at() > timezone.now() + timedelta(days=7, hours=19)


def test_a_completed_order_stays_completed_whatever_is_corrected_later() -> None:
    shipment = make_shipment()
    delivered(shipment)
    with time_machine.travel(timezone.now() + timedelta(days=8), tick=False):
        assert complete_due_orders() == 1
    ended = complete_at()
    correct(shipment, ParcelState.in_transit)
    order = Order.objects.get()
    assert (order.status, order.complete_at) == (OrderStatus.completed, ended)


def test_a_number_that_two_orders_share_is_asked_about_once_in_half_an_hour(provider: Provider) -> None:
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False) as clock:
        first = make_followed()
        poll_due_parcels()
        clock.shift(timedelta(minutes=5))
        second = make_followed(make_paid_order())
        for _ in range(12):
            poll_due_parcels()
            clock.shift(timedelta(minutes=5))
    assert len(provider.asked) == 3
    assert [each.events.count() for each in (first, second)] == [2, 2]


def test_a_number_that_a_parcel_is_given_back_is_asked_about_once_in_half_an_hour(provider: Provider) -> None:
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False) as clock:
        shipment, staff = make_followed(), User.objects.create_user("li")
        right, wrong = shipment.tracking_no, "EA000000009AU"
        poll_due_parcels()
        for number in (wrong, right):
            clock.shift(timedelta(minutes=5))
            correct_parcel(shipment=shipment, carrier=shipment.carrier, tracking_no=number, staff=staff)
            poll_due_parcels()
        assert [json.loads(question["param"])["num"] for question in provider.asked] == [right, wrong]
        clock.shift(timedelta(minutes=30))
        poll_due_parcels()
    assert (len(provider.asked), shipment.events.count()) == (3, 2)


def test_a_parcel_that_was_reported_delivered_by_mistake_is_asked_about_again(provider: Provider) -> None:
    provider.answer = NEWS | {"state": "3"}
    shipment = make_followed()
    assert poll_due_parcels() == 1
    shipment.refresh_from_db()
    assert (shipment.state, shipment.next_check_at) == (ParcelState.delivered, None)
    correct(shipment, ParcelState.in_transit)
    shipment.refresh_from_db()
    assert shipment.next_check_at
    assert shipment.next_check_at > timezone.now() + timedelta(minutes=29)


def test_a_wrong_time_of_a_delivery_completes_no_order_too_soon(subtests: pytest.Subtests) -> None:
    shipment = make_shipment()
    for days in (-3000, 2, 2_900_000):
        with subtests.test(days=days), rolled_back():
            time = (
                datetime(9999, 12, 31, tzinfo=UTC) if days > 1000 else timezone.now() + timedelta(days=days)
            )
            delivered(shipment, at=time)
            assert complete_at() > timezone.now() + timedelta(days=6)


def test_an_order_whose_parcel_the_carrier_brings_back_does_not_complete_automatically() -> None:
    shipment = make_shipment()
    record_events(shipment=shipment, events=[event_of(timezone.now(), ParcelState.returned, "", "")])
    with time_machine.travel(timezone.now() + timedelta(days=60), tick=False):
        assert complete_due_orders() == 0
    assert Order.objects.get().status == OrderStatus.shipped


def test_news_that_are_named_twice_at_the_same_time_are_noted_once() -> None:
    shipment, now = make_shipment(), timezone.now()
    same = [
        Event(now, state, "一", "a", "x" * 70) for state in (ParcelState.in_transit, ParcelState.delivered)
    ]
    assert record_events(shipment=shipment, events=same) == 1
    shipment.refresh_from_db()
    assert shipment.state == "delivered"


def test_news_that_are_repeated_with_another_state_replace_the_former() -> None:
    shipment, now = make_shipment(), timezone.now()
    assert record_events(shipment=shipment, events=[Event(now, ParcelState.in_transit, "一", "a", "x")]) == 1
    assert record_events(shipment=shipment, events=[Event(now, ParcelState.delivered, "二", "b", "x")]) == 0
    shipment.refresh_from_db()
    [event] = shipment.events.all()
    assert (shipment.state, event.status, event.text_en) == ("delivered", "delivered", "b")
