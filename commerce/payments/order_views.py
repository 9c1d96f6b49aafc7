"""Payments on an order's page in the back office, and the form that records one."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

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
from commerce.orders.pay_types import pay_type_name_of_row
from commerce.orders.status import OrderStatus
from commerce.payments.forms import ReceiptForm
from commerce.payments.services import record_payment
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.services.record import mark_of_receipts
from commerce.payments.state_texts import shown_state
from core.errors import Err, ShopError, text_of
from core.money import aud_text

MAY_RECORD = "payments.record_payment"
# A canceled order may still get late money, which is then refunded or reopens it.
TAKES_MONEY = frozenset({OrderStatus.unpaid, OrderStatus.canceled})


def order_part(request: HttpRequest, order: Order) -> str:
    """Render the payments of an order's page, and what is left to pay; two queries."""
    payments = order.payments.select_related("staff").annotate(pay_type_name=pay_type_name_of_row())
    context = {
        "payments": [(each, shown_state(each)) for each in payments],
        "left": left_to_pay(order) if order.status in TAKES_MONEY else None,
    }
    return render_to_string("payments/admin/order.html", context, request)


def order_actions(request: HttpRequest, order: Order) -> str:
    """Render the form that records received money, while the order accepts some; three queries."""
    if order.status not in TAKES_MONEY or not _may_record(request):
        return ""
    left, seen = left_to_pay(order), mark_of_receipts(order)
    form = ReceiptForm(left, seen=seen, pay_type=order.pay_type, auto_id="receipt_%s")
    if not form.fields["pay_type"].choices:  # type: ignore[attr-defined]
        # All of these pay types are switched off.
        return ""
    return render_to_string("payments/admin/record.html", {"order": order, "form": form}, request)


def _may_record(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.has_perm(MAY_RECORD)


@require_POST
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """Record money that staff have received, and return to the order with the result."""
    if not isinstance(request.user, User) or not _may_record(request):
        raise PermissionDenied
    order = get_object_or_404(Order, pk=pk)
    form = ReceiptForm(None, request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(text) for texts in form.errors.values() for text in texts))
        return redirect("orders:inspect", order.pk)
    values = form.cleaned_data
    try:
        payment = record_payment(order=order, staff=request.user, **values)
        text = _("%(amount)s was recorded as payment %(number)s.")
        messages.success(request, text % {"amount": aud_text(payment.amount), "number": payment.reference})
    except ShopError as error:
        if error.err == Err.above_owed:
            return _ask_about_surplus(request, order, values)
        if error.err == Err.second_person_needed:
            _ask_colleague(request, request.user, order, values)
        else:
            messages.error(request, text_of(error))
    return redirect("orders:inspect", order.pk)


def _ask_about_surplus(request: HttpRequest, order: Order, values: dict[str, Any]) -> HttpResponse:
    """Show how much more than is left would be recorded, with a form that confirms it."""
    title = _("More than is left to pay")
    left = left_to_pay(order)
    context = {
        "page_title": title,
        "header_title": title,
        "header_icon": "warning",
        "order": order,
        "values": values | {"with_surplus": "on"},
        "amount": aud_text(values["amount"]),
        "left": aud_text(left),
        "surplus": aud_text(values["amount"] - left),
    }
    return TemplateResponse(request, "payments/admin/surplus.html", context)


def _ask_colleague(request: HttpRequest, user: User, order: Order, values: dict[str, Any]) -> None:
    ask_colleague(
        request,
        kind=Approval.Kind.receipt,
        subject=order.order_no,
        path=reverse("orders:inspect", args=[order.pk]),
        amount=values["amount"],
        values=values | {"amount": str(values["amount"]), "order": order.pk},
        note=values["note"],
        staff=user,
    )


def record_approved(values: Mapping[str, Any], staff: User) -> None:
    """Record a payment that a second person has approved.

    `values`: as stored. `staff`: the member of staff that entered it.
    """
    record_payment(
        order=Order.objects.get(pk=values["order"]),
        pay_type=values["pay_type"],
        amount=Decimal(values["amount"]),
        note=values["note"],
        seen=values["seen"],
        with_surplus=values["with_surplus"],
        staff=staff,
        is_approved=True,
    )
