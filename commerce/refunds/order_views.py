"""Refunds in the back office: parts of the pages of orders and refunds, the form, and buttons for money."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from commerce.approvals.asking import ask_colleague
from commerce.approvals.models import Approval
from commerce.orders.models import Order
from commerce.payments.models import Refund
from commerce.payments.services.refunds import can_be_paid_back, note_paid_back, retry_refund
from commerce.refunds.forms import MAX_NOTE, RefundForm
from commerce.refunds.services import RefundPreview, mark_of, preview_refund, refund_order
from commerce.refunds.services.credit_notes import credit_note_url
from commerce.refunds.services.lost_conditions import LostConditions, lost_conditions
from commerce.refunds.services.refund_order import check_refundable
from commerce.refunds.worth import FreightPart, LineWish
from core.errors import Err, ShopError, text_of
from core.money import aud_text
from core.wire import positive_number

MAY_REFUND = "refunds.refund_order"
# The state in which the money can be sent again.
_BUTTONS = {"failed": Refund.State.failed}

# Returns what was done, empty if it waits for a colleague.
Press = Callable[[HttpRequest, Refund, User], str]


def order_part(request: HttpRequest, order: Order) -> str:
    """Render the refunds of an order's page, with the state of their money; four queries."""
    given_back = order.order_refunds.select_related("staff", "credit_note").prefetch_related("legs")
    numbers = {leg.refund_id: refund.number for refund in given_back for leg in refund.legs.all()}
    context = {
        "may_press": _may_refund(request),
        "given_back": [(refund, _credit_note_of(refund)) for refund in given_back],
        "money": [
            (refund, numbers.get(refund.pk, ""), can_be_paid_back(refund))
            for refund in Refund.objects.filter(payment__order=order).select_related("payment", "staff")
        ],
    }
    return render_to_string("refunds/admin/order.html", context | _BUTTONS, request)


def order_actions(request: HttpRequest, order: Order) -> str:
    """Render the buttons that link to the refund form, while something can be refunded."""
    if not _may_refund(request) or not _is_refundable(order):
        return ""
    return render_to_string("refunds/admin/links.html", {"order": order}, request)


def refund_part(request: HttpRequest, refund: Refund) -> str:
    """Render the buttons on a refund's page; a top-up's refund has no order page to show them."""
    context = {"refund": refund, "may_press": _may_refund(request), "by_hand": can_be_paid_back(refund)}
    return render_to_string("refunds/admin/buttons.html", context | _BUTTONS, request)


def _credit_note_of(refund: object) -> str | None:
    note = getattr(refund, "credit_note", None)
    return note and credit_note_url(note)


