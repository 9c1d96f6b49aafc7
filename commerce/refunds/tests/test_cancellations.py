"""Requests to cancel paid orders: customers send them once, and staff answer them once."""

import pytest
from django.test import Client
from django.urls import reverse

from commerce.accounts.tests.staff import staff_with
from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Answer,
    Buyer,
    assert_refused,
    audit,
    make_stocked,
    nothing_changes,
    press,
)
from commerce.refunds.models import CancellationRequest
from commerce.refunds.services import confirm_cancellation, decline_cancellation, mark_of
from commerce.refunds.tests.builders import make_staff, refund
from commerce.shipments.tests.builders import make_paid_order, make_shipment
from core.errors import Err
from core.tests.pages import html_of
from core.tests.threads import concurrently

State = CancellationRequest.State


def ask(buyer: Buyer, order: Order, reason: str = "Ordered twice") -> Answer:
    return buyer.send("POST", f"/order/requestCancel/{order.order_no}", {"reason": reason})


def request_of(order: Order) -> CancellationRequest:
    return CancellationRequest.objects.get(order=order)


@pytest.mark.django_db
def test_a_paid_order_is_cancelled_and_refunded_at_the_customers_request(boss: Client) -> None:
    buyer = Buyer()
    order = make_paid_order(buyer, (make_stocked(), 2))
    assert ask(buyer, order)["result"]["cancellation"]["status"] == "waiting"
    # A repeat changes nothing.
    assert ask(buyer, order, "Again")["result"]["cancellation"]["reason"] == "Ordered twice"
    page = html_of(boss.get(reverse("orders:inspect", args=[order.pk])))
    assert "The customer wants to cancel this order" in page
    assert "Ordered twice" in page
    assert order.order_no in html_of(boss.get(reverse("wagtailadmin_home")))
    answer = boss.post(
        reverse("cancellation_confirm", args=[request_of(order).pk]), {"seen": mark_of(order)}, follow=True
    )
    assert "The order is cancelled." in html_of(answer)
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert (detail["orderStatus"], detail["cancellation"]["status"]) == (OrderStatus.canceled, "confirmed")
    assert detail["refunds"][0]["note"] == "Cancelled at your request"
    assert detail["mayRequestCancel"] is False
    assert order.order_no in html_of(boss.get(reverse("cancellation_requests:index")))
    audit()


@pytest.mark.django_db
def test_staff_decline_a_request_with_a_reason_that_the_customer_gets_once(boss: Client) -> None:
    buyer = Buyer()
    order = make_paid_order(buyer)
    ask(buyer, order)
    url = reverse("cancellation_decline", args=[request_of(order).pk])
    assert "This field is required" in html_of(boss.post(url, {"answer": " "}, follow=True))
    assert request_of(order).state == State.waiting
    assert staff_with("view_order").post(url, {"answer": "No"}).status_code in {302, 403}
    assert "is declined" in html_of(boss.post(url, {"answer": "Our van has it"}, follow=True))
    assert request_of(order).message_due
    assert buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]["cancellation"] | {
        "createTime": ""
    } == {"status": "declined", "reason": "Ordered twice", "answer": "Our van has it", "createTime": ""}
    with nothing_changes():
        boss.post(url, {"answer": "Again"})
        boss.post(reverse("cancellation_confirm", args=[request_of(order).pk]), {"seen": mark_of(order)})
        ask(buyer, order)


@pytest.mark.django_db
def test_only_a_paid_order_that_is_not_packed_can_be_requested(subtests: pytest.Subtests) -> None:
    buyer = Buyer()
    packed = make_paid_order(buyer)
    press(packed, Move.pack)
    sent = make_paid_order(buyer)
    make_shipment(sent, "KP1007")
    for order in (packed, sent):
        with subtests.test(status=order.status), nothing_changes():
            assert_refused(ask(buyer, order), Err.paid_cannot_cancel)
    with nothing_changes():
        assert_refused(ask(Buyer(), packed), Err.order_not_found)


@pytest.mark.django_db
def test_a_request_is_confirmed_by_any_refund_that_ends_its_order_and_not_once_it_was_sent() -> None:
    buyer = Buyer()
    ended, sent = make_paid_order(buyer), make_paid_order(buyer)
    ask(buyer, ended)
    ask(buyer, sent)
    refund(ended)
    assert request_of(ended).state == State.confirmed
    make_shipment(sent, "KP1008")
    sent.refresh_from_db()
    with nothing_changes(), pytest.raises(Exception, match="order_moved"):
        confirm_cancellation(request=request_of(sent), staff=make_staff(), seen=mark_of(sent))


@pytest.mark.django_db(transaction=True)
def test_a_request_sent_many_times_at_the_same_time_is_one() -> None:
    buyer = Buyer()
    order = make_paid_order(buyer)
    outcomes = concurrently(lambda number: ask(buyer, order, f"Number {number}")["code"], range(6))
    assert outcomes == [0] * 6
    assert CancellationRequest.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_packing_and_both_answers_at_the_same_time_never_refund_a_packed_order() -> None:
    buyer = Buyer()
    order = make_paid_order(buyer)
    ask(buyer, order)
    staff, request, seen = make_staff(), request_of(order), mark_of(order)

    def one(number: int) -> object:
        if number % 3 == 0:
            fresh = Order.objects.get(pk=order.pk)
            return move_order(order=fresh, move=Move.pack, seen=OrderStatus.paid, staff=staff)
        if number % 3 == 1:
            return confirm_cancellation(request=request, staff=staff, seen=seen).number
        return decline_cancellation(request=request, staff=staff, answer="Too late")

    outcomes = concurrently(one, range(9))
    order.refresh_from_db()
    request.refresh_from_db()
    is_refunded = order.order_refunds.exists()
    assert {each for each in outcomes if isinstance(each, Err)} <= {Err.order_moved}
    assert request.state == (State.confirmed if is_refunded else request.state)
    # One of packing and cancelling has happened, and at most one answer counts.
    assert order.status == (OrderStatus.canceled if is_refunded else OrderStatus.packed)
    assert (request.state == State.confirmed) is is_refunded
    audit()
