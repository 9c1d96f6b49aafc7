"""Disputes in the back office: the page that records one, and the buttons that close it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from commerce.approvals.asking import ask_colleague
from commerce.approvals.models import Approval
from commerce.orders.status import TRANSITIONS, OrderStatus
from commerce.payments.models import Dispute, Payment
from commerce.payments.services import lose_dispute, open_dispute, undo_dispute
from commerce.payments.services.disputes import Undone, amount_in_dispute, can_be_disputed
from core.errors import Err, ShopError, text_of
from core.money import ZERO, aud_text

MAY_HANDLE = "payments.handle_dispute"

State = Dispute.State


class NoteForm(forms.Form):
    """The reason of a dispute, or of its end."""

    note = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=200,
        help_text=gettext_lazy("For staff, such as the number of the case at the bank."),
    )


class ClosingForm(NoteForm):
    """How a dispute has ended, and the note; nothing is chosen beforehand."""

    state = forms.ChoiceField(
        label=gettext_lazy("Outcome"),
        choices=[
            (State.won.value, gettext_lazy("The shop has won")),
            (State.lost.value, gettext_lazy("The shop has lost")),
            (State.mistaken.value, State.mistaken.label),
        ],
        widget=forms.RadioSelect,
    )
    field_order = ("state", "note")


def may_handle(user: object) -> bool:
    """Return True if a user may record and close disputes."""
    return isinstance(user, User) and user.has_perm(MAY_HANDLE)


def record(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a dispute of a payment will do, and record it once that is confirmed."""
    user = request.user
    if not isinstance(user, User) or not may_handle(user):
        raise PermissionDenied
    payment = get_object_or_404(Payment.objects.select_related("order", "recharge"), pk=pk)
    form = NoteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            dispute = open_dispute(payment=payment, note=form.cleaned_data["note"], staff=user)
        except ShopError as error:
            messages.error(request, text_of(error))
            return redirect("payments:inspect", pk)
        messages.success(request, _("The dispute was recorded."))
        return redirect("disputes:inspect", dispute.pk)
    if not can_be_disputed(payment):
        messages.error(request, text_of(ShopError(Err.not_disputable)))
        return redirect("payments:inspect", pk)
    amount, from_wallet = amount_in_dispute(payment)
    order = payment.order
    title = _("Dispute of payment %(number)s") % {"number": payment.reference}
    context = {
        "page_title": title,
        "header_title": title,
        "header_icon": "warning",
        "payment": payment,
        "form": form,
        "amount": f"{payment.collected[1]} {amount}",
        "from_wallet": aud_text(from_wallet) if from_wallet else "",
        "stops_order": order is not None and OrderStatus.chargeback in TRANSITIONS[OrderStatus(order.status)],
    }
    return TemplateResponse(request, "payments/admin/record_dispute.html", context)


@require_POST
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a dispute as won, lost or recorded by mistake, and return to it with the result."""
    user = request.user
    if not isinstance(user, User) or not may_handle(user):
        raise PermissionDenied
    dispute = get_object_or_404(Dispute.objects.select_related("payment"), pk=pk)
    form = ClosingForm(request.POST)
    if not form.is_valid():
        wrong = [
            f"{form.fields[name].label}: {' '.join(map(str, form.errors[name]))}" for name in form.errors
        ]
        messages.error(request, " ".join(wrong))
        return redirect("disputes:inspect", pk)
    state, note = State(form.cleaned_data["state"]), form.cleaned_data["note"]
    try:
        if state == State.lost:
            lose_dispute(dispute=dispute, staff=user, note=note)
            messages.success(request, _("The dispute is closed as lost."))
        else:
            undone = undo_dispute(dispute=dispute, state=state, staff=user, note=note)
            messages.success(request, _("The dispute is closed, and its money counts again."))
            _show_what_is_left(request, undone)
    except ShopError as error:
        if error.err != Err.second_person_needed:
            messages.error(request, text_of(error))
            return redirect("disputes:inspect", pk)
        ask_colleague(
            request,
            kind=Approval.Kind.dispute_over,
            subject=dispute.reference,
            path=reverse("disputes:inspect", args=[pk]),
            amount=dispute.amount,
            values={"dispute": pk, "state": state.value, "note": note},
            note=note,
            staff=user,
        )
    return redirect("disputes:inspect", pk)


def close_approved(values: Mapping[str, Any], staff: User) -> None:
    """Close a dispute as won or recorded by mistake, as a second person has approved.

    `values`: as stored. `staff`: the member of staff that entered it.
    """
    undo_dispute(
        dispute=Dispute.objects.select_related("payment").get(pk=values["dispute"]),
        state=State(values["state"]),
        staff=staff,
        note=values["note"],
        is_approved=True,
    )


def _show_what_is_left(request: HttpRequest, undone: Undone) -> None:
    if undone.lacking_units:
        text = _("%(units)s units of the order are not available any more: refund them to the customer.")
        messages.warning(request, text % {"units": undone.lacking_units})
    if undone.by_hand > ZERO:
        text = _(
            "%(amount)s did not go to the wallet, because staff had settled that debt or the account is "
            "deleted. Pay back by hand what the customer had paid of it."
        )
        messages.warning(request, text % {"amount": aud_text(undone.by_hand)})
