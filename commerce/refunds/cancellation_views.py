"""Requests to cancel in the back office: a section of the order's page, and the answers of staff."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from commerce.orders.models import Order
from commerce.refunds.forms import DeclineForm
from commerce.refunds.models import CancellationRequest
from commerce.refunds.order_views import MAY_REFUND
from commerce.refunds.services import confirm_cancellation, decline_cancellation, mark_of
from commerce.refunds.services.cancellations import CONFIRMABLE
from core.errors import ShopError, text_of
from core.languages import language_name
from core.money import aud_text
from core.pending import SHOWN, Card, Item, when


def order_part(request: HttpRequest, order: Order) -> str:
    """Render the request to cancel an order, with its answer; two queries, empty without a request."""
    found = CancellationRequest.objects.select_related("answered_by").filter(order=order).first()
    return (found and render_to_string("refunds/admin/cancellation.html", {"cancellation": found})) or ""


def order_actions(request: HttpRequest, order: Order) -> str:
    """Render the forms that answer the request to cancel an order; empty if none is waiting."""
    waiting = CancellationRequest.objects.filter(order=order, state=CancellationRequest.State.waiting).first()
    if waiting is None:
        return ""
    context = {
        "cancellation": waiting,
        "may_answer": _may_answer(request),
        "may_confirm": order.status in CONFIRMABLE,
        "seen": mark_of(order),
        "form": DeclineForm(language=language_name(order.language)),
    }
    return render_to_string("refunds/admin/answer_cancellation.html", context, request)


def _may_answer(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.has_perm(MAY_REFUND)


@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel the order of a request and refund it, if its page still shows it as it is."""
    found, user = _request_to_answer(request, pk)
    try:
        made = confirm_cancellation(request=found, staff=user, seen=request.POST.get("seen", ""))
        done = _("The order is cancelled. %(amount)s goes back: refund %(number)s.")
        messages.success(request, done % {"amount": aud_text(made.amount), "number": made.number})
    except ShopError as error:
        messages.error(request, text_of(error))
    return redirect("orders:inspect", found.order_id)


@require_POST
def decline(request: HttpRequest, pk: int) -> HttpResponse:
    """Decline a request to cancel; the customer is notified with the answer of staff."""
    found, user = _request_to_answer(request, pk)
    form = DeclineForm(request.POST)
    if form.is_valid():
        try:
            decline_cancellation(request=found, staff=user, answer=form.cleaned_data["answer"])
            messages.success(request, _("The request is declined and the customer is notified."))
        except ShopError as error:
            messages.error(request, text_of(error))
    else:
        wrong = " ".join(map(str, form.errors["answer"]))
        messages.error(request, f"{form.fields['answer'].label}: {wrong}")
    return redirect("orders:inspect", found.order_id)


def _request_to_answer(request: HttpRequest, pk: int) -> tuple[CancellationRequest, User]:
    if not isinstance(request.user, User) or not _may_answer(request):
        raise PermissionDenied
    return get_object_or_404(CancellationRequest, pk=pk), request.user


def requests_to_answer(user: Any) -> Card | None:
    """Return the card of requests to cancel that wait for staff, oldest first; two queries."""
    if not user.has_perm("orders.view_order") or not user.has_perm(MAY_REFUND):
        return None
    waiting = CancellationRequest.objects.filter(state=CancellationRequest.State.waiting)
    items = [
        Item(
            str(each),
            reverse("orders:inspect", args=[each.order_id]),
            f"{each.order.customer} · {when(each.created_at)}",
        )
        for each in waiting.select_related("order__customer").order_by("pk")[:SHOWN]
    ]
    return Card(
        "cancellations",
        _("Requests to cancel"),
        "warning",
        items,
        waiting.count(),
        f"{reverse('cancellation_requests:index')}?state={CancellationRequest.State.waiting}",
        _("All requests to cancel"),
    )
