"""Promotions as pages show several of them: each with its first products."""

from dataclasses import dataclass
from decimal import Decimal

from catalog.browse.cards import Card, promotion_cards
from catalog.browse.promotions import first_products, product_counts
from catalog.promotions.models import Promotion

# The products that the list shows of each promotion.
SHOWN = 6


@dataclass(frozen=True)
class Band:
    """A promotion with its first products and the number of all."""

    promotion: Promotion
    cards: list[Card]
    total: int


def bands(shown: list[Promotion], rate: Decimal) -> list[Band]:
    """Return the bands of promotions at a rate of CNY per AUD; four queries for any number."""
    products, totals = first_products(shown, SHOWN), product_counts(shown)
    return [Band(row, promotion_cards(products[row.pk], rate), totals[row.pk]) for row in shown]
