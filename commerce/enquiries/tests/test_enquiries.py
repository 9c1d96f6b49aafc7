"""The contact form and questions about orders: what reaches the shop's mailbox, and what does not."""

from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client
from django.urls import reverse

from commerce.enquiries.services import PER_CUSTOMER, ask_about_order
from commerce.messaging.models import Message
from commerce.orders.tests.builders import (
    Buyer,
    assert_refused,
    make_order,
    make_stocked,
    nothing_changes,
    refuses,
)
from core.errors import Err
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db
QUESTION = {"name": "Mei", "email": "Mei@example.com", "order_no": "S1", "text": "Where is\nmy rice?"}


def details() -> Any:
    return apps.get_model(settings.SHOP_SETTINGS_MODEL)._default_manager


@pytest.fixture(autouse=True)
def mailbox() -> None:
    details().update_or_create(pk=1, defaults={"email": "help@shop.example"})


def send(**values: str) -> str:
    return html_of(Client().post(reverse("enquiry-send"), QUESTION | values))


def test_a_visitors_message_reaches_the_mailbox_and_replies_go_to_the_visitor() -> None:
    assert "We have your message" in send()
    message = Message.objects.get()
    assert (message.to, message.reply_to) == ("help@shop.example", "mei@example.com")
    assert message.subject == "Question about order S1"
    assert "From: Mei <mei@example.com>" in message.text
    assert "Where is\nmy rice?" in message.text


def test_what_is_wrong_is_shown_with_what_was_typed_and_sends_nothing(subtests: pytest.Subtests) -> None:
    for values, shown in (
        ({"email": "mei"}, "Enter an email address"),
        ({"email": "0412 345 678"}, "Enter an email address"),
        ({"text": " "}, "Write what we can help you with"),
    ):
        with subtests.test(shown), nothing_changes():
            page = send(**values)
            assert shown in page
            assert 'value="Mei"' in page


def test_a_program_that_fills_in_the_hidden_field_gets_the_same_answer_and_sends_nothing() -> None:
    with nothing_changes():
        assert "We have your message" in send(website="https://spam.example")


def test_without_a_mailbox_or_after_too_many_messages_nothing_is_sent() -> None:
    for _ in range(10):
        send()
    with nothing_changes():
        assert "too many messages" in send()
    details().update(email="")
    with nothing_changes():
        assert "Please call us" in send()


def test_a_question_about_an_order_has_its_number_and_page_and_is_limited() -> None:
    buyer = Buyer()
    order = make_order(buyer, (make_stocked(), 1))
    path = f"/order/ask/{order.order_no}"
    assert buyer.send("POST", path, {"text": "When does it come?"})["code"] == 0
    message = Message.objects.get(to="help@shop.example")
    assert order.order_no in message.subject
    assert reverse("orders:inspect", args=[order.pk]) in message.text
    assert message.reply_to in {buyer.customer.account, ""}
    with nothing_changes():
        assert_refused(Buyer().send("POST", path, {"text": "Whose?"}), Err.order_not_found)
        assert buyer.send("POST", path, {"text": " "})["code"] != 0
    question: Any = {"customer": buyer.customer, "order_no": order.order_no, "text": "And now?"}
    for _ in range(PER_CUSTOMER.maximum - 1):
        ask_about_order(**question)
    with refuses(Err.too_frequent):
        ask_about_order(**question)
