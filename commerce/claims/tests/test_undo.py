"""Claims and refunds since an action, which then cannot be undone (docs/guarantees/orders.md#undo)."""

import pytest
from django.contrib.auth.models import User
from django.db.models import QuerySet

from commerce.claims.models import Claim
from commerce.claims.tests.builders import claim_of
from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_stocked, refuses
from commerce.refunds.tests.builders import make_staff, refund, wish
from commerce.shipments.tests.builders import end, make_handed_over, make_paid_order, make_shipment, undo
from core.errors import Err
from core.tests.races import only_where_races_show
from core.tests.threads import before_commit

pytestmark = pytest.mark.django_db(transaction=True)


def make_sent(buyer: Buyer) -> Order:
    order = make_paid_order(buyer, (make_stocked(), 2))
    make_shipment(order)
    return order


def test_a_delivery_that_the_customer_has_claimed_since_is_not_undone(buyer: Buyer) -> None:
    staff, order = make_staff(), make_sent(buyer)
    claim_of(order)
    end(order, Move.deliver, staff)
    # The first claim is older than the action.
    undo(order, staff)
    end(order, Move.deliver, staff)
    claim_of(order, text="Another one is broken")
    with refuses(Err.undo_claimed):
        undo(order, staff)
    audit()


def test_an_action_with_a_refund_since_is_not_undone(buyer: Buyer) -> None:
    staff, order = make_staff(), make_sent(buyer)
    lines = order.lines.get()
    refund(order, wish(lines, 0, "1.00"))
    end(order, Move.record_return, staff)
    undo(order, staff)
    end(order, Move.record_return, staff)
    refund(order, wish(lines, 0, "1.00"))
    with refuses(Err.undo_refunded):
        undo(order, staff)
    handed_over = make_handed_over(staff)
    refund(handed_over, wish(handed_over.lines.get(), 1, None, 1))
    with refuses(Err.undo_refunded):
        undo(handed_over, staff)
    audit()


def undo_while_claiming(staff: User, buyer: Buyer) -> tuple[Order, object]:
    """Claim a delivered order, and undo its delivery before that commits; return order and outcome."""
    order = make_sent(buyer)
    end(order, Move.deliver, staff)
    _, outcome = before_commit(lambda: claim_of(order), lambda: undo(order, staff))
    order.refresh_from_db()
    assert Claim.objects.count() == 1
    return order, outcome


def test_an_undo_that_waits_for_a_claim_sees_it(buyer: Buyer) -> None:
    order, outcome = undo_while_claiming(make_staff(), buyer)
    assert (outcome, order.status) == (Err.undo_claimed, OrderStatus.completed)
    audit()


@only_where_races_show
def test_control_without_the_lock_a_claimed_delivery_is_undone(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)
    order, _outcome = undo_while_claiming(make_staff(), buyer)
    assert order.status == OrderStatus.shipped
