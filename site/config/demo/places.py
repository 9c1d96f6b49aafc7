"""The demonstration's warehouse, two stores, the van's windows, and freight rules."""

from datetime import date, time
from decimal import Decimal

from django.utils import timezone

from catalog.goods.models import Category, Storage
from catalog.stock.models import Location
from catalog.stock.services import save_location
from commerce.delivery.models import (
    NO_PRICE,
    DeliveryDayOff,
    DeliveryWindow,
    ExportLimit,
    FreightRule,
    PickupException,
    PickupHours,
    PickupShop,
)
from commerce.delivery.regions import ANY_COUNCIL, Zone
from core.clock import shop_zone

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
# Start and end of the van's windows, Monday to Saturday.
WINDOWS = [(time(9), time(12)), (time(13), time(17)), (time(17), time(20))]
CHRISTMAS = (12, 25)
RegionFields = dict[str, str]


def _codes(country: str, *ranges: str) -> list[RegionFields]:
    """Return the places of post code ranges such as `0800-0899`."""
    return [
        {"country": country, "zip_from": first, "zip_to": last}
        for first, _, last in (each.partition("-") for each in ranges)
    ]


AUSTRALIA = "Australia"
INNER_PERTH: list[RegionFields] = [
    {"country": AUSTRALIA, "council": council}
    for council in ("Perth", "South Perth", "Subiaco", "Victoria Park", "Vincent")
]
METRO: list[RegionFields] = [{"country": AUSTRALIA, "council": ANY_COUNCIL}]
STATE: list[RegionFields] = [{"country": AUSTRALIA, "province": "WA"}]
# The Gascoyne, the Pilbara and the Kimberley.
REMOTE_STATE = _codes(AUSTRALIA, "6701-6770")
# Christmas Island and the Cocos Islands.
ISLANDS = _codes(AUSTRALIA, "6798-6798", "6799-6799")
NEAR = _codes(AUSTRALIA, "0800-0844", "5000-5799")
REMOTE_NEAR = _codes(AUSTRALIA, "0845-0899")
EAST = _codes(AUSTRALIA, "2000-2999", "3000-3999")
# Lord Howe Island.
REMOTE_EAST = _codes(AUSTRALIA, "2898-2898")
# Western Queensland, Mount Isa and Cape York.
REMOTE_FAR = _codes(AUSTRALIA, "4470-4499", "4721-4736", "4821-4830", "4871-4876")
# Queensland, Tasmania, and addresses without a post code, which cost as much as the farthest places.
FAR: list[RegionFields] = [*_codes(AUSTRALIA, "4000-4999", "7000-7799"), {"country": AUSTRALIA}]
WEST_MALAYSIA: list[RegionFields] = [{"country": "Malaysia", "zone": Zone.west_malaysia}]
EAST_MALAYSIA: list[RegionFields] = [{"country": "Malaysia", "zone": Zone.east_malaysia}]
EVERYWHERE: list[RegionFields] = [{}]
ambient, chilled, frozen = Storage.ambient, Storage.chilled, Storage.frozen
# Places and storage; grams and dollars of the first price, grams and dollars of each further step. Then the
# remote surcharge, the amount from which a parcel is free, and the working days until it arrives, or None.
FREIGHT: list[tuple[list[RegionFields], Storage, int, str, int, str, str, str | None, str | None]] = [
    (INNER_PERTH, ambient, 5000, "5.90", 1000, "0.70", "0", "80", "1-2"),
    (METRO, ambient, 5000, "6.90", 1000, "0.80", "0", "100", "1-2"),
    (METRO, chilled, 5000, "9.90", 1000, "1.20", "0", "120", "1-2"),
    (METRO, frozen, 5000, "11.90", 1000, "1.40", "0", "150", "1-2"),
    (STATE, ambient, 5000, "9.90", 1000, "1.60", "0", "200", "2-4"),
    (STATE, chilled, 5000, "18.90", 1000, "2.80", "0", None, "2-4"),
    (STATE, frozen, 5000, "22.90", 1000, "3.20", "0", None, "2-4"),
    (REMOTE_STATE, ambient, 5000, "9.90", 1000, "1.60", "6", None, "4-8"),
    (REMOTE_STATE, chilled, 5000, "18.90", 1000, "2.80", "15", None, "4-8"),
    (REMOTE_STATE, frozen, 5000, "22.90", 1000, "3.20", "15", None, "4-8"),
    (ISLANDS, ambient, 1000, "16.90", 1000, "6.90", "12", None, None),
    (NEAR, ambient, 5000, "12.90", 1000, "2.20", "0", "250", "3-6"),
    (REMOTE_NEAR, ambient, 5000, "12.90", 1000, "2.20", "8", None, "5-9"),
    (EAST, ambient, 5000, "14.90", 1000, "2.60", "0", "250", "4-7"),
    (REMOTE_EAST, ambient, 5000, "14.90", 1000, "2.60", "12", None, "8-14"),
    (FAR, ambient, 5000, "16.90", 1000, "3.10", "0", "300", "5-8"),
    (REMOTE_FAR, ambient, 5000, "16.90", 1000, "3.10", "9", None, "7-12"),
    ([{"country": "China"}], ambient, 1000, "14.90", 500, "5.50", "0", None, "7-14"),
    ([{"country": "Hong Kong"}], ambient, 1000, "16.90", 500, "5.90", "0", None, "5-9"),
    ([{"country": "Taiwan"}], ambient, 1000, "18.90", 500, "6.90", "0", None, "6-10"),
    (
        [{"country": "Malaysia", "zone": Zone.west_malaysia}],
        ambient,
        1000,
        "18.90",
        500,
        "6.90",
        "0",
        None,
        "6-10",
    ),
    (
        [{"country": "Malaysia", "zone": Zone.east_malaysia}],
        ambient,
        1000,
        "23.90",
        500,
        "8.90",
        "0",
        None,
        "8-14",
    ),
    ([{"country": "Malaysia"}], ambient, 1000, "23.90", 500, "8.90", "0", None, "8-14"),
    ([{"country": "New Zealand"}], ambient, 1000, "17.90", 500, "6.50", "0", None, "5-9"),
    ([{"country": "Singapore"}], ambient, 1000, "17.90", 500, "6.50", "0", None, "5-9"),
    ([{"country": "Japan"}], ambient, 1000, "21.90", 500, "7.90", "0", None, "6-10"),
    ([{"country": "USA"}], ambient, 1000, "27.90", 500, "10.90", "0", None, "8-15"),
    (EVERYWHERE, ambient, 1000, "29.90", 500, "11.90", "0", None, None),
]
# Places, storage, and the reason why nothing is sent there, in English and Chinese.
NOT_SENT: list[tuple[list[RegionFields], Storage, str, str]] = [
    *(
        (
            EVERYWHERE,
            storage,
            "Chilled and frozen products are sent within Western Australia only.",
            "冷藏和冷冻商品仅在西澳州内配送。",
        )
        for storage in (chilled, frozen)
    ),
    *(
        (
            ISLANDS,
            storage,
            "Chilled and frozen products do not keep on the way to the islands.",
            "冷藏和冷冻商品无法保鲜运抵海岛。",
        )
        for storage in (chilled, frozen)
    ),
]


