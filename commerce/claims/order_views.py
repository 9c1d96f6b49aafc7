"""Claims in the back office: sections of the order and claim pages, and the views that answer claims."""

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

from commerce.claims.forms import AnswerForm, SettledForm
from commerce.claims.models import Claim
from commerce.claims.services import answer_claim, settle_otherwise
from commerce.claims.services.pictures import picture_url
from commerce.claims.states import OPEN, ClaimState
from commerce.claims.unpaid_claims import is_without_refund, units_to_refund
from commerce.orders.models import Order
from commerce.refunds.order_views import MAY_REFUND, refund_form_url
from core.errors import ShopError, text_of
from core.languages import language_name

MAY_VIEW, MAY_ANSWER = "claims.view_claim", "claims.answer_claim"


def order_part(request: HttpRequest, order: Order) -> str:
    """Render the claims section of an order's page; queries for claims and their lines."""
    if not _may(request, MAY_VIEW):
        return ""
    context = {"claims": order.claims.prefetch_related("lines__line")}
    return render_to_string("claims/admin/order.html", context, request)


def order_actions(request: HttpRequest, order: Order) -> str:
    """Render the buttons that link to an order's open claims; one query."""
    if not _may(request, MAY_VIEW) or not _may(request, MAY_ANSWER):
        return ""
    claims = order.claims.filter(state__in=sorted(OPEN))
    return render_to_string("claims/admin/links.html", {"claims": claims}, request) if claims else ""


def claim_facts(request: HttpRequest, claim: Claim) -> dict[str, Any]:
    """Return the template context of a claim's page, except its columns; some queries."""
    language = language_name(claim.order.language)
    thread = claim.thread.select_related("staff").prefetch_related("pictures")
    may_answer = _may(request, MAY_ANSWER)
    may_settle = may_answer and is_without_refund(claim)
    return {
        "lines": claim.lines.select_related("line"),
        "thread": [
            (message, [picture_url(picture) for picture in message.pictures.all()]) for message in thread
        ],
        "form": AnswerForm(language=language, seen=claim.messages) if may_answer and claim.is_open else None,
        "settled_form": SettledForm(language=language, seen=claim.messages) if may_settle else None,
        "refund_url": _refund_url(request, claim),
    }


def _refund_url(request: HttpRequest, claim: Claim) -> str:
    """Return the URL of the refund form with the accepted units; empty if nothing is left or allowed."""
    if claim.state != ClaimState.refund or not _may(request, MAY_REFUND):
        return ""
    units = units_to_refund(claim)
    note = _("Claim %(number)s") % {"number": claim.claim_no}
    return refund_form_url(claim.order, units=units, note=note) if units else ""


def _may(request: HttpRequest, permission: str) -> bool:
    return isinstance(request.user, User) and request.user.has_perm(permission)


@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer a claim, and redirect to the refund form if a refund was accepted; raises PermissionDenied."""
    claim, user = _claim_to_answer(request, pk)
    form = AnswerForm(request.POST)
    if not _is_right(request, form):
        return redirect("claims:inspect", claim.pk)
    values = form.cleaned_data
    try:
        to = ClaimState(values["to"])
        answer_claim(claim=claim, to=to, text=values["text"], staff=user, seen=values["seen"])
    except ShopError as error:
        messages.error(request, text_of(error))
        return redirect("claims:inspect", claim.pk)
    messages.success(request, _("The claim is answered and the customer is notified."))
    return redirect(_refund_url(request, claim) or reverse("claims:inspect", args=[claim.pk]))


@require_POST
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that a claim was settled without its refund; raises PermissionDenied."""
    claim, user = _claim_to_answer(request, pk)
    form = SettledForm(request.POST)
    if _is_right(request, form):
        try:
            settle_otherwise(claim=claim, staff=user, **form.cleaned_data)
            messages.success(request, _("The claim is settled and the customer is notified."))
        except ShopError as error:
            messages.error(request, text_of(error))
    return redirect("claims:inspect", claim.pk)


def _claim_to_answer(request: HttpRequest, pk: int) -> tuple[Claim, User]:
    if not isinstance(request.user, User) or not _may(request, MAY_ANSWER):
        raise PermissionDenied
    return get_object_or_404(Claim.objects.select_related("order"), pk=pk), request.user


def _is_right(request: HttpRequest, form: SettledForm) -> bool:
    """Return True if a form is valid; otherwise show its errors to staff."""
    if form.is_valid():
        return True
    wrong = [f"{form.fields[name].label}: {' '.join(map(str, form.errors[name]))}" for name in form.errors]
    messages.error(request, " ".join(wrong))
    return False
