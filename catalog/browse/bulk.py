"""The cards of bulk buying: products by the carton, with lower prices for larger amounts."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.browse.cards import Card, json_text, unit_price_text
from catalog.browse.serializers import bulk_goods_out
from catalog.goods.listed import ListedProduct
from catalog.goods.unitprice import unit_price
from catalog.promotions.pricing import price_at, price_products
from core.money import aud_text


@dataclass(frozen=True)
class PriceTierRow:
    """A price that applies from an amount on: in cartons and in units, with its unit price."""

    cartons: int
    amount: int
    price: str
    unit_price: str


@dataclass(frozen=True)
class BulkCard(Card):
    """A product that is sold by the carton; its price tiers are loaded, promotions are not included."""

    @property
    def size(self) -> int:
        """The units in a carton."""
        return self.product.carton_size

    @property
    def minimum(self) -> int:
        """The minimum amount in units, rounded up to whole cartons."""
        return self.minimum_cartons * self.size

    @property
    def minimum_cartons(self) -> int:
        """The minimum amount in cartons."""
        return -(-self.product.min_amount // self.size)

    @property
    def amount(self) -> Decimal:
        """The price of one unit at the minimum amount, in dollars."""
        return price_at(self.priced.tiers, self.minimum)

    @property
    def carton(self) -> str:
        """The price of a carton at the minimum amount, as text."""
        return aud_text(self.amount * self.size)

    @property
    def is_out(self) -> bool:
        """Whether the stock is below the minimum amount."""
        return self.cartons_left < self.minimum_cartons

    @property
    def cartons_left(self) -> int:
        """The whole cartons in stock."""
        return self.left // self.size

    @property
    def tiers(self) -> list[PriceTierRow]:
        """The price tiers, beginning with the minimum amount."""
        prices: dict[int, Decimal] = {}
        for amount, price in self.priced.tiers:
            prices[max(self.minimum_cartons, -(-amount // self.size))] = price
        return [self._tier(cartons, price) for cartons, price in prices.items()]

    def _tier(self, cartons: int, price: Decimal) -> PriceTierRow:
        per_unit = unit_price(self.product.pack, self.product.unit_rule, price) or (None, None)
        return PriceTierRow(
            cartons=cartons,
            amount=cartons * self.size,
            price=aud_text(price),
            unit_price=unit_price_text(*per_unit),
        )

    @property
    def json(self) -> str:
        """The product as the bulk cart stores it: CartGoods with cartons and price tiers, as JSON."""
        return json_text(bulk_goods_out(self.priced))


def bulk_cards(products: Sequence[ListedProduct], rate: Decimal) -> list[BulkCard]:
    """Return the cards of products that are sold by the carton; `rate` is CNY per AUD.

    They show a single size of the picture, whose URL is in the product's facts.
    """
    priced = price_products(products, amounts={}, with_offers=False)
    return [BulkCard(facts, None, rate) for facts in priced]
