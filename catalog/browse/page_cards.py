"""The cards of a page with several lists, such as the home page, read together for all of them."""

from collections.abc import Iterable
from decimal import Decimal

from catalog.browse.cards import Card
from catalog.browse.rows import listed_rows
from catalog.promotions.offers import Offer
from catalog.promotions.pricing import price_products
from core.pictures.renditions import files_of_pictures


class PageCards:
    """The cards of the products with some ids that are on sale, however many lists show them."""

    def __init__(self, ids: Iterable[int], rate: Decimal, *, picture_ids: Iterable[int | None] = ()) -> None:
        """Read products and pictures; queries as `listed_rows`, `price_products` and `files_of_pictures`.

        `rate`: CNY per AUD. `picture_ids`: other pictures of the page, which may be None.
        """
        products = listed_rows(list(dict.fromkeys(ids)))
        self._priced = {facts.product.id: facts for facts in price_products(products, amounts={})}
        self._rate = rate
        self.pictures = files_of_pictures([*(product.picture_id for product in products), *picture_ids])

    def of(self, ids: Iterable[int]) -> list[Card]:
        """Return cards in the order of the ids, each at the price of its best running promotion."""
        found = [self._priced[pk] for pk in ids if pk in self._priced]
        return [
            Card(facts.at_best_offer(), self.pictures.get(facts.product.picture_id), self._rate)
            for facts in found
        ]

    def in_promotion(self, offered: Iterable[tuple[int, Offer]]) -> list[Card]:
        """Return cards of ids with their offers, whatever other promotions make of their prices."""
        found = [(self._priced[pk], offer) for pk, offer in offered if pk in self._priced]
        return [
            Card(facts.at_offer(offer), self.pictures.get(facts.product.picture_id), self._rate)
            for facts, offer in found
        ]
