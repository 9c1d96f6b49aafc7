"""Claiming something of an order: what, of which orders, how much, and with which pictures.

See docs/guarantees/money.md#claims.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from commerce.accounts.services.closing import close_account
from commerce.claims.models import Claim, ClaimPicture
from commerce.claims.services.make import PER_DAY
from commerce.claims.states import ClaimKind, ClaimState
from commerce.claims.tests.builders import answer, claim_of, line_claim, make_sent_order, upload
from commerce.orders.models import Order
from commerce.orders.own_orders import CLAIMABLE, has_status
from commerce.orders.services import receive_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, make_stocked, refuses
from commerce.payments.models import Certificate
from commerce.refunds.tests.builders import refund, wish
from commerce.shipments.tests.builders import make_paid_order
from core.errors import Err

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(buyer: Buyer) -> Order:
    return make_sent_order(buyer, (make_stocked(name_en="Rice", name_zh="香米"), 3))


def body_of(order: Order, **kw: Any) -> dict[str, Any]:
    line = order.lines.all()[0]
    lines = [{"goodsId": line.product_id, "actionTypeId": None, "goodsAmount": 1, "kind": "damaged"}]
    body = {"orderNo": order.order_no, "lines": lines, "wish": "refund", "text": " Torn bag ", "images": []}
    return body | kw


def test_a_claim_is_made_listed_and_shown(buyer: Buyer, order: Order) -> None:
    urls = [upload(buyer), upload(buyer)]
    made = buyer.send("POST", "/claims", body_of(order, images=urls))["result"]
    found = (made["orderNo"], made["status"], made["wish"], made["decideTime"])
    assert found == (order.order_no, "waiting", "refund", None)
    [goods] = made["goods"]
    assert (goods["goodsEnglishName"], goods["goodsAmount"], goods["kind"]) == ("Rice", 1, "damaged")
    [message] = made["messages"]
    assert (message["isMine"], message["text"], message["status"]) == (True, "Torn bag", "waiting")
    assert len(message["images"]) == 2
    shown = Client().get(message["images"][0])
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/jpeg")
    assert "no-store" in shown["Cache-Control"]
    assert Client().get(message["images"][0][:-1]).status_code == 404
    page = buyer.send("GET", "/claims")["result"]
    assert [row["claimNo"] for row in page["list"]] == [made["claimNo"]]
    assert buyer.send("GET", f"/claims/{made['claimNo']}")["result"]["messages"][0]["text"] == "Torn bag"
    audit()


def test_a_claim_that_is_sent_again_is_the_same_one(buyer: Buyer, order: Order) -> None:
    body = body_of(order, images=[upload(buyer)])
    first, again = (buyer.send("POST", "/claims", body)["result"]["claimNo"] for _ in range(2))
    assert first == again
    assert Claim.objects.count() == ClaimPicture.objects.count() == 1
    assert buyer.send("POST", "/claims", body_of(order, text="Another bag"))["result"]["claimNo"] != first


def test_no_more_units_are_claimed_than_were_bought_and_not_given_back(order: Order) -> None:
    line = order.lines.get()
    refund(order, wish(line, 1))
    with refuses(Err.claim_above_left):
        claim_of(order, line_claim(line, 3))
    first = claim_of(order, line_claim(line, 1))
    with refuses(Err.claim_above_left):
        claim_of(order, line_claim(line, 2), text="Both")
    # What is declined can be claimed once more, what is accepted with a refund cannot.
    answer(first, ClaimState.declined)
    second = claim_of(order, line_claim(line, 2), text="Both")
    answer(second, ClaimState.refund)
    with refuses(Err.claim_above_left):
        claim_of(order, line_claim(line, 1), text="Again")
    refund(order, wish(order.lines.get(), 2))
    with refuses(Err.claim_above_left):
        claim_of(order, line_claim(line, 1), text="Again")
    audit()


def test_a_replaced_unit_can_be_claimed_again(order: Order) -> None:
    line = order.lines.get()
    answer(claim_of(order, line_claim(line, 3, ClaimKind.wrong)), ClaimState.replacement)
    assert claim_of(order, line_claim(line, 3), text="The new ones too").state == ClaimState.waiting


def test_only_what_was_sent_or_came_of_late_can_be_claimed(buyer: Buyer, order: Order) -> None:
    unpaid, paid = make_order(buyer), make_paid_order(buyer)
    for early in (unpaid, paid):
        with refuses(Err.not_claimable):
            claim_of(early)
    for status in (OrderStatus.canceled, OrderStatus.returned, OrderStatus.chargeback):
        Order.objects.filter(pk=paid.pk).update(status=status)
        with refuses(Err.not_claimable):
            claim_of(paid)
    receive_order(customer=buyer.customer, order_no=order.order_no)
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        assert order not in Order.objects.filter(has_status(CLAIMABLE))
        with refuses(Err.not_claimable):
            claim_of(order)
    with time_machine.travel(timezone.now() + timedelta(days=29)):
        assert order in Order.objects.filter(has_status(CLAIMABLE))
        assert claim_of(order).is_open


def test_what_makes_no_sense_is_refused(buyer: Buyer, order: Order, subtests: pytest.Subtests) -> None:
    line = {"goodsId": order.lines.get().product_id, "goodsAmount": 1, "kind": "missing"}
    twice = buyer.send("POST", "/claims", body_of(order, lines=[line, line]))
    assert twice["fields"] == {"lines": "parameter_error"}
    for amount in (0, -1, 4):
        too_many = buyer.send("POST", "/claims", body_of(order, lines=[line | {"goodsAmount": amount}]))
        assert too_many["reason"] == "claim_above_left"
    changes: list[dict[str, Any]] = [
        {"lines": []},
        {"lines": "x"},
        {"lines": [{"goodsId": 9**9, "goodsAmount": 1, "kind": "damaged"}]},
        {"text": "  "},
        {"text": "x" * 1001},
        {"wish": "money"},
        {"images": ["/pay/certificate/x"]},
        {"images": ["/pay/certificate/x"] * 5},
    ]
    for change in changes:
        with subtests.test(change=change):
            answered = buyer.send("POST", "/claims", body_of(order) | change)
            assert answered["reason"] == "parameter_error"
    assert not Claim.objects.exists()


def test_a_picture_is_its_owners_and_serves_one_claim(buyer: Buyer, order: Order, folder: Path) -> None:
    other = Buyer()
    mine, theirs = upload(buyer), upload(other)
    with time_machine.travel(timezone.now() - timedelta(days=2)):
        old = upload(buyer)
    for url in (theirs, old):
        refused = buyer.send("POST", "/claims", body_of(order, images=[mine, url]))
        assert refused["reason"] == "parameter_error"
    assert not Claim.objects.exists()
    # Nothing that was copied for a refused claim stays.
    assert not folder.exists() or not list(folder.iterdir())
    assert buyer.send("POST", "/claims", body_of(order, images=[mine]))["code"] == 0
    again = buyer.send("POST", "/claims", body_of(order, images=[mine], text="Again"))
    assert again["fields"] == {"images": "parameter_error"}
    assert (Claim.objects.count(), len(list(folder.iterdir()))) == (1, 1)
    # Nor does it prove a transfer.
    Order.objects.filter(pk=(unpaid := make_order(buyer)).pk).update(pay_type="transfer")
    proof = buyer.send("POST", "/savePayCertificates", {"orderNo": unpaid.order_no, "imgUrl": mine})
    assert proof["reason"] == "parameter_error"
    assert not Certificate.objects.filter(order__isnull=False).exists()


def test_a_customer_has_a_few_open_claims_and_makes_some_a_day(
    buyer: Buyer, order: Order, settings: LazySettings
) -> None:
    settings.MAX_OPEN_CLAIMS = 1
    first = claim_of(order)
    with refuses(Err.too_many_claims):
        claim_of(order, text="Another")
    answer(first)
    for number in range(PER_DAY.maximum - 1):
        answer(claim_of(order, text=f"Number {number}"))
    with refuses(Err.too_frequent):
        claim_of(order, text="The last")


def test_another_customers_order_and_claim_answer_like_missing_ones(order: Order) -> None:
    other, made = Buyer(), claim_of(order)
    for number in (made.claim_no, "C0", "x'"):
        assert other.send("GET", f"/claims/{number}")["reason"] == "claim_not_found"
        assert other.send("POST", f"/claims/{number}/reply", {"text": "x"})["reason"] == "claim_not_found"
    assert other.send("POST", "/claims", body_of(order))["reason"] == "order_not_found"
    assert other.send("GET", f"/order/claimable/{order.order_no}")["reason"] == "order_not_found"
    assert other.send("GET", "/claims")["result"]["total"] == 0
    assert (made.thread.count(), Claim.objects.count()) == (1, 1)


def test_the_order_shows_what_is_left_to_claim(buyer: Buyer, order: Order) -> None:
    made = claim_of(order)
    claimable = buyer.send("GET", f"/order/claimable/{order.order_no}")["result"]
    [goods] = claimable["goods"]
    found = (claimable["isClaimable"], claimable["until"], goods["goodsAmount"], goods["left"])
    assert found == (True, None, 3, 2)
    assert [row["claimNo"] for row in claimable["claims"]] == [made.claim_no]
    receive_order(customer=buyer.customer, order_no=order.order_no)
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        over = Buyer(buyer.customer).send("GET", f"/order/claimable/{order.order_no}")["result"]
    assert (over["isClaimable"], over["goods"][0]["left"]) == (False, 0)


def test_lists_take_the_same_queries_for_one_claim_and_for_many(
    buyer: Buyer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    lines = [(make_stocked(), 3) for _ in range(3)]
    order = make_sent_order(buyer, *lines)
    claim_of(order)
    claimable = f"/order/claimable/{order.order_no}"
    for _ in range(2):
        with django_assert_num_queries(5):
            buyer.send("GET", "/claims")
        with django_assert_num_queries(6):
            buyer.send("GET", claimable)
        claim_of(order, *(line_claim(line) for line in order.lines.all()), text="All of them")


def test_who_deletes_their_account_at_this_moment_claims_nothing(order: Order) -> None:
    customer = order.customer
    close_account(customer=customer)
    with refuses(Err.login_invalid):
        claim_of(order)
