"""Filters of the order list in the back office."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django_filters import MultipleChoiceFilter
from wagtail.admin.filters import WagtailFilterSet

from commerce.orders.models import Order
from commerce.orders.pay_types import pay_type_choices


class OrderFilters(WagtailFilterSet):
    """Filters orders, with pay types by the names that staff give them."""

    pay_type = MultipleChoiceFilter(
        label=_("Payment method"), choices=pay_type_choices, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = Order
        fields = ["status", "pay_type", "shipping_type", "created_at"]
