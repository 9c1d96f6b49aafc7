"""Discounts of each kind of promotion on the products bought in it: pure rules, without queries.

See docs/product.md#promotions.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from catalog.promotions.models import Promotion, PromotionItem
from core.money import ZERO, aud, spread


class Bought(NamedTuple):
    """The units of one product that are bought in a promotion, and the price of one in dollars."""

    product_id: int
    units: int
    price: Decimal

    @property
    def total(self) -> Decimal:
        """The price of the units before discounts, in dollars."""
        return aud(self.price * self.units)


def discounts(
    promotion: Promotion, items: Iterable[PromotionItem], bought: Sequence[Bought]
) -> dict[int, Decimal]:
    """Return product id → discount of a promotion in dollars; products without a discount are not in it.

    `items`: all items of the promotion. `bought`: prices include the promotion's effect on single units.
    """
    if promotion.kind == Promotion.Kind.buy_get:
        return _free_units(promotion, bought)
    if promotion.kind == Promotion.Kind.bundle:
        return _bundles(promotion, items, bought)
    return {}


def gifts(
    promotion: Promotion, items: Iterable[PromotionItem], bought: Sequence[Bought]
) -> list[PromotionItem]:
    """Return the gifts for the products bought in a promotion, whether units of them are left or not."""
    if promotion.kind != Promotion.Kind.gift or promotion.gift_from is None:
        return []
    if sum((line.total for line in bought), ZERO) < promotion.gift_from:
        return []
    return [item for item in items if item.is_gift]


def rule_of_item(item: PromotionItem) -> str:
    """Return the effect of a promotion on an item in the reader's language; reads `item.promotion`."""
    if item.promotion.kind == Promotion.Kind.price and item.price is not None:
        return f"A${item.price}"
    promotion: Promotion = item.promotion
    return promotion.rule


def _free_units(promotion: Promotion, bought: Sequence[Bought]) -> dict[int, Decimal]:
    buy, free = promotion.buy_units or 1, promotion.free_units or 0
    return {
        line.product_id: aud(line.price * (line.units // (buy + free) * free))
        for line in bought
        if line.units >= buy + free
    }


def _bundles(
    promotion: Promotion, items: Iterable[PromotionItem], bought: Sequence[Bought]
) -> dict[int, Decimal]:
    """Spread the saving of complete bundles over their products, in proportion to their separate prices."""
    units_by_product = {item.product_id: item.units for item in items if not item.is_gift}
    by_product = {line.product_id: line for line in bought}
    if not units_by_product or units_by_product.keys() - by_product.keys():
        return {}
    bundles = min(by_product[pk].units // units for pk, units in units_by_product.items())
    alone = {pk: aud(by_product[pk].price * units * bundles) for pk, units in units_by_product.items()}
    saved = sum(alone.values(), ZERO) - bundles * (promotion.bundle_price or ZERO)
    return spread(saved, alone) if saved > 0 else {}