def _may_refund(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.has_perm(MAY_REFUND)


def _is_refundable(order: Order) -> bool:
    try:
        check_refundable(order)
    except ShopError:
        return False
    return True


def refund(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the refund form, then a preview, and refund once that is confirmed; raises PermissionDenied.

    If the confirmed values differ from the previewed ones, the preview is shown again.
    """
    if not isinstance(request.user, User) or not request.user.has_perm(MAY_REFUND):
        raise PermissionDenied
    order = get_object_or_404(Order, pk=pk)
    form = RefundForm(
        order,
        request.POST or None,
        everything="everything" in request.GET,
        units=_asked_for(request),
        initial={"note": request.GET.get("note", "")[:MAX_NOTE]},
    )
    seen, preview, lost = request.POST.get("seen", ""), None, None
    # Gifts that the form has filled in before; staff may have changed their units since.
    proposed = {key for each in request.POST.getlist("proposed") if (key := positive_number(each))}
    if request.method == "POST" and form.is_valid():
        try:
            if "confirm" in request.POST and request.POST.get("previewed") == form.as_text():
                return _confirm(request, request.user, order, form, seen)
            lost = lost_conditions(order=order, wishes=form.wishes()["lines"])
            form = form.with_units(_new_gifts(form, lost, proposed))
            proposed |= lost.gifts.keys()
            seen, preview = mark_of(order), preview_refund(order=order, **form.wishes())
        except ShopError as error:
            messages.error(request, text_of(error))
    title = _("Refund of order %(number)s") % {"number": order.order_no}
    context = {
        "page_title": title,
        "header_title": title,
        "header_icon": "rotate",
        "order": order,
        "form": form,
        "preview": preview,
        "previewed": form.as_text() if preview else "",
        "not_sent": _not_sent(preview) if preview else [],
        "lost": lost.texts if lost else [],
        "proposed": sorted(proposed),
        "seen": seen,
    }
    return TemplateResponse(request, "refunds/admin/refund.html", context)


def _new_gifts(form: RefundForm, lost: LostConditions, proposed: set[int]) -> dict[int, int]:
    """Return the units of gifts that the form fills in now: order line id → units."""
    chosen = {wish.line_id: wish.units for wish in form.wishes()["lines"]}
    return {line: units for line, units in lost.gifts.items() if line not in proposed and not chosen[line]}


def refund_form_url(order: Order, *, units: Mapping[int, int], note: str) -> str:
    """Return the URL of an order's refund form, filled in with units by order line id and a reason."""
    asked = {f"units_{line}": str(number) for line, number in units.items()} | {"note": note[:MAX_NOTE]}
    return f"{reverse('order_refund', args=[order.pk])}?{urlencode(asked)}"


def _asked_for(request: HttpRequest) -> dict[int, int]:
    asked = {}
    for name in request.GET:
        line, units = (
            positive_number(name.removeprefix("units_")),
            positive_number(request.GET.get(name, "")),
        )
        if name.startswith("units_") and line and units:
            asked[line] = units
    return asked


def _confirm(request: HttpRequest, user: User, order: Order, form: RefundForm, seen: str) -> HttpResponse:
    note = form.cleaned_data["note"]
    try:
        made = refund_order(order=order, staff=user, note=note, seen=seen, **form.wishes())
    except ShopError as error:
        if error.err != Err.second_person_needed:
            raise
        _ask_colleague(request, user, order, form, seen)
        return redirect("orders:inspect", order.pk)
    done = _("%(amount)s goes back: refund %(number)s.")
    if not made.amount:
        done = _("The units are returned, without money: refund %(number)s.")
    messages.success(request, done % {"amount": aud_text(made.amount), "number": made.number})
    return redirect("orders:inspect", order.pk)


def _ask_colleague(request: HttpRequest, user: User, order: Order, form: RefundForm, seen: str) -> None:
    wishes = form.wishes()
    ask_colleague(
        request,
        kind=Approval.Kind.wallet_refund,
        subject=order.order_no,
        path=reverse("orders:inspect", args=[order.pk]),
        amount=preview_refund(order=order, **wishes).priced.amount,
        values={
            "order": order.pk,
            "lines": [
                [wish.line_id, wish.units, None if wish.amount is None else str(wish.amount), wish.restocked]
                for wish in wishes["lines"]
            ],
            "freight": wishes["freight"],
            "to": wishes["to"],
            "note": form.cleaned_data["note"],
            "seen": seen,
        },
        note=form.cleaned_data["note"],
        staff=user,
    )


def refund_approved(values: Mapping[str, Any], staff: User) -> None:
    """Refund as a second person has approved.

    `values`: as stored. `staff`: the member of staff that entered it.
    """
    refund_order(
        order=Order.objects.get(pk=values["order"]),
        lines=[
            LineWish(line, units, None if amount is None else Decimal(amount), restocked)
            for line, units, amount, restocked in values["lines"]
        ],
        freight=FreightPart(values["freight"]),
        to=Refund.To(values["to"]),
        note=values["note"],
        seen=values["seen"],
        staff=staff,
        is_approved=True,
    )


def _not_sent(preview: RefundPreview) -> list[str]:
    by_line = {each.line.pk: each.line for each in preview.priced.lines}
    return [
        f"{units} × {by_line[line].name_en} {by_line[line].name_zh}"
        for line, units in preview.not_sent.items()
    ]


def _pressing(press: Press) -> Callable[[HttpRequest, int], HttpResponse]:
    """Return a view that runs a button for permitted staff, and redirects to the order or the refund."""

    @wraps(press)
    @require_POST
    def view(request: HttpRequest, pk: int) -> HttpResponse:
        if not isinstance(request.user, User) or not request.user.has_perm(MAY_REFUND):
            raise PermissionDenied
        refund = get_object_or_404(Refund.objects.select_related("payment"), pk=pk)
        try:
            if done := press(request, refund, request.user):
                messages.success(request, done)
        except ShopError as error:
            messages.error(request, text_of(error))
        order_id = refund.payment.order_id
        return redirect("orders:inspect", order_id) if order_id else redirect("refunds:inspect", refund.pk)

    return view


@_pressing
def retry(request: HttpRequest, refund: Refund, user: User) -> str:
    """Send money again that its provider has refused."""
    retry_refund(refund=refund)
    return _("The refund is sent again.")


@_pressing
def paid_back(request: HttpRequest, refund: Refund, user: User) -> str:
    """Record that staff have paid money back by hand."""
    # Forms refuse NUL too, since no database stores it.
    note = request.POST.get("note", "").replace("\0", "")[:200]
    try:
        note_paid_back(refund=refund, staff=user, note=note)
        return _("The refund is noted as paid back.")
    except ShopError as error:
        if error.err != Err.second_person_needed:
            raise
    ask_colleague(
        request,
        kind=Approval.Kind.paid_back,
        subject=refund.payment.number,
        path=reverse("refunds:inspect", args=[refund.pk]),
        amount=refund.amount,
        values={"refund": refund.pk, "note": note},
        note=note,
        staff=user,
    )
    return ""


def paid_back_approved(values: Mapping[str, Any], staff: User) -> None:
    """Record a refund as paid back, as a second person has approved."""
    refund = Refund.objects.select_related("payment").get(pk=values["refund"])
    note_paid_back(refund=refund, staff=staff, note=values["note"], is_approved=True)
