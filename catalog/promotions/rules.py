"""What the kinds of promotions take off the products that are bought in them: pure rules, without queries.

See docs/product.md#promotions.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from catalog.promotions.models import Promotion, PromotionItem
from core.money import ZERO, aud, spread


class Bought(NamedTuple):
    """Units of one product that are bought in a promotion, and the price of one in dollars."""

    product_id: int
    units: int
    price: Decimal

    @property
    def total(self) -> Decimal:
        """What the units cost before discounts, in dollars."""
        return aud(self.price * self.units)


def discounts(
    promotion: Promotion, items: Iterable[PromotionItem], bought: Sequence[Bought]
) -> dict[int, Decimal]:
    """Return what a promotion takes off each product, in dollars by its id; products without are left out.

    `items`: all of the promotion. `bought`: at prices that have what the promotion does to a single unit.
    """
    if promotion.kind == Promotion.Kind.buy_get:
        return _free_units(promotion, bought)
    if promotion.kind == Promotion.Kind.bundle:
        return _bundles(promotion, items, bought)
    return {}


def gifts(
    promotion: Promotion, items: Iterable[PromotionItem], bought: Sequence[Bought]
) -> list[PromotionItem]:
    """Return the gifts that go with what is bought in a promotion, whether there are any left or not."""
    if promotion.kind != Promotion.Kind.gift or promotion.gift_from is None:
        return []
    if sum((line.total for line in bought), ZERO) < promotion.gift_from:
        return []
    return [item for item in items if item.is_gift]


def rule_of_item(item: PromotionItem) -> str:
    """Return what a promotion does to one of its products, in the reader's language; reads
    `item.promotion`."""
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
    """Take what complete bundles save off their products, in proportion to what they cost alone."""
    units_by_product = {item.product_id: item.units for item in items if not item.is_gift}
    by_product = {line.product_id: line for line in bought}
    if not units_by_product or units_by_product.keys() - by_product.keys():
        return {}
    bundles = min(by_product[pk].units // units for pk, units in units_by_product.items())
    alone = {pk: aud(by_product[pk].price * units * bundles) for pk, units in units_by_product.items()}
    saved = sum(alone.values(), ZERO) - bundles * (promotion.bundle_price or ZERO)
    return spread(saved, alone) if saved > 0 else {}
