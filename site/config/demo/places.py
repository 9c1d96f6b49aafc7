"""The demonstration's warehouse, two stores, and freight rules."""

from datetime import time
from decimal import Decimal

from catalog.goods.models import Storage
from catalog.stock.models import Location
from catalog.stock.services import save_location
from commerce.delivery.models import FreightRule, PickupHours, PickupShop

WAREHOUSE = ("warehouse", "Warehouse", "仓库")
# Code, names, address, then opening and closing hours for Monday to Saturday and for Sunday.
SHOPS = [
    (
        ("northbridge", "Eastbowl Northbridge", "东碗北桥店"),
        "12 Demonstration Street, Northbridge WA 6003",
        (time(10), time(19)),
        (time(10), time(17)),
    ),
    (
        ("cannington", "Eastbowl Cannington", "东碗坎宁顿店"),
        "34 Example Road, Cannington WA 6107",
        (time(9), time(18)),
        (time(11), time(17)),
    ),
]
SUNDAY = 6
AUSTRALIA = "Australia"
METRO = [(AUSTRALIA, "", "60"), (AUSTRALIA, "", "61")]
STATE = [(AUSTRALIA, "WA", "")]
NEAR = [(AUSTRALIA, state, "") for state in ("SA", "NT")]
EAST = [(AUSTRALIA, state, "") for state in ("VIC", "NSW", "ACT")]
# An address without a state costs as much as the farthest.
FAR = [(AUSTRALIA, state, "") for state in ("QLD", "TAS", "")]
ambient, chilled, frozen = Storage.ambient, Storage.chilled, Storage.frozen
# Regions, storage, grams and dollars of the first price, grams and dollars of each further step. Chilled and
# frozen products are not sent abroad.
FREIGHT = [
    (METRO, ambient, 5000, "6.90", 1000, "0.80"),
    (METRO, chilled, 5000, "9.90", 1000, "1.20"),
    (METRO, frozen, 5000, "11.90", 1000, "1.40"),
    (STATE, ambient, 5000, "9.90", 1000, "1.60"),
    (STATE, chilled, 5000, "18.90", 1000, "2.80"),
    (STATE, frozen, 5000, "22.90", 1000, "3.20"),
    (NEAR, ambient, 5000, "12.90", 1000, "2.20"),
    (NEAR, chilled, 5000, "29.90", 1000, "4.50"),
    (NEAR, frozen, 5000, "34.90", 1000, "5.20"),
    (EAST, ambient, 5000, "14.90", 1000, "2.60"),
    (EAST, chilled, 5000, "34.90", 1000, "5.40"),
    (EAST, frozen, 5000, "39.90", 1000, "6.20"),
    (FAR, ambient, 5000, "16.90", 1000, "3.10"),
    (FAR, chilled, 5000, "39.90", 1000, "6.40"),
    (FAR, frozen, 5000, "44.90", 1000, "7.20"),
    ([("China", "", "")], ambient, 1000, "14.90", 500, "5.50"),
    ([("Malaysia", "", "")], ambient, 1000, "18.90", 500, "6.90"),
    ([("Taiwan", "", "")], ambient, 1000, "18.90", 500, "6.90"),
    ([("", "", "")], ambient, 1000, "29.90", 500, "11.90"),
]


def load_places() -> None:
    """Create the stock locations, then pick-up shops and freight rules where there are none."""
    code, name_en, name_zh = WAREHOUSE
    if not Location.objects.filter(fills_deliveries=True).exists():
        save_location(Location(code=code, name_en=name_en, name_zh=name_zh, fills_deliveries=True))
    if not PickupShop.objects.exists():
        _add_shops()
    if not FreightRule.objects.exists():
        _add_freight_rules()


def _add_shops() -> None:
    for sort, ((code, name_en, name_zh), address, weekdays, sunday) in enumerate(SHOPS):
        names = {"name_en": name_en, "name_zh": name_zh}
        location = Location.objects.filter(code=code).first()
        if location is None:
            location = Location(code=code, **names)
            save_location(location)
        shop = PickupShop.objects.create(location=location, address=address, sort=sort, **names)
        PickupHours.objects.bulk_create(
            PickupHours(shop=shop, weekday=day, opens=opens, closes=closes)
            for day in range(7)
            for opens, closes in [sunday if day == SUNDAY else weekdays]
        )


def _add_freight_rules() -> None:
    FreightRule.objects.bulk_create(
        FreightRule(
            country=country,
            province=province,
            zip_prefix=zip_prefix,
            storage=storage,
            first_grams=first_grams,
            first_price=Decimal(first_price),
            step_grams=step_grams,
            step_price=Decimal(step_price),
        )
        for places, storage, first_grams, first_price, step_grams, step_price in FREIGHT
        for country, province, zip_prefix in places
    )
