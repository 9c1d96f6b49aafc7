"""The texts of a choice of pay type: its name, and the hint below it (docs/wire.md#paytypes)."""

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from commerce.delivery.shipping import ShippingType
from commerce.payments.hold_times import CASH, CUSTOMER_SERVICE
from commerce.payments.models import PayType
from commerce.payments.restrictions import Purchase
from core.languages import TwoTexts, in_both_languages


def names_for(pay_type: PayType, purchase: Purchase) -> TwoTexts:
    """Return the names that staff have given; cash, which they name for deliveries, is the store's there."""
    if pay_type.code == CASH and purchase.shipping_type == ShippingType.pickup:
        return in_both_languages(lambda: _("Pay in store"))
    return pay_type.names


def hint_of(pay_type: PayType, purchase: Purchase) -> TwoTexts:
    """Return the hint of staff, else when and where the money is collected; empty where neither is known."""
    if pay_type.hint_zh or pay_type.hint_en:
        return TwoTexts(pay_type.hint_zh, pay_type.hint_en)
    return in_both_languages(lambda: _how_collected(pay_type.code, purchase.shipping_type))


def _how_collected(code: str, shipping_type: int | None) -> str:
    if code == CUSTOMER_SERVICE:
        hours = settings.CUSTOMER_SERVICE_HOLD_HOURS
        text = ngettext(
            "Contact us to pay: your products are held for %(hours)d hour",
            "Contact us to pay: your products are held for %(hours)d hours",
            hours,
        )
        return text % {"hours": hours}
    if code != CASH:
        return ""
    if shipping_type is None:
        return _("Pay in store at pick-up, or on delivery")
    is_pickup = shipping_type == ShippingType.pickup
    return _("Pay in store when you pick it up") if is_pickup else _("Pay in cash when your order arrives")
