"""Undoes the action by which a member of staff has just ended an order.

See docs/guarantees/orders.md#undo.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone
from wagtail import hooks

from catalog.stock.services import undo_ship
from commerce.accounts.services import lock_customer
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.moves import UNDO_FOR, Move, undoable_move
from commerce.orders.points import EARNED_IN
from commerce.orders.services import change_status
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.shipments.models import FINAL_STATES
from commerce.shipments.services.track import ASKED_EACH, set_completion
from core.errors import Err, ShopError
from core.transactions import in_transaction

# The name of the Wagtail hook for functions that take an order and the time of an action, and return why that
# cannot be undone any more; None if it can.
UNDO_OBSTACLES = "undo_obstacles"
UndoObstacle = Callable[[Order, datetime], Err | None]


@dataclass(frozen=True)
class Undo:
    """The last action on an order, which can be undone; `change`: the row of the history that it wrote."""

    change: OrderStatusChange
    move: Move

    @property
    def to(self) -> OrderStatus:
        """The status that the order gets back."""
        assert self.change.from_status is not None
        return OrderStatus(self.change.from_status)

    @property
    def until(self) -> datetime:
        """The end of the time in which it can be undone."""
        return self.change.created_at + UNDO_FOR


def undo_of(order: Order, staff: User) -> Undo | None:
    """Return the last action on an order if a member of staff may still undo it; None otherwise. One query.

    `check_undo` refuses it if something else depends on it.
    """
    last = _last_action(order)
    return None if last is None or _refusal(last, staff) else last


def check_undo(*, order: Order, staff: User, change_id: int) -> Undo:
    """Return the action to undo; raises ShopError as `undo_move`, but for undo_counted, undo_without_account.

    `change_id`: of the row of the history that the staff page showed.
    """
    if order.status == OrderStatus.chargeback:
        raise ShopError(Err.undo_disputed)
    last = _last_action(order)
    if last is None or last.change.pk != change_id:
        raise ShopError(Err.order_moved)
    refusal = _refusal(last, staff)
    booked_at, earned_in = order.points_booked_at, EARNED_IN[settings.POINTS_EARNED_AT]
    if booked_at and booked_at >= last.change.created_at and last.to not in earned_in:
        # The job has booked the points of this action: the clock of its host is ahead.
        refusal = refusal or Err.undo_over
    for obstacle in hooks.get_hooks(UNDO_OBSTACLES):
        refusal = refusal or obstacle(order, last.change.created_at)
    if refusal:
        raise ShopError(refusal)
    return last


@in_transaction
def undo_move(*, order: Order, staff: User, change_id: int) -> Undo:
    """Undo the last action on an order, once: status, completion time, parcels and stock are as before it.

    `change_id`: as for `check_undo`. Locks: the order's row, its parcels, the customer's row, stock by pk.
    Raises ShopError(order_moved) if something else happened since; undo_by_other, undo_over, undo_disputed;
    undo_claimed, undo_refunded, undo_counted or undo_without_account if something depends on the action.
    """
    order = Order.objects.select_for_update(no_key=True).select_related("customer").get(pk=order.pk)
    undo = check_undo(order=order, staff=staff, change_id=change_id)
    if not change_status(order=order, to=undo.to, reason=ChangeReason.undone, staff=staff):
        raise ShopError(Err.order_moved)
    if undo.move == Move.record_return:
        back = order.shipments.filter(came_back_at=undo.change.created_at)
        polled = back.exclude(Q(carrier__provider_code="") | Q(state__in=FINAL_STATES))
        polled.update(next_check_at=timezone.now() + ASKED_EACH)
        back.update(came_back_at=None)
    set_completion(order)
    try:
        # The account of an open order is not deleted.
        lock_customer(order.customer)
    except ShopError as error:
        raise ShopError(Err.undo_without_account) from error
    if undo.move == Move.hand_over:
        undo_ship(reference=order.order_no)
    return undo


def _last_action(order: Order) -> Undo | None:
    change = order.history.last()
    move = undoable_move(change) if change else None
    return Undo(change, move) if change and move else None


def _refusal(undo: Undo, staff: User) -> Err | None:
    if undo.change.staff_id != staff.pk:
        return Err.undo_by_other
    return None if timezone.now() < undo.until else Err.undo_over
