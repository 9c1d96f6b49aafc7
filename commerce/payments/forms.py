"""The form by which staff record money that they have received."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from commerce.payments.hold_times import COLLECTED_BY_STAFF
from commerce.payments.models import PayType
from core.money import CENT


class ReceiptForm(forms.Form):
    """The pay type, the received amount, and the proof."""

    pay_type = forms.ChoiceField(label=_("Payment method"))
    amount = forms.DecimalField(label=_("Amount, AUD"), min_value=CENT, max_digits=12, decimal_places=2)
    note = forms.CharField(
        label=_("Proof of payment"),
        max_length=200,
        help_text=_("Such as the text of the bank, or the receipt."),
    )
    # The mark of the order's money when the page was rendered.
    seen = forms.CharField(widget=forms.HiddenInput)
    # Whether staff have confirmed that the amount is more than what is left.
    with_surplus = forms.BooleanField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        left: Decimal | None,
        data: Any = None,
        *,
        seen: str = "",
        pay_type: str = "",
        auto_id: str = "id_%s",
    ) -> None:
        """Fill in what is left to pay, if known, and the pay type that the customer has chosen.

        `seen`: as for `record_payment`.
        """
        initial = {"pay_type": pay_type, "amount": left, "seen": seen}
        super().__init__(data, initial=initial, auto_id=auto_id)
        by_staff = PayType.objects.filter(code__in=COLLECTED_BY_STAFF, enabled=True)
        self.fields["pay_type"].choices = [(row.code, str(row)) for row in by_staff]  # type: ignore[attr-defined]
