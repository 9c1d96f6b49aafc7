import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from commerce.accounts.tests.staff import set_language, staff_with
from commerce.orders.models import Order, OrderNote
from commerce.orders.moves import UNDO_FOR
from commerce.orders.searching import search_orders
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order, nothing_changes
from commerce.shipments.models import Carrier, Shipment
from commerce.shipments.tests.builders import make_carrier, make_paid_order, make_paid_pick_up, make_shipment
from core.tests.pages import html_of, shown
from core.tests.rows import rolled_back
from core.tests.screens import only_refusals

# Pages and buttons, whose services have tests of their own.
pytestmark = pytest.mark.django_db


def page(client: Client, order: Order) -> str:
    return shown(client, reverse("orders:inspect", args=[order.pk]))


def raw(client: Client, order: Order) -> str:
    return client.get(reverse("orders:inspect", args=[order.pk])).content.decode()


def press(client: Client, name: str, order: Order, **values: object) -> str:
    answer = client.post(reverse(name, args=[order.pk]), values, follow=True)
    assert answer.status_code == 200
    return html_of(answer)


def confirm(client: Client, order: Order, **values: object) -> str:
    """Press an action that asks first, and confirm it with what the question sends."""
    with nothing_changes():
        asked = press(client, "order_move", order, **values)
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', asked))
    sent = {name: hidden[name] for name in ("move", "seen", "note", "pickup_code")}
    assert sent == {"note": "", "pickup_code": ""} | {name: str(value) for name, value in values.items()}
    return press(client, "order_move", order, confirmed="yes", **sent)


def test_staff_change_an_orders_status_send_it_and_enter_events(boss: Client) -> None:
    order, carrier = make_paid_order(), make_carrier()
    html = page(boss, order)
    assert 'href="/admin/help/orders/"' in html
    assert 'value="pick"' in html
    assert 'value="resume"' not in html
    assert "The order was updated: Begin picking." in press(
        boss, "order_move", order, move="pick", seen=2, note="Li picks"
    )
    assert "Li picks" in page(boss, order)
    line = order.lines.get().pk
    parcel = {"carrier": carrier.pk, "tracking_no": "kp 1001", f"units_{line}": 2}
    sent = press(boss, "order_ship", order, **parcel)
    assert f"Parcel {order.order_no}-P1 was sent." in sent
    shipment = Shipment.objects.get()
    time = f"{timezone.localtime():%Y-%m-%dT%H:%M}"
    news = {"shipment": shipment.pk, "time": time, "state": "in_transit", "text_en": "In Perth"}
    assert "In Perth" in press(boss, "order_event", order, **news)
    with nothing_changes(), only_refusals():
        press(boss, "order_event", order, **news)
    event = shipment.events.get()
    assert (event.text_en, event.text_zh, event.status) == ("In Perth", "配送途中", "in_transit")
    order.refresh_from_db()
    assert order.status == 6


def test_the_page_shows_who_reads_a_note_and_asks_no_customer_without_a_question(boss: Client) -> None:
    order = make_paid_order()
    html = page(boss, order)
    assert "the customer reads it" in html
    assert "Only staff read it." in html
    with nothing_changes():
        assert "Please enter a note" in press(boss, "order_move", order, move="ask", seen=2)
    asked = press(boss, "order_move", order, move="ask", seen=2, note="Tea or coffee?")
    assert "Tea or coffee?" in asked
    assert "the customer reads it" not in asked


def test_the_page_of_an_unpaid_order_shows_what_it_waits_for(boss: Client) -> None:
    order = make_paid_order()
    Order.objects.filter(pk=order.pk).update(status=1)
    assert "It is waiting for its payment" in page(boss, order)


def test_a_pick_up_is_handed_over_by_its_code_on_its_page(boss: Client) -> None:
    order = make_paid_pick_up()
    html = page(boss, order)
    assert "Send a parcel" not in html
    assert "May be left at the door" not in html
    press(boss, "order_move", order, move="prepare", seen=2)
    with nothing_changes():
        refused = confirm(boss, order, move="hand_over", seen=100, pickup_code="0")
    assert "Wrong pick-up code" in refused
    confirm(boss, order, move="hand_over", seen=100, pickup_code=order.pickup_code)
    order.refresh_from_db()
    assert order.status == 7


def test_a_rest_that_cannot_come_is_closed_on_the_page_of_its_order(boss: Client) -> None:
    order = make_paid_order()
    parcel = {"carrier": make_carrier().pk, "tracking_no": "KP1001", f"units_{order.lines.get().pk}": 1}
    press(boss, "order_ship", order, **parcel)
    with nothing_changes():
        assert "Please enter a note" in press(boss, "order_move", order, move="cancel_unshipped", seen=106)
    with nothing_changes():
        values = {"move": "cancel_unshipped", "seen": 106, "note": "Refunded by card"}
        assert "It cannot be undone." in press(boss, "order_move", order, **values)
    confirm(boss, order, **values)
    order.refresh_from_db()
    assert (order.status, order.lines.get().unsent) == (6, 1)


