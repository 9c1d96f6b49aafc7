from threading import Barrier

import pytest

from commerce.messaging.models import Message
from commerce.notifications import services
from commerce.notifications.kinds import Kind
from commerce.notifications.services import notify_due
from commerce.notifications.texts import Notification
from commerce.orders.models import OrderStatusChange
from commerce.orders.services import mark_paid
from commerce.orders.tests.builders import Buyer, make_order, make_stocked
from commerce.shipments.services import ship_parcel
from commerce.shipments.tests.builders import make_carrier
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db(transaction=True)


def test_concurrent_jobs_send_each_message_once() -> None:
    buyer = Buyer()
    for _ in range(4):
        make_order(buyer)
    concurrently(lambda _: notify_due(), range(6))
    assert Message.objects.count() == 4


def test_parcels_sent_during_the_job_get_one_message_each() -> None:
    order, carrier = make_order(Buyer(), (make_stocked(10), 4)), make_carrier()
    assert mark_paid(order=order, pay_type="5")
    notify_due()
    before, line = Message.objects.count(), order.lines.get().pk

    def send_or_notify(number: int) -> None:
        # Each number is pressed twice.
        if number < 6:
            number_of_parcel = f"KP100{number // 2}"
            ship_parcel(order=order, carrier=carrier, tracking_no=number_of_parcel, units={line: 1})
        notify_due()

    concurrently(send_or_notify, range(8))
    assert Message.objects.count() == before + 3


def test_control_reading_before_saving_sends_messages_again() -> None:
    make_order(Buyer())
    all_have_read = Barrier(6)

    def notify(_: int) -> None:
        change = OrderStatusChange.objects.select_related("order__customer").get()
        all_have_read.wait(20)
        if change.message_due:
            OrderStatusChange.objects.filter(pk=change.pk).update(message_due=False)
            services._write(Kind.created, change.order, Notification(), change.pk)

    concurrently(notify, range(6))
    assert Message.objects.count() == 6
