import time

import pytest
from django.db import transaction

from commerce.claims.claimable import units_to_claim
from commerce.claims.models import Claim, ClaimLine, ClaimMessage, ClaimPicture
from commerce.claims.services import reply_to_claim
from commerce.claims.states import ClaimState, ClaimWish
from commerce.claims.tests.builders import answer, claim_of, line_claim, make_sent_order, settle, upload
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, audit, make_stocked
from commerce.refunds.tests.builders import make_staff, refund, wish
from core.errors import Err, ShopError
from core.tests.races import SHOWS_RACES
from core.tests.threads import before_commit, concurrently

pytestmark = pytest.mark.django_db(transaction=True)


def test_twenty_claims_of_the_last_unit_at_the_same_time_make_one() -> None:
    order = make_sent_order(Buyer(), (make_stocked(), 1))
    outcomes = concurrently(lambda number: claim_of(order, text=f"Number {number}"), range(20))
    assert outcomes.count(Err.claim_above_left) == 19
    assert Claim.objects.count() == ClaimLine.objects.count() == ClaimMessage.objects.count() == 1
    audit()


def test_control_without_the_lock_postgresql_claims_the_last_unit_twice() -> None:
    order = make_sent_order(Buyer(), (make_stocked(), 1))

    def claim(number: int) -> None:
        with transaction.atomic():
            [(line, left)] = units_to_claim(order).items()
            if not left:
                raise ShopError(Err.claim_above_left)
            time.sleep(0.05)
            made = Claim.objects.create(
                claim_no=f"C{number}",
                customer=order.customer,
                order=order,
                wish=ClaimWish.refund,
                request_hash=str(number),
            )
            ClaimLine.objects.create(claim=made, line=line, kind="damaged", units=1)

    concurrently(claim, range(4))
    assert (Claim.objects.count() > 1) is SHOWS_RACES


def test_a_claim_that_is_sent_many_times_at_the_same_time_is_one_with_its_picture() -> None:
    buyer = Buyer()
    order = make_sent_order(buyer, (make_stocked(), 5))
    url = upload(buyer)
    outcomes = concurrently(lambda _: claim_of(order, image_urls=[url]), range(8))
    made = {outcome for outcome in outcomes if isinstance(outcome, Claim)}
    assert len(made) == 1
    # A request that found the picture used before the claim existed gets that refusal.
    assert set(outcomes) <= {*made, Err.parameter_error}
    assert Claim.objects.count() == ClaimPicture.objects.count() == 1
    audit()


def test_claims_and_refunds_of_a_unit_at_the_same_time_never_count_it_twice() -> None:
    order = make_sent_order(Buyer(), (make_stocked(), 1))
    line = order.lines.get()
    make_staff()

    def one(number: int) -> object:
        if number % 2:
            return claim_of(order, line_claim(line))
        return refund(Order.objects.get(pk=order.pk), wish(line, 1))

    concurrently(one, range(2))
    [(line, left)] = units_to_claim(order).items()
    assert left == 0
    assert line.refunded_units == 1
    audit()


def test_one_answer_of_many_at_the_same_time_counts() -> None:
    claim = claim_of(make_sent_order())
    make_staff()
    states = [ClaimState.refund, ClaimState.replacement, ClaimState.declined, ClaimState.asking]
    outcomes = concurrently(lambda number: answer(claim, states[number % 4], seen=1), range(8))
    assert outcomes.count(Err.claim_moved) == 7
    assert ClaimMessage.objects.count() == 2
    audit()


def test_replies_and_a_decision_at_the_same_time_keep_the_thread_whole() -> None:
    claim = claim_of(make_sent_order())
    make_staff()

    def one(number: int) -> object:
        if number == 3:
            return answer(claim)
        return reply_to_claim(customer=claim.customer, claim_no=claim.claim_no, text=f"Number {number}")

    outcomes = concurrently(one, range(6))
    assert {each for each in outcomes if isinstance(each, Err)} <= {Err.claim_closed, Err.claim_moved}
    audit()


def test_a_refund_next_to_what_settles_its_claim_leaves_nothing_to_settle() -> None:
    order = make_sent_order()
    claim = claim_of(order)
    answer(claim, ClaimState.refund)
    given_back = before_commit(lambda: refund(order, wish(order.lines.get(), 1)), lambda: settle(claim))
    assert given_back == [None, Err.claim_moved]
    claim.refresh_from_db()
    assert claim.state == ClaimState.refund
    audit()