def test_a_note_is_saved_without_an_action_in_any_status(boss: Client, subtests: pytest.Subtests) -> None:
    order = make_paid_order()
    before = Order.objects.filter(pk=order.pk).values().get()
    with nothing_changes():
        assert "Please enter a note" in press(boss, "order_move", order, move="note", seen=2, note=" ")
    saved = press(boss, "order_move", order, move="note", seen=2, note="Rings on Friday")
    assert "The note was saved." in saved
    note = OrderNote.objects.get()
    assert (note.text, str(note.staff), note.order) == ("Rings on Friday", "boss", order)
    rows = shown(boss, reverse("orders:inspect", args=[order.pk]))
    assert "Rings on Friday" in rows[rows.index("Notes") :]
    assert Order.objects.filter(pk=order.pk).values().get() == before
    assert order.history.count() == 2
    for status in OrderStatus:
        with subtests.test(status=status.name):
            Order.objects.filter(pk=order.pk).update(status=status)
            assert "Save the note" in page(boss, order)
            # Another status than the page showed is no reason to lose a note.
            press(boss, "order_move", order, move="note", seen=2, note=f"Seen {status.name}")
            assert order.notes.latest("pk").text == f"Seen {status.name}"


def test_enter_in_a_text_field_of_an_order_runs_no_action(boss: Client, subtests: pytest.Subtests) -> None:
    sent, ready = make_paid_order(), make_paid_pick_up()
    make_shipment(sent)
    press(boss, "order_move", ready, move="prepare", seen=2)
    for order in (make_paid_order(), sent, ready):
        forms = re.findall(r'<form method="post" action="/admin/orders/.*?</form>', raw(boss, order), re.S)
        assert len(forms) >= 2
        for form in forms:
            # The Enter key presses the first button, and does nothing if that is disabled (HTML, 4.10.21.2).
            first = re.findall(r"<button[^>]*>", form)[0]
            with subtests.test(order=order.status, button=first):
                if 'name="pickup_code"' in form:
                    assert 'value="hand_over"' in first
                elif "/move/" in form:
                    assert 'value="note"' in first
                else:
                    assert "disabled" in first


def test_what_ends_an_order_asks_first_and_only_if_it_is_possible(boss: Client) -> None:
    order = make_paid_order()
    make_shipment(order)
    with nothing_changes():
        asked = press(boss, "order_move", order, move="deliver", seen=6)
        assert "The order is completed. The customer gets no message." in asked
        assert "You can undo it for 15 minutes." in asked
        question = boss.post(reverse("order_move", args=[order.pk]), {"move": "deliver", "seen": 6}).text
        [title] = re.findall(r'id="header-title"[^>]*>(.*?)</h\d>', question, re.S)
        assert "Delivered?" in title
        for values in ({"move": "deliver", "seen": 2}, {"move": "hand_over", "seen": 6}):
            assert "Back, and change nothing" not in press(boss, "order_move", order, **values)
    assert "The order was updated: Came back." in confirm(boss, order, move="record_return", seen=6)
    other = make_paid_order()
    make_shipment(other)
    assert "The order was updated: Delivered." in confirm(boss, other, move="deliver", seen=6, note="By Li")
    assert other.history.latest("pk").note == "By Li"


def test_staff_undo_their_own_action_and_the_history_shows_it(
    boss: Client, subtests: pytest.Subtests
) -> None:
    order = make_paid_order()
    make_shipment(order)
    html = confirm(boss, order, move="deliver", seen=6)
    change = order.history.latest("pk")
    until = timezone.localtime(change.created_at + UNDO_FOR)
    assert f"Undo “Delivered” (until {until:%H:%M})" in html
    assert "Its status cannot be changed by hand now." not in html
    colleague = staff_with("view_order", "change_order")
    assert "Undo “" not in page(colleague, order)
    with nothing_changes():
        other = press(colleague, "order_undo", order, change=change.pk)
        assert "Only the person who did this can undo it" in other
        for language, texts in (
            ("en", ("Undo “Delivered”?", "The order is “Shipped” again.")),
            ("zh-hans", ("撤销“已送达”？", "订单恢复为“已发货”。")),
        ):
            with subtests.test(language=language):
                set_language(boss, language)
                asked = press(boss, "order_undo", order, change=change.pk)
                assert all(text in asked for text in texts), asked
        set_language(boss, "en")
    html = press(boss, "order_undo", order, change=change.pk, confirmed="yes")
    assert "Undone: Delivered." in html
    order.refresh_from_db()
    assert order.status == OrderStatus.shipped
    assert re.search(
        r"Shipped</td>\s*<td>Undone</td>\s*<td>boss</td>",
        shown(boss, reverse("orders:inspect", args=[order.pk])),
    )
    with nothing_changes():
        for values in ({"change": change.pk}, {"change": "x"}, {}):
            assert "status has changed" in press(boss, "order_undo", order, confirmed="yes", **values)


