"""Bands of promotions: each promotion with its first products, for pages that show several."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.browse.cards import Card
from catalog.browse.page_cards import PageCards
from catalog.browse.promotions import FirstProducts, first_products
from catalog.promotions.models import Promotion

# The number of products that a band shows.
SHOWN = 6


@dataclass(frozen=True)
class Band:
    """A promotion with its first products and the number of all its products."""

    promotion: Promotion
    cards: list[Card]
    total: int


def banded(promotions: Iterable[Promotion]) -> list[FirstProducts]:
    """Return the promotions with the products for their bands; queries as in `first_products`."""
    return first_products(list(promotions), SHOWN)


def ids_of(first: Sequence[FirstProducts]) -> list[int]:
    """Return the ids of all products in the bands."""
    return [pk for row in first for pk, _offer in row.offered]


def bands(first: Sequence[FirstProducts], cards: PageCards) -> list[Band]:
    """Return the bands of promotions; `cards` has read their products."""
    return [Band(row.promotion, cards.in_promotion(row.offered), row.total) for row in first]
