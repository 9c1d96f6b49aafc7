"""A certificate's page in the back office: its context, and the views of its buttons."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from commerce.orders.status import OrderStatus
from commerce.payments.models import Certificate
from commerce.payments.review_forms import ApprovalForm, RejectionForm
from commerce.payments.services.certificates import certificate_url
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.services.review import MAY_REVIEW, approve_transfer, earlier_uses, reject_transfer
from core.errors import ShopError, text_of

Press = Callable[[Certificate, User, dict[str, Any]], str]


def review_facts(user: Any, certificate: Certificate) -> dict[str, Any]:
    """Return the context of a certificate's page in addition to its columns; some queries."""
    order = certificate.order
    facts: dict[str, Any] = {"picture": certificate_url(certificate), "order": order}
    if order is None:
        return facts
    may_review = certificate.state == Certificate.State.waiting and user.has_perm(MAY_REVIEW)
    left = left_to_pay(order) if order.status == OrderStatus.unpaid else None
    others = order.certificates.exclude(pk=certificate.pk).select_related("reviewed_by")
    return facts | {
        "left": left,
        "earlier_uses": [(each, certificate_url(each)) for each in earlier_uses(certificate)],
        "others": others,
        "approval_form": ApprovalForm(amount=certificate.first_amount or left) if may_review else None,
        "rejection_form": RejectionForm() if may_review else None,
    }


def _pressing(form_class: type[Form]) -> Callable[[Press], Callable[[HttpRequest, int], HttpResponse]]:
    """Return a decorator for a button of permitted staff, which redirects to the certificate."""

    def decorate(press: Press) -> Callable[[HttpRequest, int], HttpResponse]:
        @wraps(press)
        @require_POST
        def view(request: HttpRequest, pk: int) -> HttpResponse:
            if not isinstance(request.user, User) or not request.user.has_perm(MAY_REVIEW):
                raise PermissionDenied
            certificate = get_object_or_404(Certificate, pk=pk, order__isnull=False)
            form = form_class(request.POST)
            if form.is_valid():
                try:
                    messages.success(request, press(certificate, request.user, form.cleaned_data))
                except ShopError as error:
                    messages.error(request, text_of(error))
            else:
                wrong = [
                    f"{form.fields[name].label}: {' '.join(map(str, form.errors[name]))}"
                    for name in form.errors
                ]
                messages.error(request, " ".join(wrong))
            return redirect("payment_certificates:inspect", certificate.pk)

        return view

    return decorate


@_pressing(ApprovalForm)
def approve(certificate: Certificate, user: User, values: dict[str, Any]) -> str:
    """Approve the entered amount."""
    payment = approve_transfer(certificate=certificate, staff=user, **values)
    if payment is None:
        return _("Another member of staff must confirm this amount before it counts.")
    return _("The transfer was approved.")


@_pressing(RejectionForm)
def reject(certificate: Certificate, user: User, values: dict[str, Any]) -> str:
    """Reject the picture for the chosen reason."""
    reason = Certificate.Reason(values["reason"])
    reject_transfer(certificate=certificate, reason=reason, text=values["text"], staff=user)
    return _("The picture was rejected and the customer is notified.")
