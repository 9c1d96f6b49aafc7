"""The messages that customers get when staff answer their claim or review their transfer.

docs/guarantees/money.md#claims, docs/guarantees/money.md#transfers
"""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from commerce.accounts.tests.builders import make_customer
from commerce.claims.states import ClaimState
from commerce.claims.tests.builders import answer, claim_of
from commerce.messaging.services import deliver_due_messages
from commerce.messaging.tests.outbox import empty_outbox, messages
from commerce.notifications.kinds import OF_CLAIMS
from commerce.notifications.services import notify_due
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.services import cancel_order
from commerce.orders.tests.builders import Buyer, make_order, make_stocked
from commerce.payments.models import Certificate
from commerce.payments.services.review import approve_transfer, reject_transfer
from commerce.payments.tests.builders import make_pay_types, prove
from core.money import aud_text
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db
Reason = Certificate.Reason


@pytest.fixture(autouse=True)
def pay_types() -> None:
    make_pay_types()


@pytest.fixture
def boss() -> User:
    return User.objects.create(username="boss")


def make_sent_order(account: str, language: str) -> Order:
    order = make_order(Buyer(make_customer(account=account)))
    Order.objects.filter(pk=order.pk).update(status=6, language=language)
    OrderStatusChange.objects.update(message_due=False)
    order.refresh_from_db()
    return order


def sent_messages() -> list[dict[str, str]]:
    notify_due()
    deliver_due_messages()
    return list(messages())


def test_each_answer_gets_one_message_in_the_language_of_the_order(subtests: pytest.Subtests) -> None:
    for language, to, subject in (
        ("en", ClaimState.asking, "A question about your claim"),
        ("en", ClaimState.refund, "Your claim for order"),
        ("en", ClaimState.declined, "We could not accept your claim"),
        ("zh-hans", ClaimState.replacement, "您的售后申请已通过"),
    ):
        with subtests.test(language=language, to=to, subject=subject), rolled_back():
            empty_outbox()
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


def test_staff_can_preview_the_message_of_an_answer(staff: Client, subtests: pytest.Subtests) -> None:
    order = make_sent_order("mei@example.com", "en")
    for kind in sorted(OF_CLAIMS):
        with subtests.test(kind=kind):
            asked = {"kind": kind, "language": "en", "order_no": order.order_no}
            shown = html_of(staff.get(reverse("notification_preview"), asked))
            assert "our claim for order" in shown
            assert "(What staff have written goes here.)" in shown


def order_in(buyer: Buyer, lang: str) -> Order:
    buyer.send("POST", "/order", buyer.body((make_stocked(), 2)), lang=lang)
    OrderStatusChange.objects.update(message_due=False)
    return Order.objects.get()


def test_a_rejected_picture_gets_one_message_with_the_reason_in_the_orders_language(
    buyer: Buyer, boss: User, subtests: pytest.Subtests
) -> None:
    for lang, subject, words in (
        ("en", "We could not accept your transfer", "The picture cannot be read: Only half"),
        ("zh", "您的转账未通过审核", "图片无法辨认：Only half"),
    ):
        with subtests.test(lang=lang, subject=subject, words=words), rolled_back():
            empty_outbox()
            order = order_in(buyer, lang)
            proof = prove(buyer, order)
            reject_transfer(certificate=proof, reason=Reason.unreadable, text="Only half", staff=boss)
            for _ in range(2):
                [message] = sent_messages()
                assert subject in message["subject"]
                assert words in message["text"]
                assert f"/home/account/orderdetails/{order}#transfer" in message["text"]


def test_the_message_about_a_part_payment_names_the_missing_amount(buyer: Buyer, boss: User) -> None:
    order = order_in(buyer, "en")
    approve_transfer(certificate=prove(buyer, order), amount=Decimal("2.50"), staff=boss)
    [message] = sent_messages()
    assert f"Still to pay: {aud_text(order.pay_amount - Decimal('2.50'))}" in message["text"]


def test_no_other_picture_is_requested_while_a_newer_one_waits(buyer: Buyer, boss: User) -> None:
    order = order_in(buyer, "en")
    reject_transfer(certificate=prove(buyer, order), reason=Reason.unreadable, text="", staff=boss)
    prove(buyer, order)
    assert sent_messages() == []
    assert not Certificate.objects.filter(message_due=True).exists()


def test_a_question_that_was_answered_is_not_sent(subtests: pytest.Subtests) -> None:
    for is_written in (False, True):
        with subtests.test(is_written=is_written), rolled_back():
            empty_outbox()
            claim = claim_of(make_sent_order("mei@example.com", "en"))
            answer(claim, ClaimState.asking, "Which one?")
            assert not is_written or notify_due() == 1
            answer(claim, ClaimState.replacement, "We send another")
            [message] = sent_messages()
            assert "We send another" in message["text"]


def test_no_picture_is_requested_for_a_canceled_order(buyer: Buyer, boss: User) -> None:
    order = order_in(buyer, "en")
    certificate = prove(buyer, order)
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    reject_transfer(certificate=certificate, reason=Reason.unreadable, text="", staff=boss)
    assert ["cancelled" in message["subject"] for message in sent_messages()] == [True]
    assert not Certificate.objects.filter(message_due=True).exists()
