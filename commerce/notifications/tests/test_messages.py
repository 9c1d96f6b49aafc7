"""Messages about orders (docs/guarantees/delivery.md#messages-about-orders, docs/product.md#messages)."""

import re
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db.models import Q
from django.utils import timezone

from catalog.stock.tests.builders import stock
from commerce.accounts.tests.builders import make_customer
from commerce.delivery.models import DeliverySlot
from commerce.delivery.tests.builders import make_shop
from commerce.messaging.models import Message
from commerce.messaging.services import deliver_due_messages, write_message
from commerce.messaging.tests.outbox import empty_outbox, messages
from commerce.notifications import services, texts
from commerce.notifications.audit import differences
from commerce.notifications.kinds import OF_CLAIMS, REQUIRED, Kind
from commerce.notifications.models import NotificationSwitch
from commerce.notifications.services import notify_due
from commerce.notifications.texts import Letter, Notification, letter
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.services import cancel_order, mark_paid
from commerce.orders.services.change_status import change_status
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, make_stocked
from commerce.payments.models import Payment, Refund
from commerce.refunds.models import CancellationRequest
from commerce.refunds.services import decline_cancellation, request_cancellation
from commerce.refunds.tests.builders import make_staff
from commerce.shipments.models import ParcelState, Shipment
from commerce.shipments.services import cancel_unshipped, ship_parcel
from commerce.shipments.tests.builders import (
    make_carrier,
    make_handed_over,
    make_paid_order,
    make_paid_pick_up,
    pay,
    undo,
)
from core.clock import shop_zone
from core.languages import CHINESE, ENGLISH
from core.shop import Seller
from core.tests.failing import failing_for
from core.tests.rows import rolled_back

# Texts of messages, and their recipients.
pytestmark = pytest.mark.django_db

INVOICE_MESSAGE = Notification(invoice="/invoices/x?key=y")


@pytest.fixture(autouse=True)
def switches() -> None:
    for kind in set(Kind) - REQUIRED:
        NotificationSwitch.objects.get_or_create(kind=kind)


def sent_messages() -> list[str]:
    """Write and send what is due, and return the subjects of all that was sent."""
    notify_due()
    deliver_due_messages()
    return [message["subject"] for message in messages()]


def written(order: Order, kind: Kind = Kind.paid, language: str = ENGLISH) -> Letter:
    """Write the message about an order, without sending it."""
    return letter(kind=kind, order=order, language=language, notification=Notification())


def move(order: Order, to: OrderStatus, note: str = "") -> None:
    assert change_status(order=order, to=to, reason=ChangeReason.staff, note=note)


def test_a_customer_gets_one_message_for_each_step_in_order(buyer: Buyer) -> None:
    order = make_order(buyer)
    subjects = [f"We have your order {order}"]
    assert sent_messages() == subjects
    pay(buyer, order)
    for to, subject in (
        (OrderStatus.picking, f"Your order {order} is paid"),
        (OrderStatus.asking, f"A question about your order {order}"),
        (OrderStatus.picking, ""),
        (OrderStatus.shipped, f"Your order {order} is on its way"),
    ):
        move(order, to)
        subjects += [subject] if subject else []
        assert sent_messages() == subjects
        assert sent_messages() == subjects
    assert not OrderStatusChange.objects.filter(message_due=True).exists()
    assert [message["to"] for message in messages()] == ["mei@example.com"] * 4


def test_a_state_that_is_over_is_not_announced(buyer: Buyer) -> None:
    """An order may be paid, sent and completed before the job of the minute runs."""
    order = make_paid_order(buyer)
    for to in (OrderStatus.picking, OrderStatus.asking, OrderStatus.picking, OrderStatus.shipped):
        move(order, to)
    assert sent_messages() == [f"Your order {order} is paid", f"Your order {order} is on its way"]
    assert not OrderStatusChange.objects.filter(message_due=True).exists()


