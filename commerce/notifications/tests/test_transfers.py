"""The messages that customers get after the review of their transfer (docs/guarantees/money.md#transfers)."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User

from commerce.accounts.tests.builders import make_address, make_customer
from commerce.messaging.services import deliver_due_messages
from commerce.messaging.tests.outbox import messages
from commerce.notifications.services import notify_due
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.services import cancel_order
from commerce.orders.tests.builders import Buyer, make_stocked
from commerce.payments.models import Certificate
from commerce.payments.services.review import approve_transfer, reject_transfer
from commerce.payments.tests.builders import make_pay_types, prove
from core.money import aud_text

pytestmark = pytest.mark.django_db
Reason = Certificate.Reason


@pytest.fixture(autouse=True)
def own_outbox(settings: LazySettings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    make_pay_types()


@pytest.fixture
def buyer() -> Buyer:
    customer = make_customer(account="mei@example.com")
    make_address(customer)
    return Buyer(customer)


def make_order(buyer: Buyer, lang: str) -> Order:
    buyer.send("POST", "/order", buyer.body((make_stocked(), 2)), lang=lang)
    OrderStatusChange.objects.update(message_due=False)
    return Order.objects.get()


def sent_messages() -> list[dict[str, str]]:
    notify_due()
    deliver_due_messages()
    return list(messages())


@pytest.mark.parametrize(
    ("lang", "subject", "words"),
    [
        ("en", "We could not accept your transfer", "The picture cannot be read: Only half"),
        ("zh", "您的转账未通过审核", "图片无法辨认：Only half"),
    ],
)
def test_a_rejected_picture_gets_one_message_with_the_reason_in_the_orders_language(
    buyer: Buyer, lang: str, subject: str, words: str
) -> None:
    order = make_order(buyer, lang)
    boss = User.objects.create(username="boss")
    reject_transfer(certificate=prove(buyer, order), reason=Reason.unreadable, text="Only half", staff=boss)
    for _ in range(2):
        [message] = sent_messages()
        assert subject in message["subject"]
        assert words in message["text"]
        assert f"/home/account/orderdetails/{order}#transfer" in message["text"]


def test_the_message_about_a_part_payment_names_the_missing_amount(buyer: Buyer) -> None:
    order = make_order(buyer, "en")
    boss = User.objects.create(username="boss")
    approve_transfer(certificate=prove(buyer, order), amount=Decimal("2.50"), staff=boss)
    [message] = sent_messages()
    assert f"Still to pay: {aud_text(order.pay_amount - Decimal('2.50'))}" in message["text"]


def test_no_picture_is_requested_for_a_canceled_order(buyer: Buyer) -> None:
    order = make_order(buyer, "en")
    certificate = prove(buyer, order)
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    boss = User.objects.create(username="boss")
    reject_transfer(certificate=certificate, reason=Reason.unreadable, text="", staff=boss)
    assert ["cancelled" in message["subject"] for message in sent_messages()] == [True]
    assert not Certificate.objects.filter(message_due=True).exists()
