"""The filters of the lists of payments and refunds."""

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django_filters import MultipleChoiceFilter
from wagtail.admin.filters import WagtailFilterSet

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.names import PROVIDER_NAMES


class PaymentFilters(WagtailFilterSet):
    """Filters by provider, with the names that staff know."""

    provider = MultipleChoiceFilter(
        label=_("Provider"), choices=list(PROVIDER_NAMES.items()), widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = Payment
        fields = ["state", "provider", "created_at"]


class RefundFilters(WagtailFilterSet):
    """Filters by several states, as links from the dashboard need."""

    state = MultipleChoiceFilter(
        label=capfirst(_("state")), choices=Refund.State.choices, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = Refund
        fields = ["state", "reason", "to", "created_at"]
