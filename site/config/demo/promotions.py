"""The demonstration's promotions and bulk offers, which start on the day they are loaded.

See docs/product.md#the-demonstration.
"""

from datetime import datetime, time, timedelta
from decimal import Decimal
from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.goods.models import PriceTier, Product
from catalog.goods.writing import save_product
from catalog.promotions.models import Promotion, PromotionItem
from core.clock import in_zone, shop_zone
from core.money import aud


class OnOffer(NamedTuple):
    """A product by SKU: percentage of its price, quota, limit per customer (0: none)."""

    sku: str
    percent: int
    quota: int
    limit: int


class ByTheCarton(NamedTuple):
    """A product by SKU: units in a carton, and percentage of its price from a number of cartons."""

    sku: str
    carton: int
    steps: dict[int, int]


# English and Chinese name, duration in days, products.
PROMOTIONS = [
    (
        "Hotpot week",
        "火锅周",
        9,
        [
            OnOffer("G050104", 80, 60, 6),
            OnOffer("G050107", 80, 12, 4),
            OnOffer("G040501", 75, 50, 5),
            OnOffer("G040504", 82, 30, 0),
            OnOffer("G080302", 84, 40, 0),
            OnOffer("G080306", 85, 12, 2),
            OnOffer("G140207", 78, 8, 1),
        ],
    ),
    (
        "Tea time",
        "茶时光",
        4,
        [
            OnOffer("G030402", 80, 40, 4),
            OnOffer("G030107", 80, 90, 12),
            OnOffer("G180402", 78, 40, 0),
            OnOffer("G160108", 80, 30, 0),
            OnOffer("G090303", 75, 15, 1),
        ],
    ),
]
BULK = [
    ByTheCarton("G030102", 24, {1: 92, 2: 88}),
    ByTheCarton("G040301", 12, {1: 95, 2: 92, 4: 88}),
    ByTheCarton("G070108", 8, {1: 95, 2: 92, 4: 88}),
    ByTheCarton("G070106", 20, {1: 94, 2: 90}),
    ByTheCarton("G160201", 10, {1: 95, 2: 91, 4: 87}),
    ByTheCarton("G040404", 12, {1: 96, 2: 92, 4: 88}),
    ByTheCarton("G160205", 20, {1: 93, 2: 89}),
    ByTheCarton("G180401", 24, {1: 94, 2: 90}),
]


def load_promotions() -> None:
    """Start promotions that are missing or over, and set up bulk products; safe to repeat.

    Running promotions stay unchanged, and so do bulk products once there are any.
    """
    for name_en, name_zh, days, products in PROMOTIONS:
        _run(name_en, name_zh, days, products)
    if not Product.objects.filter(is_bulk=True).exists():
        for offer in BULK:
            _offer_by_the_carton(offer)


@transaction.atomic
def _run(name_en: str, name_zh: str, days: int, goods: list[OnOffer]) -> None:
    now = timezone.now()
    promotion = Promotion.objects.filter(name_en=name_en).first()
    if promotion and promotion.ends_at > now:
        return
    promotion = promotion or Promotion(name_en=name_en, name_zh=name_zh)
    promotion.starts_at, promotion.ends_at = now, _midnight(now, days)
    products = {row.sku: row for row in Product.objects.filter(sku__in=[offer.sku for offer in goods])}
    promotion.picture = products[goods[0].sku].picture if goods[0].sku in products else None
    promotion.save()
    # Units that an earlier run has sold stay counted.
    promotion.items.update(quota=F("taken") + F("quota"))
    there = set(promotion.items.values_list("product__sku", flat=True))
    PromotionItem.objects.bulk_create(
        PromotionItem(
            promotion=promotion,
            product=products[offer.sku],
            price=_part(products[offer.sku].price, offer.percent),
            quota=offer.quota,
            limit_amount=offer.limit,
            sort=place,
        )
        for place, offer in enumerate(goods)
        if offer.sku in products and offer.sku not in there
    )


@transaction.atomic
def _offer_by_the_carton(offer: ByTheCarton) -> None:
    product = Product.objects.filter(sku=offer.sku).first()
    if product is None:
        return
    product.is_bulk, product.carton_size = True, offer.carton
    save_product(product, ["is_bulk", "carton_size"])
    PriceTier.objects.bulk_create(
        PriceTier(product=product, from_amount=cartons * offer.carton, price=_part(product.price, percent))
        for cartons, percent in offer.steps.items()
    )


def _part(price: Decimal, percent: int) -> Decimal:
    return aud(price * percent / 100)


def _midnight(now: datetime, days: int) -> datetime:
    """Return the last minute of a later day, in the shop's time zone."""
    day = now.astimezone(shop_zone()).date() + timedelta(days=days)
    return in_zone(datetime.combine(day, time(23, 59)), shop_zone())
