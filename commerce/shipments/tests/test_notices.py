"""The notices of Kuaidi100 (docs/guarantees/delivery.md#parcels)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from commerce.orders.tests.builders import Buyer, make_paid, nothing_changes
from commerce.refused_notices.models import RefusedNotice, UnmatchedNotice
from commerce.shipments.models import ParcelState, Shipment
from commerce.shipments.polling import poll_due_parcels, poll_parcel
from commerce.shipments.providers.base import TrackedParcel, TrackingError
from commerce.shipments.providers.kuaidi100 import Kuaidi100
from commerce.shipments.services import correct_parcel
from commerce.shipments.tests.builders import make_carrier, make_followed
from commerce.shipments.tests.fake_kuaidi100 import REGISTERED, Provider, signed_form
from core.tests.pages import html_of
from core.tests.rows import rolled_back
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db

PATH = "/tracking/notice/kuaidi100"
SALT = "a-salt-of-thirty-two-characters-"
FORM = "application/x-www-form-urlencoded"
NO_CHANGE: dict[str, Any] = {"data": []}


@pytest.fixture(autouse=True)
def _soon_after_the_notice(settings: LazySettings) -> Iterator[None]:
    settings.KUAIDI_SALT, settings.SITE_URL = SALT, "https://shop.example"
    with time_machine.travel("2026-11-22T12:00:00Z"):
        yield


@pytest.fixture
def registered(provider: Provider) -> Shipment:
    """A parcel whose provider has promised notices, and sent none yet."""
    shipment = make_followed()
    provider.answer = {"result": False, "returnCode": "500", "message": "查询无结果，请隔段时间再查"}
    poll_due_parcels()
    shipment.refresh_from_db()
    assert shipment.registered_at
    return shipment


def refused() -> dict[str, int]:
    return dict(RefusedNotice.objects.values_list("reason", "count"))


def test_a_parcel_is_registered_once_as_the_provider_wants_it(
    provider: Provider, registered: Shipment
) -> None:
    Shipment.objects.update(next_check_at=timezone.now())
    poll_due_parcels()
    [form] = provider.registered
    assert form["schema"] == "json"
    assert json.loads(form["param"]) == {
        "company": "ems",
        "number": registered.tracking_no,
        "key": "KEY",
        "parameters": {"callbackurl": f"https://shop.example{PATH}", "salt": SALT},
    }
    assert len(provider.asked) == 2


def test_a_parcel_counts_as_registered_by_the_providers_promise_alone(
    provider: Provider, subtests: pytest.Subtests
) -> None:
    for promise, is_registered in (
        (REGISTERED, True),
        (REGISTERED | {"result": False, "returnCode": "501", "message": "重复订阅"}, True),
        ({"result": False, "returnCode": "700", "message": "订阅方的订阅数据存在错误"}, False),
        (b"no", False),
        ([], False),
    ):
        with subtests.test(promise=promise, is_registered=is_registered), rolled_back():
            provider.promise = promise
            shipment = make_followed()
            assert poll_parcel(shipment.pk)
            shipment.refresh_from_db()
            assert (shipment.registered_at is not None) == is_registered
            parcel = TrackedParcel("ems", "EA1")
            if is_registered:
                assert Kuaidi100().register([parcel]) == [parcel]
            else:
                with pytest.raises(TrackingError):
                    Kuaidi100().register([parcel])


def test_without_a_salt_no_parcel_is_registered_and_no_notice_believed(
    provider: Provider, registered: Shipment, settings: LazySettings
) -> None:
    settings.KUAIDI_SALT = ""
    make_followed(tracking_no="EA000000002AU")
    poll_due_parcels()
    assert len(provider.registered) == 1
    body = signed_form('{"lastResult": {}}', "")
    with nothing_changes(but=[RefusedNotice]):
        assert Client().post(PATH, body, FORM).status_code == 400
    assert refused() == {"forged": 1}


def test_a_notice_shows_what_is_new_of_a_parcel_once(provider: Provider, registered: Shipment) -> None:
    answer = provider.notify(state="3")
    assert (answer.status_code, answer.json()["result"], answer.json()["returnCode"]) == (200, True, "200")
    registered.refresh_from_db()
    assert registered.state == ParcelState.delivered
    assert [event.text_zh for event in registered.events.all()] == ["派送中", "离开悉尼"]
    with nothing_changes():
        assert provider.notify(state="3").status_code == 200


def test_no_order_completes_automatically_while_its_parcel_is_brought_back_or_has_been(
    provider: Provider, registered: Shipment, subtests: pytest.Subtests
) -> None:
    for state, follows in (("6", True), ("4", False)):
        with subtests.test(state=state, follows=follows), rolled_back():
            assert provider.notify(state=state).status_code == 200
            order = registered.order
            order.refresh_from_db()
            assert order.complete_at is None
            registered.refresh_from_db()
            assert (registered.next_check_at is not None) == follows


@pytest.mark.django_db(transaction=True)
def test_the_same_notice_many_times_at_the_same_time_is_noted_once(provider: Provider) -> None:
    shipment = make_followed(make_paid(Buyer()))
    provider.answer = b"no"
    poll_due_parcels()
    answers = concurrently(lambda _: provider.notify().status_code, range(6))
    assert answers == [200] * 6
    assert shipment.events.count() == 2


def test_a_notice_of_a_parcel_that_the_shop_never_had_is_stored_once_for_staff(
    provider: Provider, registered: Shipment
) -> None:
    for unknown in ({"nu": "EA999999999AU"}, {"com": "shunfeng"}):
        with nothing_changes(but=[UnmatchedNotice]):
            assert provider.notify(**unknown).status_code == 200
            assert provider.notify(**unknown, state="13").status_code == 200
    stored = UnmatchedNotice.objects.order_by("pk").values_list("named", "content")
    assert list(stored) == [
        ("EA999999999AU, ems", "state: 5\nnewest: 派送中"),
        ("EA123456789AU, shunfeng", "state: 5\nnewest: 派送中"),
    ]


def test_a_notice_finds_its_parcel_by_the_carrier_that_the_shop_had_named(
    provider: Provider, registered: Shipment
) -> None:
    assert provider.notify({"comOld": "ems", "comNew": "emsguoji"}, com="emsguoji").status_code == 200
    assert registered.events.count() == 2
    assert not UnmatchedNotice.objects.exists()


def test_a_notice_of_a_number_that_staff_have_corrected_changes_nothing(
    provider: Provider, registered: Shipment
) -> None:
    staff = User.objects.create_user("li")
    correct_parcel(shipment=registered, carrier=make_carrier(), tracking_no="EA000000009AU", staff=staff)
    with nothing_changes():
        assert provider.notify().status_code == 200


def test_a_corrected_parcel_is_registered_again(provider: Provider, registered: Shipment) -> None:
    staff = User.objects.create_user("li")
    correct_parcel(shipment=registered, carrier=make_carrier(), tracking_no="EA000000009AU", staff=staff)
    poll_due_parcels()
    found = [json.loads(form["param"])["number"] for form in provider.registered]
    assert found == ["EA123456789AU", "EA000000009AU"]


def test_a_notice_that_a_parcel_is_not_followed_any_more_is_taken(
    provider: Provider, registered: Shipment
) -> None:
    last = {"com": "ems", "nu": registered.tracking_no, "status": "201", **NO_CHANGE}
    text = json.dumps({"status": "abort", "message": "3天查询无记录", "lastResult": last})
    with nothing_changes():
        assert Client().post(PATH, signed_form(text, SALT), FORM).status_code == 200
        assert provider.notify(**NO_CHANGE).status_code == 200


def test_a_forged_notice_is_refused_and_counted(provider: Provider, registered: Shipment) -> None:
    path, body = provider.notice_of(state="3")
    forged = [
        body.replace(b"sign=", b"sign=0"),
        body.replace(b"delivered", b"x") + b"x",
        signed_form('{"lastResult": {}}', ""),
        signed_form('{"lastResult": {}}', "another salt"),
        body.replace(b"sign=", b"sign=%E5%90%8D"),
    ]
    with nothing_changes(but=[RefusedNotice]):
        for each in forged:
            answer = Client().post(path, each, FORM)
            assert (answer.status_code, answer.json()["result"]) == (400, False)
    assert refused() == {"forged": len(forged)}


@pytest.mark.usefixtures("registered")
def test_an_unreadable_notice_is_refused_and_counted(subtests: pytest.Subtests) -> None:
    for body in (
        b"",
        b"{}",
        b"\xff",
        b"sign=a",
        b"param=%FF&sign=a",
        b"sign=a&sign=b&param=c",
        b"&".join([b"a=b"] * 50),
        *(
            signed_form(text, SALT)
            for text in (
                "",
                "no",
                "[]",
                "[" * 100_000,
                "{}",
                '{"lastResult": 1}',
                '{"lastResult": {"com": "ems"}}',
                '{"lastResult": {"com": "ems\\u0000", "nu": "EA123456789AU"}}',
                '{"lastResult": {"com": "ems", "nu": "\\ud800"}}',
                '{"lastResult": {"com": "ems", "nu": "EA123456789AU", "status": "400"}}',
                '{"lastResult": {"com": "ems", "nu": "EA123456789AU", "status": "200", "data": ["x"]}}',
                '{"lastResult": {"com": "ems", "nu": "EA123456789AU", "status": "200",'
                ' "data": [{"time": "soon", "context": "x"}]}}',
            )
        ),
    ):
        with subtests.test(body=body), rolled_back():
            with nothing_changes(but=[RefusedNotice]):
                assert Client().post(PATH, body, FORM).status_code == 400
                assert Client().post(PATH, body, FORM).status_code == 400
            assert refused() == {"unreadable": 2}


def test_staff_see_how_many_notices_were_refused(
    provider: Provider, registered: Shipment, boss: Client
) -> None:
    path, body = provider.notice_of()
    Client().post(path, body.replace(b"sign=", b"sign=0"), FORM)
    assert "Refused notices of kuaidi100, forged: 1" in html_of(boss.get(reverse("tracking_file")))


@pytest.mark.usefixtures("provider")
def test_there_is_no_address_for_other_providers_or_without_one(settings: LazySettings) -> None:
    assert Client().post("/tracking/notice/other").status_code == 404
    assert Client().get(PATH).status_code == 405
    settings.KUAIDI_KEY = ""
    assert Client().post(PATH).status_code == 404
