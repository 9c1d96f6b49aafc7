"""The form by which staff tick off a statement difference."""

from django import forms
from django.utils.translation import gettext_lazy as _


class TickOffForm(forms.Form):
    """The reason why a provider's list and the books differ."""

    note = forms.CharField(
        label=_("Why they differ"),
        max_length=200,
        required=False,
        help_text=_("Such as: paid back by hand, agreed with the provider. Required."),
    )
