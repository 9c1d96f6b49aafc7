"""Views of the back office that show and adjust a customer's points."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from commerce.accounts.models import Customer
from commerce.ledger.forms import PointsForm
from commerce.ledger.points import adjust_points
from core.errors import Err, ShopError, text_of

MAY_ADJUST = "ledger.adjust_points"
# The page shows only the newest adjustments.
SHOWN = 20


def points_part(request: HttpRequest, customer: Customer) -> str:
    """Render the points section of a customer's page: form and newest adjustments; two queries."""
    may_adjust = isinstance(request.user, User) and request.user.has_perm(MAY_ADJUST)
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
        wrong = [str(text) for name in form.errors for text in form.errors[name]]
        messages.error(request, " ".join(wrong))
        return redirect("customers:inspect", pk)
    try:
        adjust_points(customer=customer, staff=request.user, **form.cleaned_data)
        messages.success(request, _("The points were adjusted."))
    except ShopError as error:
        # The error's own text addresses the customer, not staff.
        is_too_much = error.err == Err.points_insufficient
        messages.error(
            request, _("The customer does not have enough points.") if is_too_much else text_of(error)
        )
    return redirect("customers:inspect", pk)
