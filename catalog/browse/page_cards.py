"""The cards of a page with several lists, such as the home page; one read for all lists."""

from collections.abc import Iterable
from decimal import Decimal

from catalog.browse.cards import Card
from catalog.browse.rows import listed_rows
from catalog.promotions.offers import Offer
from catalog.promotions.pricing import price_products
from core.pictures.renditions import files_of_pictures


class PageCards:
    """The cards of products on sale, each read once even if several lists show it."""

    def __init__(self, ids: Iterable[int], rate: Decimal, *, picture_ids: Iterable[int | None] = ()) -> None:
        """Read products and pictures; queries as in `listed_rows`, `price_products`, `files_of_pictures`.

        `rate`: CNY per AUD. `picture_ids`: other pictures on the page; may contain None.
        """
        products = listed_rows(list(dict.fromkeys(ids)))
        self._priced = {facts.product.id: facts for facts in price_products(products, amounts={})}
        self._rate = rate
        self.pictures = files_of_pictures([*(product.picture_id for product in products), *picture_ids])

    def of(self, ids: Iterable[int]) -> list[Card]:
        """Return the cards of these ids in order, each at the price of its best running promotion."""
        found = [self._priced[pk] for pk in ids if pk in self._priced]
        return [
            Card(facts.at_best_offer(), self.pictures.get(facts.product.picture_id), self._rate)
            for facts in found
        ]

    def in_promotion(self, offered: Iterable[tuple[int, Offer]]) -> list[Card]:
        """Return the cards of these ids in these offers, even if other promotions are cheaper."""
        found = [(self._priced[pk], offer) for pk, offer in offered if pk in self._priced]
        return [
            Card(facts.at_offer(offer), self.pictures.get(facts.product.picture_id), self._rate)
            for facts, offer in found
        ]
