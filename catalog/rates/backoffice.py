"""The back office's pages for the exchange rate: current rate, held rates and history."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from wagtail.admin.views.generic import IndexView

from catalog.rates import services
from catalog.rates.current import current_rate
from catalog.rates.models import ExchangeRate
from core.backoffice import ReadOnlyViewSet
from core.menu_groups import SETTINGS
from core.wire import positive_number

MAY_DECIDE = "rates.change_exchangerate"


class OverrideForm(forms.Form):
    """The form of a rate set by staff."""

    rate = forms.DecimalField(
        label=gettext_lazy("CNY per AUD"), min_value=0.01, max_value=1000, max_digits=12, decimal_places=6
    )


class ExchangeRateIndexView(IndexView):
    """The list of all rates, below the current rate, the held rates and the form to set a rate."""

    template_name = "rates/admin/rates.html"

    def get_base_queryset(self) -> QuerySet[ExchangeRate]:
        """Return all rates with the staff who decided about or ended them."""
        return ExchangeRate.objects.select_related("decided_by", "ended_by")

    def get_context_data(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Add the current rate, the held rates and the form."""
        context: dict[str, Any] = super().get_context_data(*args, **kwargs)
        return context | {
            "holds": current_rate(),
            "default_rate": ExchangeRate.DEFAULT_RATE,
            "waiting": ExchangeRate.objects.filter(status=ExchangeRate.Status.held),
            "override_form": OverrideForm(),
            "may_decide": self.request.user.has_perm(MAY_DECIDE),
        }


class ExchangeRateViewSet(ReadOnlyViewSet):
    """The list of rates that were fetched or that staff set."""

    model = ExchangeRate
    icon = "order"
    menu_label = gettext_lazy("Exchange rate")
    menu_hook = SETTINGS
    menu_order = 92
    index_view_class = ExchangeRateIndexView
    list_display = ("rate", "source", "as_of", "status", "fetched_at", "decided_by", "decided_at")
    list_filter = ("status", "source", "is_override")
    inspect_view_fields = (
        *("rate", "source", "as_of", "status", "fetched_at"),
        *("is_override", "decided_by", "decided_at", "ended_by", "ended_at"),
    )

    def get_urlpatterns(self) -> list[Any]:
        """Add the URL to which the buttons post."""
        return [*super().get_urlpatterns(), path("decide/", decide, name="decide")]


@require_POST
def decide(request: HttpRequest) -> HttpResponse:
    """Accept or refuse a held rate, set an override or end it; raises PermissionDenied."""
    if not isinstance(request.user, User) or not request.user.has_perm(MAY_DECIDE):
        raise PermissionDenied
    try:
        _act(request.POST, request.user)
    except forms.ValidationError as error:
        messages.error(request, " ".join(error.messages))
    except services.NotWaitingError:
        messages.error(request, _("This has already been decided."))
    else:
        messages.success(request, _("The exchange rate was saved."))
    return redirect("exchange_rates:index")


def _act(posted: QueryDict, user: User) -> None:
    """Call the service for the posted action; raises ValidationError, NotWaitingError."""
    match posted.get("action"):
        case "accept" | "refuse" as action:
            rate_id = positive_number(posted.get("rate_id", ""))
            services.decide(rate_id=rate_id or 0, accept=action == "accept", by=user)
        case "set":
            rate = OverrideForm.base_fields["rate"].clean(posted.get("rate"))
            services.set_override(rate=rate, by=user)
        case "end":
            services.end_override(by=user)
        case _:
            raise services.NotWaitingError
