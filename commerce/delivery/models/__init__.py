"""Models of freight rules, export limits, pick-up shops and delivery windows."""

from commerce.delivery.models.exports import ExportLimit
from commerce.delivery.models.freight import NO_PRICE, FreightRule
from commerce.delivery.models.pickups import (
    DEFAULT_CUTOFF_HOURS,
    DEFAULT_PER_HOUR,
    PickupException,
    PickupHours,
    PickupShop,
    PickupSlot,
)
from commerce.delivery.models.windows import DeliveryDayOff, DeliverySlot, DeliveryWindow

__all__ = [
    "DEFAULT_CUTOFF_HOURS",
    "DEFAULT_PER_HOUR",
    "NO_PRICE",
    "DeliveryDayOff",
    "DeliverySlot",
    "DeliveryWindow",
    "ExportLimit",
    "FreightRule",
    "PickupException",
    "PickupHours",
    "PickupShop",
    "PickupSlot",
]
