"""Answers of staff and replies of customers (docs/guarantees/money.md#claims)."""

from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from commerce.claims import purging
from commerce.claims.claimable import units_to_claim
from commerce.claims.models import Claim, ClaimMessage, ClaimPicture
from commerce.claims.personal import PERSONAL
from commerce.claims.services import answer_claim
from commerce.claims.services.answer import MAX_MESSAGES, REPLIES_PER_DAY
from commerce.claims.states import ANSWERS, TRANSITIONS, ClaimState
from commerce.claims.tests.builders import answer, claim_of, line_claim, make_sent_order, settle, upload
from commerce.claims.unpaid_claims import overdue_refunds, units_to_refund
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, audit, make_stocked, refuses
from commerce.refunds.tests.builders import make_staff, refund, wish
from core.errors import Err
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(buyer: Buyer) -> Order:
    return make_sent_order(buyer, (make_stocked(), 3))


def write(buyer: Buyer, claim: Claim, text: str = "Here it is", **kw: object) -> str | None:
    answered = buyer.send("POST", f"/claims/{claim.claim_no}/reply", {"text": text} | kw)
    return answered.get("reason")


def test_staff_ask_the_customer_replies_and_staff_decide(buyer: Buyer, order: Order) -> None:
    claim = claim_of(order)
    answer(claim, ClaimState.asking, " A picture, please ")
    assert write(buyer, claim, images=[upload(buyer)]) is None
    answer(claim, ClaimState.refund, "You are right")
    thread = buyer.send("GET", f"/claims/{claim.claim_no}")["result"]
    messages = [
        (each["isMine"], each["text"], each["status"], len(each["images"])) for each in thread["messages"]
    ]
    assert messages == [
        (True, "It is broken", "waiting", 0),
        (False, "A picture, please", "asking", 0),
        (True, "Here it is", "waiting", 1),
        (False, "You are right", "refund", 0),
    ]
    assert (thread["status"], thread["decideTime"] is not None) == ("refund", True)
    assert list(claim.thread.values_list("from_state", flat=True)) == ["", "waiting", "asking", "waiting"]
    # Only staff's answers are sent as messages.
    assert list(claim.thread.values_list("message_due", flat=True)) == [False, True, False, True]
    audit()


def test_a_claim_moves_along_the_table_alone(order: Order, subtests: pytest.Subtests) -> None:
    claim = claim_of(order)
    for state, to in product(ClaimState, sorted(ANSWERS)):
        with subtests.test(state=state, to=to), rolled_back():
            claim.refresh_from_db()
            if state == ClaimState.settled:
                answer(claim, ClaimState.refund)
                settle(claim)
            elif state != ClaimState.waiting:
                answer(claim, state)
            if to in TRANSITIONS[state]:
                answer(claim, to)
                assert claim.state == to
                continue
            with refuses(Err.claim_moved):
                answer(claim, to)
            assert claim.thread.count() == claim.messages


def test_an_answer_needs_a_text_and_every_message_read(buyer: Buyer, order: Order) -> None:
    claim = claim_of(order)
    assert write(buyer, claim, "And the lid is gone") is None
    for seen, text, err in ((1, "No", Err.claim_moved), (2, "  ", Err.note_missing)):
        with refuses(err):
            answer_claim(claim=claim, to=ClaimState.declined, text=text, staff=make_staff(), seen=seen)
    claim.refresh_from_db()
    assert (claim.state, claim.thread.count()) == (ClaimState.waiting, 2)


def test_a_reply_counts_once_and_a_decided_claim_takes_none(buyer: Buyer, order: Order) -> None:
    claim = claim_of(order)
    assert write(buyer, claim) is write(buyer, claim) is None
    assert claim.thread.count() == 2
    # The same words with another picture are a new message.
    assert write(buyer, claim, images=[upload(buyer)]) is None
    assert claim.thread.count() == 3
    for wrong in ({"text": " "}, {"text": "x", "images": ["x"]}, {"text": 5 * [1]}):
        reply = buyer.send("POST", f"/claims/{claim.claim_no}/reply", wrong)
        assert reply["reason"] == "parameter_error"
    answer(claim)
    assert write(buyer, claim, "But why?") == "claim_closed"
    assert (claim.thread.count(), ClaimPicture.objects.count()) == (4, 1)


def test_a_thread_and_a_day_have_an_end(buyer: Buyer, order: Order) -> None:
    claim = claim_of(order)
    Claim.objects.filter(pk=claim.pk).update(messages=MAX_MESSAGES)
    assert write(buyer, claim) == "parameter_error"
    Claim.objects.filter(pk=claim.pk).update(messages=1)
    for number in range(REPLIES_PER_DAY.maximum):
        assert write(buyer, claim, f"Number {number}") is None
    response = buyer.client.post(
        f"/api/v1/pc/claims/{claim.claim_no}/reply", {"text": "More"}, "application/json"
    )
    assert (response.status_code, response.json()["reason"]) == (429, "too_frequent")
    assert claim.thread.count() == 1 + REPLIES_PER_DAY.maximum


