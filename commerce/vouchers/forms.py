"""The form of a voucher in the back office."""

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from commerce.vouchers.codes import stored_code
from core.backoffice import ProtectedForm
from core.time_fields import ShopTimeField


class VoucherForm(ProtectedForm):
    """A voucher with its brands and categories; its code is stored in capitals, as orders look it up."""

    code = forms.CharField(
        label=capfirst(_("code")),
        help_text=_("4 to 32 letters A to Z, digits and hyphens. Shoppers may type small letters too."),
    )
    starts_at = ShopTimeField(
        label=capfirst(_("starts")),
        help_text=_("In the shop’s time zone. A date alone means the beginning of that day."),
    )
    ends_at = ShopTimeField(
        label=capfirst(_("ends")),
        help_text=_("In the shop’s time zone. A date alone means the end of that day."),
        is_end=True,
    )

    def clean_code(self) -> str:
        """Return the code in its stored form."""
        return stored_code(self.cleaned_data["code"])