# Country, category id or None, maximum units, maximum value in AUD, reason. China's customs accept parcels up
# to CNY 1,000 as personal ones.
EXPORT_LIMITS = [
    (
        "China",
        None,
        None,
        "200.00",
        "Personal parcels up to CNY 1,000.",
        "个人邮递物品每次限值 1000 元人民币。",
    ),
    ("China", 10, 3, None, "Milk formula for personal use.", "奶粉以个人自用的合理数量为限。"),
]


def load_places() -> None:
    """Create missing stock locations; also pick-up shops, windows and freight rules if there are none."""
    code, name_en, name_zh = WAREHOUSE
    if not Location.objects.filter(fills_deliveries=True).exists():
        save_location(Location(code=code, name_en=name_en, name_zh=name_zh, fills_deliveries=True))
    if not PickupShop.objects.exists():
        _add_shops()
    if not DeliveryWindow.objects.exists():
        DeliveryWindow.objects.bulk_create(
            DeliveryWindow(weekday=day, starts=starts, ends=ends)
            for day in range(SUNDAY)
            for starts, ends in WINDOWS
        )
    if not PickupException.objects.exists():
        _close_at_christmas()
    if not FreightRule.objects.exists():
        _add_freight_rules()


def load_export_limits() -> None:
    """Create the customs limits if there are none, except for missing categories."""
    if ExportLimit.objects.exists():
        return
    for country, category, max_units, max_value, why_en, why_zh in EXPORT_LIMITS:
        if category is None or Category.objects.filter(pk=category).exists():
            ExportLimit.objects.create(
                country=country,
                category_id=category,
                max_units=max_units,
                max_value=max_value and Decimal(max_value),
                why_en=why_en,
                why_zh=why_zh,
            )


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


def _close_at_christmas() -> None:
    today = timezone.localdate(timezone=shop_zone())
    this_year = date(today.year, *CHRISTMAS)
    christmas = this_year if this_year >= today else date(today.year + 1, *CHRISTMAS)
    PickupException.objects.create(date=christmas)
    DeliveryDayOff.objects.get_or_create(date=christmas)


def _add_freight_rules() -> None:
    priced = (
        FreightRule(
            **place,
            storage=storage,
            first_grams=first_grams,
            first_price=Decimal(first_price),
            step_grams=step_grams,
            step_price=Decimal(step_price),
            surcharge=Decimal(surcharge),
            free_from=free_from and Decimal(free_from),
            days_from=days and int(days.partition("-")[0]),
            days_to=days and int(days.partition("-")[2]),
        )
        for (
            places,
            storage,
            first_grams,
            first_price,
            step_grams,
            step_price,
            surcharge,
            free_from,
            days,
        ) in FREIGHT
        for place in places
    )
    not_sent = (
        FreightRule(**place, **NO_PRICE, storage=storage, excluded=True, why_en=why_en, why_zh=why_zh)
        for places, storage, why_en, why_zh in NOT_SENT
        for place in places
    )
    FreightRule.objects.bulk_create([*priced, *not_sent])