def test_an_action_is_not_offered_to_be_undone_after_its_time(boss: Client) -> None:
    order = make_paid_pick_up()
    press(boss, "order_move", order, move="prepare", seen=2)
    confirm(boss, order, move="hand_over", seen=100, pickup_code=order.pickup_code)
    change = order.history.latest("pk")
    assert "Undo “Hand over”" in page(boss, order)
    order.history.filter(pk=change.pk).update(created_at=change.created_at - UNDO_FOR)
    assert "Undo “" not in page(boss, order)
    with nothing_changes():
        late = press(boss, "order_undo", order, change=change.pk, confirmed="yes")
    assert "The 15 minutes in which this could be undone are over" in late


def test_what_no_button_sends_is_refused(boss: Client, subtests: pytest.Subtests) -> None:
    order = make_paid_order()
    for values in (
        {},
        {"move": "fly", "seen": 2},
        {"move": "pick", "seen": "x"},
        {"move": "pick", "seen": 3},
    ):
        with subtests.test(values=values), nothing_changes(), only_refusals():
            press(boss, "order_move", order, **values)
            press(boss, "order_ship", order, **values)
            press(boss, "order_event", order, **values)
            press(boss, "order_correction", order, **values)


def test_who_may_only_view_orders_sees_no_buttons_and_presses_none() -> None:
    order = make_paid_order()
    viewer = staff_with("view_order")
    html = page(viewer, order)
    assert "order/move" not in html
    assert 'value="pick"' not in html
    with nothing_changes():
        for name in ("order_move", "order_undo", "order_ship", "order_event", "order_correction"):
            viewer.post(reverse(name, args=[order.pk]), {"move": "pick", "seen": 2})


def test_a_tracking_link_that_customers_could_not_follow_is_refused(
    boss: Client, subtests: pytest.Subtests
) -> None:
    for link in ("http://post.example/{number}", "https://post.example/", "javascript:{number}"):
        with subtests.test(link=link), rolled_back():
            values = {"name_en": "Emu", "name_zh": "鸸鹋", "code": "emu", "enabled": "on"}
            with only_refusals():
                answer = boss.post(reverse("carriers:add"), values | {"tracking_link": link})
            assert answer.status_code == 200
            assert not Carrier.objects.filter(code="emu").exists()
            right = {"tracking_link": "https://emu.example/{number}"}
            assert boss.post(reverse("carriers:add"), values | right).status_code == 302
            assert Carrier.objects.get(code="emu").enabled


def test_events_of_an_impossible_time_are_refused(boss: Client, subtests: pytest.Subtests) -> None:
    shipment = make_shipment()
    for time, expected in (("0001-01-01T00:00", "before the order"), ("9999-12-31T00:00", "ahead")):
        with subtests.test(time=time, expected=expected):
            with nothing_changes(), only_refusals():
                sent = press(
                    boss, "order_event", shipment.order, shipment=shipment.pk, time=time, state="in_transit"
                )
            assert expected in sent


def test_news_from_long_before_a_parcel_are_refused(boss: Client) -> None:
    shipment = make_shipment()
    long_ago = timezone.now() - timedelta(days=30)
    Order.objects.filter(pk=shipment.order_id).update(created_at=long_ago)
    time = f"{timezone.localtime(long_ago + timedelta(days=20)):%Y-%m-%dT%H:%M}"
    with nothing_changes(), only_refusals():
        sent = press(boss, "order_event", shipment.order, shipment=shipment.pk, time=time, state="delivered")
    assert "long before the parcel was sent" in sent


def test_staff_correct_a_tracking_number_and_see_the_former_one(boss: Client) -> None:
    shipment = make_shipment(tracking_no="KP1001")
    values = {"shipment": shipment.pk, "carrier": shipment.carrier_id}
    with nothing_changes():
        assert "Tracking number error" in press(
            boss, "order_correction", shipment.order, tracking_no="KP<1>", **values
        )
    page = press(boss, "order_correction", shipment.order, tracking_no="KP1002", **values)
    assert "The parcel was corrected." in page
    assert "formerly Kangaroo Post KP1001" in page
    assert "boss" in page
    shipment.refresh_from_db()
    assert shipment.tracking_no == "KP1002"


def test_a_parcel_of_another_order_is_not_corrected(boss: Client) -> None:
    shipment, order = make_shipment(), make_paid_order()
    values = {"shipment": shipment.pk, "carrier": shipment.carrier_id, "tracking_no": "KP1002"}
    with nothing_changes(), only_refusals():
        press(boss, "order_correction", order, **values)


def test_staff_find_an_order_by_the_whole_tracking_number_of_a_parcel() -> None:
    make_order(Buyer())
    sent = make_shipment(tracking_no="KP1001").order
    assert list(search_orders(Order.objects.all(), "kp 1001")) == [sent]
    assert not search_orders(Order.objects.all(), "KP10")


def test_customers_find_their_own_orders_alone_by_a_tracking_number() -> None:
    buyer = Buyer()
    mine = make_shipment(make_paid_order(buyer), "KP1001").order
    make_order(buyer)
    make_shipment(tracking_no="KP1001")
    answer = buyer.send("POST", "/orderInfo", {"word": "kp 1001"})["result"]
    assert [order["orderNo"] for order in answer["list"]] == [mine.order_no]
