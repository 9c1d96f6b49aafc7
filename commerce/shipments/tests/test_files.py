from collections.abc import Iterator
from io import BytesIO

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from commerce.accounts.tests.staff import staff_with
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, audit, make_order, nothing_changes
from commerce.shipments.models import Shipment
from commerce.shipments.tests.builders import make_carrier, make_paid_order, make_paid_pick_up
from core.tests.pages import html_of
from core.tests.rows import rolled_back

# How files are read.
pytestmark = pytest.mark.django_db

HEADING = "order_no,carrier,tracking_no"
NEWS = ",event_time,event_state,event_text_zh,event_text_en"


@pytest.fixture(autouse=True)
def _carrier() -> Iterator[None]:
    with time_machine.travel("2026-11-22T12:00:00Z"):
        make_carrier()
        yield


def send(client: Client, content: str | bytes, **values: object) -> str:
    data = content if isinstance(content, bytes) else content.encode()
    file = SimpleUploadedFile("numbers.csv", data)
    answer = client.post(reverse("tracking_file"), {"file": file, **values})
    assert answer.status_code == 200
    return html_of(answer)


def test_a_file_sends_parcels_and_enters_their_events_once(boss: Client) -> None:
    first, second = make_paid_order(), make_paid_order()
    file = (
        f"{HEADING}{NEWS}\n{first.order_no},kangaroo,KP0001,2026-11-20 10:00,delivered,已签收,Signed\n"
        f"{second.order_no.lower()},kangaroo,kp 0002,,,,\n"
    )
    with nothing_changes():
        assert "Rows without a mistake: 2." in send(boss, file, trial="1")
    assert "Rows entered: 2." in send(boss, file)
    assert list(Order.objects.order_by("pk").values_list("status", flat=True)) == [6, 6]
    shipment = Shipment.objects.get(order=first)
    event = shipment.events.get()
    assert (shipment.state, event.text_zh, event.text_en) == ("delivered", "已签收", "Signed")
    assert f"{event.time:%H:%M}" == "02:00"
    assert first.history.latest("pk").staff
    audit()
    with nothing_changes():
        page = send(boss, file)
    assert "Rows that were entered before and change nothing: 2." in page
    assert "Rows entered" not in page


def test_a_time_of_news_is_that_of_its_distance_from_utc_or_else_the_shops(
    boss: Client, subtests: pytest.Subtests
) -> None:
    order = make_paid_order()
    for time, moment in (
        ("2026-11-20 10:00", "02:00"),
        ("2026-11-20T10:00:00+10:30", "23:30"),
        ("2026-11-20T10:00:00Z", "10:00"),
        ("20261120T100000-05:00", "15:00"),
    ):
        with subtests.test(time=time, moment=moment), rolled_back():
            send(boss, f"{HEADING}{NEWS}\n{order.order_no},kangaroo,KP0001,{time},,,")
            event = Shipment.objects.get().events.get()
            assert f"{event.time:%H:%M}" == moment


def test_the_page_of_files_shows_which_clock_its_times_are_read_by(boss: Client) -> None:
    assert "Australia/Perth" in html_of(boss.get(reverse("tracking_file")))


def test_news_from_long_before_a_parcel_are_left_out_and_named(boss: Client) -> None:
    first, second = make_paid_order(), make_paid_order()
    page = send(
        boss,
        f"{HEADING}{NEWS}\n{first.order_no},kangaroo,KP0001,2026-09-20 10:00,delivered,,\n"
        f"{second.order_no},kangaroo,KP0002,2026-11-20 10:00,in_transit,,\n",
    )
    assert "Rows entered: 2." in page
    assert "lies long before the parcel: left out" in page
    assert "Nothing was changed." not in page
    reused, known = Shipment.objects.order_by("pk")
    assert (reused.state, reused.events.count()) == ("pending", 0)
    assert (known.state, known.events.count()) == ("in_transit", 1)


def test_a_workbook_is_read_as_a_csv_file_is(boss: Client) -> None:
    order = make_paid_order()
    book, file = Workbook(), BytesIO()
    book.active.append(HEADING.split(","))
    book.active.append([order.order_no, "kangaroo", "KP0001"])
    book.save(file)
    assert "Rows entered: 1." in send(boss, file.getvalue())
    order.refresh_from_db()
    assert order.status == 6


def test_a_file_with_a_mistake_changes_nothing(boss: Client, subtests: pytest.Subtests) -> None:
    numbers = {
        "{paid}": make_paid_order().order_no,
        "{unpaid}": make_order(Buyer()).order_no,
        "{pickup}": make_paid_pick_up().order_no,
    }
    for content, problem in (
        (HEADING, "has no rows"),
        ("order_no,carrier\nx,y", "the column is missing"),
        (f"{HEADING}\nS1,kangaroo,KP0001", "there is no such order"),
        (f"{HEADING}\n{{paid}},emu,KP0001", "there is no such carrier"),
        (f"{HEADING}\n{{paid}},kangaroo,=1+1", "Tracking number error"),
        (f"{HEADING}\n{{unpaid}},kangaroo,KP0001", "its parcel cannot be sent now"),
        (f"{HEADING}\n{{pickup}},kangaroo,KP0001", "its parcel cannot be sent now"),
        (f"{HEADING}{NEWS}\n{{paid}},kangaroo,KP0001,soon,,,", "a time in the past"),
        (
            f"{HEADING}{NEWS}\n{{paid}},kangaroo,KP0001,0001-01-01T00:00+08:00,,,",
            "a time in the past",
        ),
        (f"{HEADING}{NEWS}\n{{paid}},kangaroo,KP0001,9999-12-31T23:00Z,,,", "a time in the past"),
        (f"{HEADING}{NEWS}\n{{paid}},kangaroo,KP0001,2026-11-20 10:00,lost,,", "is not a known state"),
        (f"{HEADING}\n{{paid}},kangaroo,KP0001\nS1,kangaroo,KP0002", "there is no such order"),
        (f"{HEADING}\n" + "S1,kangaroo,KP0001\n" * 501, "there is no such order"),
    ):
        with subtests.test(content=content, problem=problem):
            for name, number in numbers.items():
                content = content.replace(name, number)
            with nothing_changes():
                assert problem in send(boss, content)


def test_who_may_not_send_parcels_sees_no_page_of_files() -> None:
    assert staff_with("view_order", "view_shipment").get(reverse("tracking_file")).status_code == 302
