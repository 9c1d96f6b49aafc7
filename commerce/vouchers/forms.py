"""The form of a voucher in the back office."""

from django.utils.translation import gettext_lazy as _

from core.backoffice import ProtectedForm
from core.time_fields import ShopTimeField


class VoucherForm(ProtectedForm):
    """A voucher with what it is for."""

    starts_at = ShopTimeField(label=_("starts"), help_text=_("In the shop's time zone."))
    ends_at = ShopTimeField(label=_("ends"), help_text=_("In the shop's time zone."))
