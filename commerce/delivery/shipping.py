"""The ways of delivery, and the countries that they are for (docs/product.md#order-statuses)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.errors import Err, ShopError

HOME_COUNTRY = "Australia"


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


def check_agrees(shipping_type: ShippingType, country: str) -> None:
    """Check that a delivery's country fits its type: 2 within Australia, 1 elsewhere (docs/wire.md#order).

    `country`: English name. Raises ShopError(choose_delivery) if the type does not fit.
    """
    fitting = ShippingType.domestic if country == HOME_COUNTRY else ShippingType.abroad
    if shipping_type != fitting:
        raise ShopError(Err.choose_delivery, fields={"shippingType": "choose_delivery"})