@pytest.mark.parametrize(
    ("kind", "in_state", "over"),
    [
        (Kind.created, OrderStatus.unpaid, OrderStatus.paid),
        (Kind.created, OrderStatus.unpaid, OrderStatus.canceled),
        (Kind.asking, OrderStatus.asking, OrderStatus.picking),
        (Kind.ready, OrderStatus.ready, OrderStatus.completed),
        (Kind.shipped, OrderStatus.shipped, OrderStatus.completed),
        (Kind.shipped, OrderStatus.partly_shipped, OrderStatus.returned),
        (Kind.canceled, OrderStatus.canceled, OrderStatus.paid),
        (Kind.paid, OrderStatus.paid, None),
    ],
)
def test_a_written_message_is_sent_only_while_its_state_lasts(
    buyer: Buyer, kind: Kind, in_state: OrderStatus, over: OrderStatus | None
) -> None:
    order = make_order(buyer)
    OrderStatusChange.objects.update(message_due=False)
    for ends in (False, True):
        empty_outbox()
        before = OrderStatus.unpaid if in_state == OrderStatus.paid else None
        OrderStatusChange.objects.create(
            order=order, from_status=before, to_status=in_state, reason=ChangeReason.staff
        )
        Order.objects.update(status=in_state)
        assert notify_due() == 1
        if ends:
            # Such as while the mail server is down.
            Order.objects.update(status=over or OrderStatus.chargeback)
        deliver_due_messages()
        assert len(messages()) == (0 if ends and over else 1)
        assert not Message.objects.filter(sent_at=None).exists()


