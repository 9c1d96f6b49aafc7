from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.tests.builders import nothing_changes, refuses
from commerce.shipments.models import Carrier, ParcelState, Shipment, ShipmentCorrection
from commerce.shipments.services import correct_parcel, event_of, record_events
from commerce.shipments.tests.builders import make_shipment
from core.errors import Err, ShopError
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> User:
    return User.objects.create_user("li")


@pytest.fixture
def emu() -> Carrier:
    return Carrier.objects.create(code="emu", name_en="Emu", name_zh="鸸鹋", provider_code="emu")


def report(shipment: Shipment, state: ParcelState) -> int:
    return record_events(shipment=shipment, events=[event_of(timezone.now(), state, "", "")])


def test_a_corrected_parcel_loses_the_wrong_news_and_is_asked_about_again(staff: User, emu: Carrier) -> None:
    shipment = make_shipment(tracking_no="KP1001")
    report(shipment, ParcelState.out_for_delivery)
    correct_parcel(shipment=shipment, carrier=emu, tracking_no="kp 1002", staff=staff)
    parcel = Shipment.objects.get()
    assert (parcel.carrier, parcel.tracking_no, parcel.state) == (emu, "KP1002", ParcelState.pending)
    assert not parcel.events.exists()
    assert parcel.next_check_at
    assert abs(parcel.next_check_at - timezone.now()) < timedelta(minutes=1)
    former = ShipmentCorrection.objects.get()
    assert (former.carrier.code, former.tracking_no, former.staff) == ("kangaroo", "KP1001", staff)
    with nothing_changes():
        correct_parcel(shipment=shipment, carrier=emu, tracking_no="KP1002", staff=staff)


def test_news_that_were_asked_for_by_the_wrong_number_are_not_noted(staff: User, emu: Carrier) -> None:
    shipment = make_shipment()
    correct_parcel(shipment=shipment, carrier=emu, tracking_no=shipment.tracking_no, staff=staff)
    with nothing_changes():
        assert report(shipment, ParcelState.delivered) == 0
    assert report(Shipment.objects.get(), ParcelState.delivered) == 1


def test_a_parcel_that_has_ended_is_not_corrected(
    staff: User, emu: Carrier, subtests: pytest.Subtests
) -> None:
    shipment = make_shipment()
    for state in (ParcelState.delivered, ParcelState.returned, ParcelState.expired):
        with subtests.test(state=state), rolled_back():
            report(shipment, state)
            with refuses(Err.parcel_ended):
                correct_parcel(shipment=shipment, carrier=emu, tracking_no="KP1002", staff=staff)


def test_a_parcel_that_came_back_is_not_corrected(staff: User, emu: Carrier) -> None:
    shipment = make_shipment()
    Shipment.objects.update(came_back_at=timezone.now())
    with nothing_changes(), pytest.raises(ShopError, match="parcel_ended"):
        correct_parcel(shipment=shipment, carrier=emu, tracking_no="KP1002", staff=staff)


def test_a_number_that_is_none_or_another_parcels_of_the_order_is_refused(staff: User) -> None:
    shipment = make_shipment()
    other = Shipment.objects.create(
        order=shipment.order, number=2, carrier=shipment.carrier, tracking_no="KP1002"
    )
    for number in ("", "KP<1>", other.tracking_no):
        with nothing_changes(), pytest.raises(ShopError, match="tracking_number_error"):
            correct_parcel(shipment=shipment, carrier=shipment.carrier, tracking_no=number, staff=staff)


def test_an_order_no_longer_waits_for_what_another_parcel_was_notified_to_be(
    staff: User, emu: Carrier
) -> None:
    shipment = make_shipment()
    usual = Order.objects.get().complete_at
    Order.objects.update(complete_at=None)
    correct_parcel(shipment=shipment, carrier=emu, tracking_no="KP1002", staff=staff)
    complete_at = Order.objects.get().complete_at
    assert usual
    assert complete_at
    assert abs(complete_at - usual) < timedelta(minutes=1)
