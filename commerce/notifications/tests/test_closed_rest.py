"""The messages that customers get when the rest of their order is closed (docs/product.md#messages)."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from commerce.accounts.tests.builders import make_address, make_customer
from commerce.messaging.models import Message
from commerce.notifications.services import notify_due
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_stocked
from commerce.shipments.services import cancel_unshipped, ship_parcel
from commerce.shipments.tests.builders import make_carrier, pay

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_outbox(settings: LazySettings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def close(account: str, lang: str) -> tuple[Order, Message]:
    """Send a part of an order and close its rest; returns the one message about the rest."""
    customer = make_customer(account=account)
    make_address(customer)
    buyer = Buyer(customer)
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


@pytest.mark.parametrize(
    ("lang", "subject", "left_out"),
    [
        (
            "en",
            "We could not send all of your order {}",
            "\nNot sent: 1 × Rice 1 kg\n\nNot sent: 2 × Tea <b> 20 bags\n",
        ),
        ("zh", "您的订单 {} 未能全部发出", "\n未发出：1 × 香米 1 公斤\n\n未发出：2 × 茶 <b> 20 包\n"),
    ],
)
def test_the_message_names_what_is_left_out_and_not_the_note_of_staff(
    lang: str, subject: str, left_out: str
) -> None:
    order, message = close("mei@example.com", lang)
    assert message.subject == subject.format(order)
    assert left_out in message.text
    assert "&lt;b&gt;" in message.html
    assert "<b>" not in message.html
    assert "Talks" not in message.text + message.html


def test_an_sms_names_what_is_left_out() -> None:
    order, message = close("+61412345678", "en")
    assert message.text.endswith(
        f"We could not send all of your order {order}: 1 × Rice 1 kg; 2 × Tea <b> 20 bags"
    )