def test_a_reviewed_order_gets_no_second_message_about_its_payment(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    move(order, OrderStatus.in_review)
    move(order, OrderStatus.paid)
    assert len(sent_messages()) == 1


def test_an_undone_action_announces_no_state_again(buyer: Buyer) -> None:
    staff = User.objects.create(username="li")
    order = make_handed_over(staff, make_paid_pick_up(buyer))
    notify_due()
    Message.objects.all().delete()
    undo(order, staff)
    assert notify_due() == 0
    assert not Message.objects.exists()


def test_a_message_is_in_the_language_of_the_order(buyer: Buyer, subtests: pytest.Subtests) -> None:
    rice = make_stocked(name_en="Jasmine rice", name_zh="香米")
    for lang, subject, words, link in (
        ("en", "We have your order", "Total, GST included", "/home/account/orderdetails/"),
        ("zh", "我们已收到您的订单", "合计（含GST）", "/zh-hans/home/account/orderdetails/"),
    ):
        with subtests.test(lang=lang, subject=subject, words=words, link=link), rolled_back():
            empty_outbox()
            buyer.send("POST", "/order", buyer.body((rice, 2)), lang=lang)
            [title] = sent_messages()
            [message] = messages()
            order = Order.objects.get()
            assert title == f"{subject} {order}"
            assert words in message["text"]
            assert f"{link}{order}" in message["text"]
            mine, other = ("Jasmine rice", "香米") if lang == "en" else ("香米", "Jasmine rice")
            assert mine in message["text"]
            assert other not in message["text"]


def test_names_are_written_as_text_into_the_page_and_unchanged_into_the_text(buyer: Buyer) -> None:
    rice = make_stocked(name_en="Rice & <b>peas</b>")
    message = written(make_order(buyer, (rice, 1)), Kind.created)
    assert "Rice & <b>peas</b>" in message.text
    assert "Rice &amp; &lt;b&gt;peas&lt;/b&gt;" in message.html
    assert "<b>peas" not in message.html


def test_mail_has_text_and_page(buyer: Buyer, settings: LazySettings) -> None:
    settings.EMAIL_URL = "memory://"
    make_order(buyer)
    notify_due()
    deliver_due_messages()
    [sent] = mail.outbox
    assert isinstance(sent, EmailMultiAlternatives)
    [(page, kind)] = sent.alternatives
    assert kind == "text/html"
    assert str(page).startswith("<!DOCTYPE html>")
    message = Message.objects.get()
    assert (message.text, message.html) == ("", "")


def test_the_message_about_a_pick_up_names_store_hour_and_code(buyer: Buyer) -> None:
    shop, rice = make_shop(name_en="Northbridge"), make_stocked()
    stock(rice, 5, shop.location)
    buyer.pick_up(shop, (rice, 1))
    order = Order.objects.get()
    mark_paid(order=order, pay_type="5")
    move(order, OrderStatus.ready)
    sent_messages()
    text = messages()[-1]["text"]
    assert "Northbridge, 1 Hay Street, Perth" in text
    assert order.pickup_code in text
    # Before it is ready the customer could not use the code.
    assert order.pickup_code not in messages()[0]["text"]


def test_the_message_about_a_parcel_has_its_number_and_tracking_link(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    ship_parcel(order=order, carrier=make_carrier(), tracking_no="KP1234567")
    sent_messages()
    [sent] = [message for message in messages() if "on its way" in message["subject"]]
    assert "KP1234567" in sent["text"]
    assert "https://" in sent["text"].split("KP1234567")[1]


def send_in_parcels(order: Order, *tracking_numbers: str) -> None:
    """Send one unit of an order in each parcel."""
    line = order.lines.get().pk
    for number in tracking_numbers:
        ship_parcel(order=order, carrier=make_carrier(), tracking_no=number, units={line: 1})


def test_each_parcel_gets_one_message_in_the_language_of_its_order(buyer: Buyer) -> None:
    rice = make_stocked(10)
    buyer.send("POST", "/order", buyer.body((rice, 3)), lang="zh")
    order = pay(buyer, Order.objects.get())
    before = len(sent_messages())
    for count, number in enumerate(["KP1001", "KP1002", "KP1003"], 1):
        send_in_parcels(order, number)
        sent_messages()
        sent = messages()[before:]
        assert len(sent) == count
        assert number in sent[-1]["text"]
        assert "您的订单" in sent[-1]["subject"]
    send_in_parcels(order, "KP1002")
    assert len(sent_messages()) == before + 3
    assert list(order.history.values_list("to_status", flat=True))[-3:] == [106, 106, 6]
    audit()


def test_parcels_of_the_same_minute_each_come_first_in_their_own_message(buyer: Buyer) -> None:
    order = make_paid_order(buyer, (make_stocked(10), 3))
    before = len(sent_messages())
    send_in_parcels(order, "KP1001", "KP1002", "KP1003")
    sent_messages()
    written = [message["text"] for message in messages()[before:]]
    for text, number in zip(written, ["KP1001", "KP1002", "KP1003"], strict=True):
        assert f"Parcel: Kangaroo Post {number}\nhttps://post.example/track/{number}\n" in text
        assert text.count("Parcel: ") == 1
        assert text.count("Also on its way: ") == 2
    # Each message describes the order when its parcel was sent, although its status has changed.
    assert ["the rest will follow" in text for text in written] == [True, True, False]


def test_a_parcel_that_has_arrived_is_not_on_its_way_with_another(buyer: Buyer) -> None:
    order = make_paid_order(buyer, (make_stocked(10), 2))
    send_in_parcels(order, "KP1001")
    sent_messages()
    order.shipments.update(state=ParcelState.delivered)
    send_in_parcels(order, "KP1002")
    sent_messages()
    assert "Parcel: Kangaroo Post KP1002" in messages()[-1]["text"]
    assert "KP1001" not in messages()[-1]["text"]


def test_no_parcel_gets_a_message_if_these_are_switched_off(buyer: Buyer) -> None:
    NotificationSwitch.objects.filter(kind=Kind.shipped).update(is_on=False)
    order = make_paid_order(buyer, (make_stocked(10), 3))
    before = len(sent_messages())
    send_in_parcels(order, "KP1001", "KP1002", "KP1003")
    assert len(sent_messages()) == before
    assert not OrderStatusChange.objects.filter(message_due=True).exists()


def test_a_kind_that_is_switched_off_is_not_sent(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for kind in sorted(set(Kind) - REQUIRED - {Kind.asking, Kind.ready}):
        with subtests.test(kind=kind), rolled_back():
            empty_outbox()
            NotificationSwitch.objects.filter(kind=kind).update(is_on=False)
            order = make_order(buyer)
            sent_messages()
            pay(buyer, order)
            move(order, OrderStatus.shipped)
            assert len(sent_messages()) == 2
            assert not OrderStatusChange.objects.filter(message_due=True).exists()


def test_what_the_law_asks_for_has_no_switch() -> None:
    about_money = {Kind.paid, Kind.refunded, Kind.rejected, Kind.part_paid}
    about_ends = {Kind.left_out, Kind.canceled, Kind.cancellation_declined}
    assert about_money | about_ends | OF_CLAIMS == REQUIRED
    switched = [kind for kind, _name in NotificationSwitch._meta.get_field("kind").choices or []]
    assert {*switched, *REQUIRED} == set(Kind)
    assert len(switched) + len(REQUIRED) == len(Kind)


def test_a_customer_with_a_telephone_number_gets_a_short_sms_of_what_matters() -> None:
    order = make_paid_order(Buyer(make_customer(account="+61412345678")))
    move(order, OrderStatus.shipped)
    sent_messages()
    [message] = messages()
    assert message["channel"] == "sms"
    assert message["text"].endswith(f"Your order {order} is on its way")
    assert len(message["text"]) <= 160


def test_a_declined_request_to_cancel_gets_a_message_with_its_reason_once() -> None:
    order = make_paid_order(Buyer(make_customer(account="+61412345679")))
    request_cancellation(customer=order.customer, order_no=order.order_no)
    request = CancellationRequest.objects.get()
    decline_cancellation(request=request, staff=make_staff(), answer="It is on the van")
    sent_messages()
    sent_messages()
    text = f"We could not cancel your order {order}: It is on the van"
    assert [text in message["text"] for message in messages()].count(True) == 1


def test_a_completed_refund_gets_a_message(buyer: Buyer) -> None:
    order = make_order(buyer)
    payment = Payment.objects.create(order=order, reference="x-1", amount=1, pay_type="5", state="paid")
    refund = Refund.objects.create(payment=payment, amount=1, reason=Refund.Reason.paid_twice)
    assert len(sent_messages()) == 1
    Refund.objects.filter(pk=refund.pk).update(state=Refund.State.done)
    assert sent_messages()[1:] == [f"Your refund for order {order}"]
    assert "Refund: A$1.00" in messages()[-1]["text"]
    assert len(sent_messages()) == 2


def test_a_canceled_order_gets_a_message(buyer: Buyer) -> None:
    order = make_order(buyer)
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    assert sent_messages()[-1] == f"Your order {order} is cancelled"


def test_only_a_question_shows_the_note_of_staff(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    move(order, OrderStatus.asking, note="Is <b>black</b> tea all right?")
    notify_due()
    move(order, OrderStatus.picking, note="Talks much")
    move(order, OrderStatus.shipped, note="Paid late before")
    notify_due()
    asked = Message.objects.get(subject__startswith="A question")
    assert "Is <b>black</b> tea all right?" in asked.text
    assert "Is &lt;b&gt;black&lt;/b&gt; tea all right?" in asked.html
    assert not Message.objects.filter(Q(text__contains="Paid late") | Q(text__contains="Talks")).exists()


def test_a_question_by_sms_shows_its_text_and_the_phone_number(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for phone in ("", "08 9000 0000"):
        with subtests.test(phone=phone), rolled_back():
            empty_outbox()
            seller = Seller("Eastbowl", "东碗", "", "", "", phone, "")
            monkeypatch.setattr(texts, "contact", Mock(return_value=seller))
            order = make_paid_order(Buyer(make_customer(account="+61412345678")))
            move(order, OrderStatus.asking, note="Is black tea all right?")
            sent_messages()
            [message] = messages()
            calls = f" Please call us: {phone}" if phone else ""
            assert message["text"].endswith(f" asks about your order {order}: Is black tea all right?{calls}")


def test_an_old_event_gets_no_message(buyer: Buyer) -> None:
    make_order(buyer)
    with time_machine.travel(timezone.now() + timedelta(minutes=11), tick=False):
        assert [each.rule for each in differences()] == ["order-message"]
    with time_machine.travel(timezone.now() + timedelta(days=4), tick=False):
        assert sent_messages() == []
    assert not OrderStatusChange.objects.filter(message_due=True).exists()


def test_a_message_that_cannot_be_written_holds_up_no_other(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = make_order(buyer), make_order(buyer)

    monkeypatch.setattr(services, "letter", failing_for(bad, letter))
    assert sent_messages() == [f"We have your order {good}"]
    monkeypatch.undo()
    assert len(sent_messages()) == 2


def test_every_kind_can_be_written_in_both_languages(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_order(buyer)
    for language in (ENGLISH, CHINESE):
        for kind in Kind:
            with subtests.test(language=language, kind=kind):
                message = letter(kind=kind, order=order, language=language, notification=INVOICE_MESSAGE)
                assert all([message.subject, message.text, message.html, message.sms])
                assert "/invoices/x?key=y" in message.text
                assert ("Total, GST included" in message.text) == (language == ENGLISH)


def test_a_message_names_where_an_order_goes_and_no_parcel_that_came_back(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    ship_parcel(order=order, carrier=make_carrier(), tracking_no="KP1001")
    text = written(order, Kind.shipped, CHINESE).text
    assert "袋鼠邮政 KP1001" in text
    assert "1 Hay Street" in text
    Shipment.objects.update(came_back_at=timezone.now())
    assert "KP1001" not in written(order, Kind.shipped, CHINESE).text


def test_a_message_names_the_way_of_delivery(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_paid_order(buyer)
    for status, words in (
        (OrderStatus.shipped, "We have sent your order."),
        (OrderStatus.partly_shipped, "We have sent part of your order"),
        (OrderStatus.out_for_delivery, "Our van is on its way"),
    ):
        with subtests.test(status=status, words=words), rolled_back():
            empty_outbox()
            order.refresh_from_db()
            move(order, status)
            sent_messages()
            assert words in messages()[-1]["text"]


def van_order(buyer: Buyer) -> Order:
    """Make an order that the van brings on Friday afternoon, and that may be left at the door."""
    order = make_order(buyer)
    starts = datetime(2026, 11, 27, 13, tzinfo=shop_zone())
    slot = DeliverySlot.objects.create(
        starts_at=starts, ends_at=starts + timedelta(hours=4), capacity=5, booked=1
    )
    wishes = {"leave_at_door": True, "remark": "Blue <b>door</b>"}
    Order.objects.filter(pk=order.pk).update(delivery_slot=slot, **wishes)
    return Order.objects.get(pk=order.pk)


def test_a_message_about_the_van_shows_its_window_and_the_customers_wishes(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    order = van_order(buyer)
    for language, words in (
        (
            ENGLISH,
            [
                "Delivery window: 27 Nov 2026, 13:00–17:00 Perth time",
                "If no one is home, we may leave it at the door.",
                "Your note: Blue <b>door</b>",
            ],
        ),
        (
            CHINESE,
            [
                "送货时段：2026年11月27日 13:00–17:00 珀斯时间",
                "无人在家时可放在门口。",
                "您的备注：Blue <b>door</b>",
            ],
        ),
    ):
        with subtests.test(language=language, words=words):
            paid = written(order, Kind.paid, language)
            for each in words:
                assert each in paid.text
            assert "Blue &lt;b&gt;door" in paid.html
            canceled = written(order, Kind.canceled, language)
            assert "Blue" not in canceled.text + canceled.html


def test_the_time_to_pay_ends_its_sentence_once(buyer: Buyer) -> None:
    make_order(buyer)
    sent_messages()
    text = messages()[-1]["text"]
    assert re.search(r"Please pay before \d+ \w+ \d{4}, \d\d:\d\d Perth time\.\n", text)


def test_a_chinese_message_names_the_pack_in_chinese_as_long_as_the_product_has_that_pack(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    for pack, shown in (("500 g", "500 克"), ("400 g", "400 g")):
        with subtests.test(pack=pack, shown=shown), rolled_back():
            rice = make_stocked(name_zh="香米", pack="500 g", pack_zh="500 克")
            order = make_order(buyer, (rice, 1))
            # The product was sold in another pack at the time.
            order.lines.update(pack=pack)
            assert f"1 × 香米 {shown} " in written(order, language=CHINESE).text
            assert pack in written(order).text


def test_codes_leave_before_messages_about_orders(buyer: Buyer) -> None:
    make_order(buyer)
    notify_due()
    in_ten_minutes = timezone.now() + timedelta(minutes=10)
    write_message(to="li@example.com", subject="Code", text="1", code="1", expires_at=in_ten_minutes)
    deliver_due_messages()
    assert [message["to"] for message in messages()] == ["li@example.com", "mei@example.com"]


def test_messages_about_orders_share_one_task(
    buyer: Buyer, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hinted = []
    monkeypatch.setattr(services, "send_due_messages", lambda: hinted.append(1))
    make_order(buyer)
    make_order(buyer)
    with django_capture_on_commit_callbacks(execute=True):
        notify_due()
        notify_due()
    assert hinted == [1]


def test_an_address_is_written_in_the_order_of_its_country(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_order(buyer)
    for language, sent_to, expected in (
        (ENGLISH, {}, "Delivery address: Mei Chen, 18 Hay Street, Northbridge WA 6003, Australia"),
        (CHINESE, {}, "收货地址：Mei Chen，18 Hay Street，Northbridge WA 6003，澳大利亚"),
        (
            CHINESE,
            {
                "countryName": "China",
                "provinceName": "广东省",
                "cityName": "深圳市",
                "areaName": "南山区",
                "zipCode": "",
            },
            "收货地址：Mei Chen，中国 广东省深圳市南山区 18 Hay Street",
        ),
    ):
        with subtests.test(language=language, sent_to=sent_to, expected=expected):
            order.address = {
                "contacts": "Mei Chen",
                "addressDetail": "18 Hay Street",
                "areaName": "Northbridge",
                "cityName": "",
                "provinceName": "WA",
                "zipCode": "6003",
                "countryName": "Australia",
            } | sent_to
            assert f"{expected}\n" in written(order, language=language).text


def close_rest(account: str, lang: str) -> tuple[Order, Message]:
    """Send a part of an order and close its rest; returns the one message about the rest."""
    buyer = Buyer(make_customer(account=account))
    rice = make_stocked(10, name_en="Rice", name_zh="香米", pack="1 kg", pack_zh="1 公斤")
    tea = make_stocked(10, name_en="Tea <b>", name_zh="茶 <b>", pack="20 bags", pack_zh="20 包")
    buyer.send("POST", "/order", buyer.body((rice, 3), (tea, 2)), lang=lang)
    order = pay(buyer, Order.objects.get())
    line = order.lines.get(name_en="Rice")
    ship_parcel(order=order, carrier=make_carrier(), tracking_no="KP1001", units={line.pk: 2})
    order.refresh_from_db()
    notify_due()
    before = set(Message.objects.values_list("pk", flat=True))
    cancel_unshipped(order=order, seen=OrderStatus.partly_shipped, note="Talks much")
    notify_due()
    notify_due()
    return order, Message.objects.exclude(pk__in=before).get()


def test_the_message_names_what_is_left_out_and_not_the_note_of_staff(subtests: pytest.Subtests) -> None:
    for lang, subject, left_out in (
        (
            "en",
            "We could not send all of your order {}",
            "\nNot sent: 1 × Rice 1 kg\n\nNot sent: 2 × Tea <b> 20 bags\n",
        ),
        ("zh", "您的订单 {} 未能全部发出", "\n未发出：1 × 香米 1 公斤\n\n未发出：2 × 茶 <b> 20 包\n"),
    ):
        with subtests.test(lang=lang, subject=subject, left_out=left_out), rolled_back():
            order, message = close_rest("mei@example.com", lang)
            assert message.subject == subject.format(order)
            assert left_out in message.text
            assert "&lt;b&gt;" in message.html
            assert "<b>" not in message.html
            assert "Talks" not in message.text + message.html


def test_an_sms_names_what_is_left_out() -> None:
    order, message = close_rest("+61412345678", "en")
    assert message.text.endswith(
        f"We could not send all of your order {order}: 1 × Rice 1 kg; 2 × Tea <b> 20 bags"
    )
