"""The views of the buttons on an order's page in the back office."""

from collections.abc import Callable, Sequence
from functools import wraps

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from commerce.orders.models import Order
from commerce.orders.moves import QUESTIONS, UNDO_QUESTIONS, Move, is_offered, moves_of
from commerce.orders.services import add_note, move_order
from commerce.orders.status import OrderStatus
from commerce.shipments.forms import CorrectionForm, EventForm, MoveForm, ShipForm
from commerce.shipments.services import (
    can_ship,
    cancel_unshipped,
    check_undo,
    correct_parcel,
    record_events,
    record_return,
    ship_parcel,
    undo_move,
    undo_of,
)
from core.errors import Err, ShopError, text_of
from core.wire import positive_number

MAY_MOVE = "orders.change_order"
# The button that only saves the note, among those of the order actions.
SAVE_NOTE = "note"

Press = Callable[[HttpRequest, Order, User], str | HttpResponse]


def order_part(request: HttpRequest, order: Order) -> str:
    """Render the parcels of an order's page; at most five queries."""
    shipments = order.shipments.select_related("carrier", "order").prefetch_related(
        "events", "corrections__carrier", "corrections__staff"
    )
    return render_to_string("shipments/admin/order.html", {"shipments": shipments}, request)


def order_actions(request: HttpRequest, order: Order) -> str:
    """Render the buttons and forms that change an order and its parcels, for permitted staff."""
    if not isinstance(request.user, User) or not request.user.has_perm(MAY_MOVE):
        return ""
    moves = moves_of(order)
    context = {
        "order": order,
        "is_unpaid": order.status == OrderStatus.unpaid,
        "hand_over": Move.hand_over if Move.hand_over in moves else None,
        "moves": [each for each in moves if each != Move.hand_over],
        "undo": undo_of(order, request.user),
        "save_note": SAVE_NOTE,
        "move_form": MoveForm(order, auto_id="move_%s"),
        "ship_form": ShipForm(order, auto_id="ship_%s") if can_ship(order) else None,
        "has_shipments": order.shipments.exists(),
        "event_form": EventForm(order, auto_id="event_%s"),
        "correction_form": CorrectionForm(order, auto_id="correction_%s"),
    }
    return render_to_string("shipments/admin/actions.html", context, request)


def _pressing(press: Press) -> Callable[[HttpRequest, int], HttpResponse]:
    """Return a view that runs an order action for permitted staff, and redirects to the order.

    An action may return a page instead, which asks for a confirmation.
    """

    @wraps(press)
    @require_POST
    def view(request: HttpRequest, pk: int) -> HttpResponse:
        if not isinstance(request.user, User) or not request.user.has_perm(MAY_MOVE):
            raise PermissionDenied
        order = get_object_or_404(Order, pk=pk)
        try:
            done = press(request, order, request.user)
            if isinstance(done, HttpResponse):
                return done
            messages.success(request, done)
        except ShopError as error:
            messages.error(request, text_of(error))
        except _WrongFieldError as error:
            messages.error(request, str(error))
        return redirect("orders:inspect", order.pk)

    return view


class _WrongFieldError(Exception):
    """Raised for a form with wrong input; contains the reason in the reader's language."""


def _valid(form: Form) -> None:
    if not form.is_valid():
        wrong = [str(text) for name in form.errors for text in form.errors[name]]
        raise _WrongFieldError(" ".join(wrong))


