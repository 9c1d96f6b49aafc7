"""Builders of promotions for tests of any app."""

from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from django.utils import timezone

from catalog.goods.models import Product
from catalog.promotions import offers
from catalog.promotions.models import Promotion, PromotionItem

_numbers = count(1)


def make_promotion(*products: tuple[Product, str], **kw: Any) -> Promotion:
    """Make a promotion of products at prices in dollars, 50 units each, that runs for another hour."""
    number = next(_numbers)
    now = timezone.now()
    fields: dict[str, Any] = {
        "name_en": f"Promotion {number}",
        "name_zh": f"活动{number}",
        "starts_at": now - timedelta(hours=1),
        "ends_at": now + timedelta(hours=1),
    }
    promotion = Promotion.objects.create(**fields | kw)
    for product, price in products:
        promote(promotion, product, price)
    offers.invalidate()
    return promotion


def promote(promotion: Promotion, product: Product, price: str | None = None, **kw: Any) -> PromotionItem:
    """Put a product into a promotion, at a price in dollars where its kind needs one, 50 units of it."""
    own_price = None if price is None else Decimal(price)
    item = PromotionItem.objects.create(
        **{"promotion": promotion, "product": product, "price": own_price, "quota": 50} | kw
    )
    offers.invalidate()
    return item
