"""Promotions as pages show several of them: each with its first products."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.browse.cards import Card
from catalog.browse.page_cards import PageCards
from catalog.browse.promotions import FirstProducts, first_products
from catalog.promotions.models import Promotion

# The products that the list shows of each promotion.
SHOWN = 6


@dataclass(frozen=True)
class Band:
    """A promotion with its first products and the number of all."""

    promotion: Promotion
    cards: list[Card]
    total: int


def banded(promotions: Iterable[Promotion]) -> list[FirstProducts]:
    """Return promotions with the products that their bands show; queries as `first_products`."""
    return first_products(list(promotions), SHOWN)


def ids_of(first: Sequence[FirstProducts]) -> list[int]:
    """Return the ids of the products in bands."""
    return [pk for row in first for pk, _offer in row.offered]


def bands(first: Sequence[FirstProducts], cards: PageCards) -> list[Band]:
    """Return the bands of promotions with cards that were read for them."""
    return [Band(row.promotion, cards.in_promotion(row.offered), row.total) for row in first]
