"""The messages that customers get about their claims (docs/guarantees/money.md#claims)."""

from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from commerce.accounts.tests.builders import make_address, make_customer
from commerce.claims.states import ClaimState
from commerce.claims.tests.builders import answer, claim_of
from commerce.messaging.services import deliver_due_messages
from commerce.messaging.tests.outbox import messages
from commerce.notifications.kinds import OF_CLAIMS
from commerce.notifications.services import notify_due
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.tests.builders import Buyer, make_order
from commerce.payments.tests.builders import make_pay_types
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_outbox(settings: LazySettings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    make_pay_types()


def make_sent_order(account: str, language: str) -> Order:
    customer = make_customer(account=account)
    make_address(customer)
    order = make_order(Buyer(customer))
    Order.objects.filter(pk=order.pk).update(status=6, language=language)
    OrderStatusChange.objects.update(message_due=False)
    order.refresh_from_db()
    return order


def sent_messages() -> list[dict[str, str]]:
    notify_due()
    deliver_due_messages()
    return list(messages())


@pytest.mark.parametrize(
    ("language", "to", "subject"),
    [
        ("en", ClaimState.asking, "A question about your claim"),
        ("en", ClaimState.refund, "Your claim for order"),
        ("en", ClaimState.declined, "We could not accept your claim"),
        ("zh-hans", ClaimState.replacement, "您的售后申请已通过"),
    ],
)
def test_each_answer_gets_one_message_in_the_language_of_the_order(
    language: str, to: ClaimState, subject: str
) -> None:
    claim = claim_of(make_sent_order("mei@example.com", language))
    answer(claim, to, "The bag was whole")
    for _ in range(2):
        [message] = sent_messages()
        assert subject in message["subject"]
        assert "The bag was whole" in message["text"]
        assert f"/home/account/claims/{claim}" in message["text"]


def test_a_customer_without_an_e_mail_address_gets_an_sms() -> None:
    claim = claim_of(make_sent_order("+61412345678", "en"))
    answer(claim, ClaimState.asking, "Which one?")
    [message] = sent_messages()
    assert "A question about your claim for order" in message["text"]
    assert "Which one?" in message["text"]


@pytest.mark.parametrize("kind", sorted(OF_CLAIMS))
def test_staff_can_preview_the_message_of_an_answer(kind: str) -> None:
    boss = Client()
    boss.force_login(User.objects.create_superuser("boss"))
    order = make_sent_order("mei@example.com", "en")
    asked = {"kind": kind, "language": "en", "order_no": order.order_no}
    shown = html_of(boss.get(reverse("notification_preview"), asked))
    assert "our claim for order" in shown
    assert "(What staff have written goes here.)" in shown