def test_staff_are_reminded_of_money_that_was_not_given_back(order: Order) -> None:
    line = order.lines.get()
    first, second = claim_of(order), claim_of(order, line_claim(line, 2), text="Two more")
    answer(first, ClaimState.refund)
    answer(second, ClaimState.refund)
    later = timezone.now() + timedelta(days=3)
    with time_machine.travel(later):
        assert set(overdue_refunds()) == {first, second}
    assert (units_to_refund(first), units_to_refund(second)) == ({line.pk: 1}, {line.pk: 2})
    refund(order, wish(order.lines.get(), 1))
    assert (units_to_refund(first), units_to_refund(second)) == ({}, {line.pk: 2})
    with time_machine.travel(later):
        assert [*overdue_refunds()] == [second]
    refund(order, wish(order.lines.get(), 2))
    with time_machine.travel(later):
        assert not overdue_refunds()


def test_a_claim_that_staff_settle_otherwise_waits_for_nothing_any_more(buyer: Buyer, order: Order) -> None:
    line = order.lines.get()
    first, second = claim_of(order), claim_of(order, line_claim(line), text="One more")
    answer(first, ClaimState.refund)
    answer(second, ClaimState.refund)
    decided = first.decided_at
    assert [*units_to_claim(order).values()] == [1]
    assert len([*PERSONAL.obstacles(buyer.customer)]) == 1

    settle(first, " We have sent it again ")

    assert (first.state, first.decided_at, units_to_refund(first)) == (ClaimState.settled, decided, {})
    thread = buyer.send("GET", f"/claims/{first.claim_no}")["result"]
    last = thread["messages"][-1]
    found = (thread["status"], last["isMine"], last["text"], last["status"])
    assert found == ("settled", False, "We have sent it again", "settled")
    assert first.thread.latest("pk").message_due
    # The other one is still owed, and no more than its own units.
    assert [*PERSONAL.obstacles(buyer.customer)]
    assert (units_to_refund(second), [*units_to_claim(order).values()]) == ({line.pk: 1}, [2])
    settle(second)
    assert not [*PERSONAL.obstacles(buyer.customer)]
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        assert not overdue_refunds()
    assert [*units_to_claim(order).values()] == [3]
    audit()


def test_nothing_is_settled_without_words_unread_open_or_refunded(buyer: Buyer, order: Order) -> None:
    claim, other = claim_of(order), claim_of(order, text="Another")
    answer(claim, ClaimState.refund)
    for which, text, seen, err in (
        (claim, " ", 2, Err.note_missing),
        (claim, "Sent", 1, Err.claim_moved),
        (other, "Sent", 1, Err.claim_moved),
    ):
        refused(which, err, text=text, seen=seen)
    refund(order, wish(order.lines.get(), 1))
    refused(claim, Err.claim_moved)
    assert write(buyer, other) is None


def test_money_for_one_claim_of_a_line_settles_no_other(buyer: Buyer, order: Order) -> None:
    line = order.lines.get()
    first, second = claim_of(order), claim_of(order, line_claim(line), text="One more")
    for claim in (first, second):
        answer(claim, ClaimState.refund)
    refund(order, wish(line, 1))
    assert [*PERSONAL.obstacles(buyer.customer)]
    refused(first, Err.claim_moved)
    settle(second)
    assert [*units_to_claim(order).values()] == [2]
    assert not [*PERSONAL.obstacles(buyer.customer)]
    audit()


def test_units_or_dollars_for_a_claim_settle_it(
    buyer: Buyer, order: Order, subtests: pytest.Subtests
) -> None:
    claim = claim_of(order)
    answer(claim, ClaimState.refund)
    for amount in (None, "1.00"):
        with subtests.test(amount=amount), rolled_back():
            refund(order, wish(order.lines.get(), 0 if amount else 1, amount))
            assert not [*PERSONAL.obstacles(buyer.customer)]
            refused(claim, Err.claim_moved)


def refused(claim: Claim, err: Err, **kw: Any) -> None:
    with refuses(err):
        settle(claim, **kw)


def test_pictures_go_some_time_after_the_decision(buyer: Buyer, order: Order, folder: Path) -> None:
    claim = claim_of(order, image_urls=[upload(buyer)])
    open_one = claim_of(order, image_urls=[upload(buyer)], text="Another")
    answer(claim)
    (folder / "lost.jpg").write_bytes(b"x")
    for days, files in ((0, 3), (89, 2), (91, 1)):
        with time_machine.travel(timezone.now() + timedelta(days=days)):
            purging.delete_pictures_of_old_claims()
        assert len(list(folder.iterdir())) == files
    shown = buyer.send("GET", f"/claims/{claim.claim_no}")["result"]
    assert shown["messages"][0]["images"] == [None]
    assert open_one.thread.get().pictures.get().deleted_at is None
    audit()


def test_what_a_customer_has_written_can_be_handed_out_and_deleted(
    buyer: Buyer, order: Order, folder: Path
) -> None:
    other = claim_of(make_sent_order(Buyer()))
    claim = claim_of(order, image_urls=[upload(buyer)])
    answer(claim, text="We see nothing")
    sections = {section.key: list(section.rows(buyer.customer)) for section in PERSONAL.sections}
    assert [row["text"] for row in sections["claimMessages"]] == ["It is broken", "We see nothing"]
    assert [(row["number"], row["units"]) for row in sections["claims"]] == [(claim.claim_no, 1)]
    PERSONAL.erase(buyer.customer.pk)
    assert list(claim.thread.values_list("text", flat=True)) == ["", "We see nothing"]
    assert not list(folder.iterdir())
    assert ClaimMessage.objects.get(claim=other).text == "It is broken"
    audit()
