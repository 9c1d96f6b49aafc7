"""Builders of freight rules and pick-up shops for tests of any app."""

from datetime import time
from decimal import Decimal
from itertools import count
from typing import Any

from catalog.stock.tests.builders import make_location
from commerce.delivery.models import DeliveryWindow, FreightRule, PickupHours, PickupShop

_numbers = count(1)


def unsaved_rule(**kw: Any) -> FreightRule:
    """Return a rule as `make_freight_rule` makes it, without saving it."""
    fields = {
        "storage": "ambient",
        "first_grams": 1000,
        "first_price": Decimal("9.90"),
        "step_grams": 500,
        "step_price": Decimal("2.50"),
    }
    return FreightRule(**fields | kw)


def make_freight_rule(**kw: Any) -> FreightRule:
    """Make a rule for ambient products anywhere: 9.90 for the first kilogram, 2.50 for each further 500 g."""
    rule = unsaved_rule(**kw)
    rule.save()
    return rule


def make_shop(*, per_hour: int = 10, **kw: Any) -> PickupShop:
    """Make a shop with a stock of its own, open from 9 to 17 every day."""
    number = next(_numbers)
    fields: dict[str, Any] = {
        "name_zh": f"门店{number}",
        "name_en": f"Shop {number}",
        "address": "1 Hay Street, Perth",
    }
    if "location" not in kw:
        fields["location"] = make_location(code=f"shop-{number}")
    shop = PickupShop.objects.create(**fields | kw)
    PickupHours.objects.bulk_create(
        PickupHours(shop=shop, weekday=day, opens=time(9), closes=time(17), per_hour=per_hour)
        for day in range(7)
    )
    return shop


def make_windows(*, capacity: int = 8, **kw: Any) -> list[DeliveryWindow]:
    """Make a window from 9 to 12 on every day, which closes twelve hours before."""
    fields = {"starts": time(9), "ends": time(12), "capacity": capacity}
    return [DeliveryWindow.objects.create(weekday=day, **fields | kw) for day in range(7)]
