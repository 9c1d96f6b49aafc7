"""The forms on a certificate's page in the back office."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from commerce.payments.models import Certificate


class ApprovalForm(forms.Form):
    """The amount that was received by a transfer."""

    amount = forms.DecimalField(
        label=_("Amount that has arrived, AUD"), min_value=Decimal("0.01"), max_digits=12, decimal_places=2
    )
    note = forms.CharField(
        label=_("Note"), max_length=200, required=False, help_text=_("Only staff read it.")
    )

    def __init__(self, data: Any = None, *, amount: Decimal | None = None) -> None:
        super().__init__(data, auto_id="approve_%s")
        self.fields["amount"].initial = amount


class RejectionForm(forms.Form):
    """The reason why the picture of a transfer is rejected."""

    # No reason is preselected, because the customer is notified immediately.
    reason = forms.ChoiceField(label=_("Reason"), choices=[("", "---------"), *Certificate.Reason.choices])
    text = forms.CharField(
        label=_("To the customer"),
        max_length=300,
        required=False,
        help_text=_("The customer reads it below the reason."),
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="reject_%s")

    def clean_text(self) -> str:
        """Require a text if the reason is `other`."""
        text: str = self.cleaned_data["text"]
        if not text and self.cleaned_data.get("reason") == Certificate.Reason.other:
            raise forms.ValidationError(
                _("Explain what is wrong: “Another reason” does not explain it to the customer.")
            )
        return text
