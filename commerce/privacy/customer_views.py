"""What staff do on a customer's request: record consent, give out a data copy, delete the account."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from commerce.accounts.models import Customer
from commerce.accounts.personal import Obstacle
from commerce.ledger.models import LedgerAccount
from commerce.ledger.services import balance_of
from commerce.privacy import services
from commerce.privacy.messages import language_of
from commerce.privacy.models import ConsentChange
from commerce.privacy.services.copying import MAX_SECONDS_OF_STAFF
from core.errors import ShopError, text_of
from core.languages import CHINESE, reader_language

MAY_HANDLE = "privacy.handle_request"
# The newest changes; the copy of the data has all of them.
SHOWN = 20


def privacy_part(request: HttpRequest, customer: Customer) -> str:
    """Render the privacy part of a customer's page, for staff who may handle requests; two queries."""
    if not request.user.has_perm(MAY_HANDLE) or customer.is_deleted:
        return ""
    context = {
        "customer": customer,
        "has_consented": services.has_consented(customer),
        "changes": customer.consent_changes.select_related("staff")[:SHOWN],
    }
    return render_to_string("privacy/admin/customer.html", context, request)


@require_POST
def change_consent(request: HttpRequest, pk: int) -> HttpResponse:
    """Record or withdraw a customer's consent, and return to their page."""
    customer = _customer(request, pk)
    services.change_consent(
        customer=customer,
        is_given=request.POST.get("agrees") == "1",
        source=ConsentChange.Source.staff,
        language=language_of(customer),
        staff=request.user,
    )
    messages.success(request, _("The consent was noted."))
    return redirect("customers:inspect", pk)


@require_POST
def give_copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Give staff the copy of a customer's data, record it, and notify the customer."""
    customer = _customer(request, pk)
    kind = services.CopyFormat.json if request.POST.get("format") == "json" else services.CopyFormat.html
    language = language_of(customer)
    try:
        file = services.copy_of_data(customer, kind, language, seconds=MAX_SECONDS_OF_STAFF)
        services.note_copy(customer=customer, language=language, staff=_staff(request))
    except ShopError as error:
        messages.error(request, text_of(error))
        return redirect("customers:inspect", pk)
    saved_as = {"Content-Disposition": f'attachment; filename="{file.name}"', "Cache-Control": "no-store"}
    return HttpResponse(file.content, content_type=f"{file.content_type}; charset=utf-8", headers=saved_as)


@require_http_methods(["GET", "POST"])
def delete_account(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what deleting the customer's account removes and what blocks it; delete it once confirmed."""
    customer = _customer(request, pk)
    if request.method == "POST":
        try:
            services.delete_account(customer=customer, language=language_of(customer), staff=_staff(request))
        except ShopError as error:
            messages.error(request, text_of(error))
            return redirect("customer_deletion", pk)
        messages.success(request, _("The account is deleted."))
        return redirect("customers:index")
    context = {
        "customer": customer,
        "obstacles": [_text(each) for each in services.obstacles_of(customer)],
        "years": settings.TAX_RECORD_YEARS,
        "points": int(balance_of(customer=customer, kind=LedgerAccount.Kind.points)),
    }
    return render(request, "privacy/admin/deletion.html", context)


def _customer(request: HttpRequest, pk: int) -> Customer:
    if not request.user.has_perm(MAY_HANDLE):
        raise PermissionDenied
    customer = get_object_or_404(Customer, pk=pk)
    if customer.is_deleted:
        raise PermissionDenied
    return customer


def _staff(request: HttpRequest) -> Any:
    return request.user if isinstance(request.user, User) else None


def _text(obstacle: Obstacle) -> str:
    return obstacle.text.zh if reader_language() == CHINESE else obstacle.text.en
