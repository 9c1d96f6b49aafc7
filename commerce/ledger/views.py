"""Views of the back office that adjust a customer's points and settle a customer's debt."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from commerce.accounts.models import Customer
from commerce.approvals.asking import ask_colleague
from commerce.approvals.models import Approval
from commerce.ledger.debts import record_debt_settlement
from commerce.ledger.forms import DebtForm, PointsForm
from commerce.ledger.models import LedgerAccount
from commerce.ledger.points import adjust_points, dollars_of
from commerce.ledger.services import balance_of
from commerce.ledger.statement_views import MAY_READ
from core.errors import Err, ShopError, text_of

MAY_ADJUST = "ledger.adjust_points"
MAY_SETTLE = "ledger.settle_debt"
# The page shows only the newest adjustments.
SHOWN = 20


def points_part(request: HttpRequest, customer: Customer) -> str:
    """Render the points section of a customer's page: form and newest adjustments; two queries."""
    may_adjust = request.user.has_perm(MAY_ADJUST)
    # Their notes are for staff who read the points.
    if not may_adjust and not request.user.has_perm(MAY_READ):
        return ""
    seen = {"seen": customer.points_adjustments.count()}
    context = {
        "customer": customer,
        "form": PointsForm(initial=seen, auto_id="points_%s") if may_adjust else None,
        "adjustments": customer.points_adjustments.select_related("staff")[:SHOWN],
    }
    return render_to_string("ledger/admin/points.html", context, request)


@require_POST
def adjust(request: HttpRequest, pk: int) -> HttpResponse:
    """Adjust a customer's points, and redirect to their page with the result; raises PermissionDenied."""
    if not isinstance(request.user, User) or not request.user.has_perm(MAY_ADJUST):
        raise PermissionDenied
    customer = get_object_or_404(Customer, pk=pk)
    form = PointsForm(request.POST)
    if not form.is_valid():
        return _refuse(request, form, pk)
    try:
        adjust_points(customer=customer, staff=request.user, **form.cleaned_data)
        messages.success(request, _("The points were adjusted."))
    except ShopError as error:
        if error.err == Err.second_person_needed:
            values = form.cleaned_data
            worth = dollars_of(values["points"])
            _ask_colleague(request, request.user, customer, Approval.Kind.points, worth, values)
            return redirect("customers:inspect", pk)
        # The error's own text addresses the customer, not staff.
        is_too_much = error.err == Err.points_insufficient
        messages.error(
            request, _("The customer does not have enough points.") if is_too_much else text_of(error)
        )
    return redirect("customers:inspect", pk)


def _ask_colleague(
    request: HttpRequest,
    user: User,
    customer: Customer,
    kind: Approval.Kind,
    amount: Decimal,
    values: Mapping[str, object],
) -> None:
    ask_colleague(
        request,
        kind=kind,
        subject=str(customer),
        path=reverse("customers:inspect", args=[customer.pk]),
        amount=amount,
        values={**values, "customer": customer.pk},
        note=str(values["note"]),
        staff=user,
    )


def adjust_approved(values: Mapping[str, Any], staff: User) -> None:
    """Adjust points as a second person has approved.

    `values`: as stored. `staff`: the member of staff that entered it.
    """
    adjust_points(
        customer=Customer.objects.get(pk=values["customer"]),
        points=values["points"],
        note=values["note"],
        seen=values["seen"],
        staff=staff,
        is_approved=True,
    )


def debt_part(request: HttpRequest, customer: Customer) -> str:
    """Render the form that settles a customer's debt, while there is one; one query."""
    if not isinstance(request.user, User) or not request.user.has_perm(MAY_SETTLE):
        return ""
    debt = balance_of(customer=customer, kind=LedgerAccount.Kind.debt)
    if not debt:
        return ""
    form = DebtForm(initial={"amount": debt, "seen": debt}, auto_id="debt_%s")
    return render_to_string("ledger/admin/debt.html", {"customer": customer, "form": form}, request)


@require_POST
def settle_debt(request: HttpRequest, pk: int) -> HttpResponse:
    """Record a debt as paid or written off, and redirect to the customer; raises PermissionDenied."""
    if not isinstance(request.user, User) or not request.user.has_perm(MAY_SETTLE):
        raise PermissionDenied
    customer = get_object_or_404(Customer, pk=pk)
    form = DebtForm(request.POST)
    if not form.is_valid():
        return _refuse(request, form, pk)
    try:
        record_debt_settlement(customer=customer, staff=request.user, **form.cleaned_data)
        messages.success(request, _("The debt was reduced."))
    except ShopError as error:
        if error.err != Err.second_person_needed:
            messages.error(request, text_of(error))
            return redirect("customers:inspect", pk)
        values = {name: str(value) for name, value in form.cleaned_data.items()}
        amount = form.cleaned_data["amount"]
        _ask_colleague(request, request.user, customer, Approval.Kind.debt, amount, values)
    return redirect("customers:inspect", pk)


def settle_debt_approved(values: Mapping[str, Any], staff: User) -> None:
    """Settle a debt as a second person has approved.

    `values`: as stored. `staff`: the member of staff that entered it.
    """
    record_debt_settlement(
        customer=Customer.objects.get(pk=values["customer"]),
        amount=Decimal(values["amount"]),
        seen=Decimal(values["seen"]),
        note=values["note"],
        staff=staff,
        is_approved=True,
    )


def _refuse(request: HttpRequest, form: BaseForm, customer_id: int) -> HttpResponse:
    wrong = [str(text) for name in form.errors for text in form.errors[name]]
    messages.error(request, " ".join(wrong))
    return redirect("customers:inspect", customer_id)
