"""The filters of the list of providers' lists."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django_filters import MultipleChoiceFilter
from wagtail.admin.filters import WagtailFilterSet

from commerce.payments.providers.names import PROVIDER_NAMES
from commerce.payments.providers.registry import REAL, SANDBOX
from commerce.statements.models import Statement


class StatementFilters(WagtailFilterSet):
    """Filters by provider, with the names that staff know; only providers that have lists."""

    provider = MultipleChoiceFilter(
        label=_("Provider"),
        choices=[(name, PROVIDER_NAMES[name]) for name in (*REAL, SANDBOX.name)],
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Statement
        fields = ["provider", "state", "day"]