@_pressing
def move(request: HttpRequest, order: Order, user: User) -> str | HttpResponse:
    """Apply the order action that staff chose, or only save the note; ask first if it ends something."""
    form = MoveForm(order, request.POST)
    _valid(form)
    if request.POST.get("move") == SAVE_NOTE:
        add_note(order=order, staff=user, text=form.cleaned_data["note"])
        return _("The note was saved.")
    try:
        pressed, seen = Move(request.POST.get("move", "")), OrderStatus(int(request.POST.get("seen", "")))
    except ValueError as error:
        raise ShopError(Err.parameter_error) from error
    note = form.cleaned_data["note"]
    if pressed in QUESTIONS and "confirmed" not in request.POST:
        return _question(request, order, pressed, seen)
    if pressed == Move.record_return:
        record_return(order=order, seen=seen, staff=user, note=note)
    elif pressed == Move.cancel_unshipped:
        cancel_unshipped(order=order, seen=seen, staff=user, note=note)
    else:
        code = form.cleaned_data.get("pickup_code", "")
        move_order(order=order, move=pressed, seen=seen, staff=user, note=note, pickup_code=code)
    return _("The order was updated: %(move)s.") % {"move": pressed.label}


def _question(request: HttpRequest, order: Order, pressed: Move, seen: OrderStatus) -> HttpResponse:
    """Ask staff to confirm an action; raises ShopError(order_moved, note_missing) if it is not possible."""
    if order.status != seen or not is_offered(pressed, order):
        raise ShopError(Err.order_moved)
    values = {name: request.POST.get(name, "") for name in ("move", "seen", "note", "pickup_code")}
    if pressed == Move.cancel_unshipped and not values["note"].strip():
        raise ShopError(Err.note_missing)
    last = _("You can undo it for 15 minutes.") if pressed in UNDO_QUESTIONS else _("It cannot be undone.")
    texts = [QUESTIONS[pressed], last]
    return _asked(request, order, str(pressed.label), texts, "order_move", values)


def _asked(
    request: HttpRequest, order: Order, label: str, texts: Sequence[object], url: str, values: dict[str, str]
) -> HttpResponse:
    """Show the question: what the action does, and a button that sends `values` again, confirmed."""
    title = _("%(action)s?") % {"action": label}
    context = {
        "page_title": title,
        "header_title": title,
        "header_icon": "help",
        "order": order,
        "label": label,
        "texts": texts,
        "url": url,
        "values": values,
    }
    return render(request, "shipments/admin/question.html", context)


@_pressing
def undo(request: HttpRequest, order: Order, user: User) -> str | HttpResponse:
    """Undo the action that the page showed as the last one; ask first."""
    change_id = positive_number(request.POST.get("change", "")) or 0
    if "confirmed" in request.POST:
        undone = undo_move(order=order, staff=user, change_id=change_id)
        return _("Undone: %(move)s.") % {"move": undone.move.label}
    asked = check_undo(order=order, staff=user, change_id=change_id)
    texts = [
        _("The order is “%(status)s” again.") % {"status": asked.to.label},
        UNDO_QUESTIONS[asked.move],
        _("The customer gets no message."),
    ]
    label = _("Undo “%(move)s”") % {"move": asked.move.label}
    return _asked(request, order, label, texts, "order_undo", {"change": str(change_id)})


@_pressing
def ship(request: HttpRequest, order: Order, user: User) -> str:
    """Ship the entered parcel."""
    form = ShipForm(order, request.POST)
    _valid(form)
    values = form.cleaned_data
    shipment = ship_parcel(
        order=order,
        carrier=values["carrier"],
        tracking_no=values["tracking_no"],
        units=form.units(),
        staff=user,
        note=values["note"],
    )
    return _("Parcel %(parcel)s was sent.") % {"parcel": shipment.parcel_no}


@_pressing
def event(request: HttpRequest, order: Order, user: User) -> str:
    """Record the entered event."""
    form = EventForm(order, request.POST)
    _valid(form)
    record_events(shipment=form.cleaned_data["shipment"], events=[form.event()])
    return _("The event of the parcel was recorded.")


@_pressing
def correct(request: HttpRequest, order: Order, user: User) -> str:
    """Correct the carrier or the tracking number of a parcel."""
    form = CorrectionForm(order, request.POST)
    _valid(form)
    correct_parcel(staff=user, **form.cleaned_data)
    return _("The parcel was corrected.")
