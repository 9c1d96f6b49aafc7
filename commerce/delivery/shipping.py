"""The ways of delivery, and the destinations that they are for (docs/product.md#order-statuses)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from commerce.delivery.freight import Region
from core.errors import Err, ShopError


class ShippingType(models.IntegerChoices):
    """The way in which products reach the customer (docs/product.md#order-statuses)."""

    abroad = 1, _("Delivery abroad")
    domestic = 2, _("Delivery in Australia")
    pickup = 3, _("Pick-up in store")


def read_shipping_type(text: str) -> ShippingType:
    """Parse the wire's code; raises ShopError(choose_delivery) for an unknown or empty code."""
    named = {str(kind.value): kind for kind in ShippingType}
    if text not in named:
        raise ShopError(Err.choose_delivery, fields={"shippingType": "choose_delivery"})
    return named[text]


def check_agrees(shipping_type: ShippingType, region: Region) -> None:
    """Check that a delivery's destination fits its type: 2 within Australia, 1 elsewhere.

    See docs/wire.md#order. An external territory accepts both, since it may be entered as Australia or as a
    country. Raises ShopError(choose_delivery) if the type does not fit.
    """
    fitting = ShippingType.abroad if region.is_abroad else ShippingType.domestic
    fits_too = ShippingType.domestic if region.territory else fitting
    if shipping_type not in (fitting, fits_too):
        raise ShopError(Err.choose_delivery, fields={"shippingType": "choose_delivery"})
