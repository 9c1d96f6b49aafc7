"""What a product costs whom: behind card, cart, freight, order and invoice (docs/architecture.md#pricing)."""

# ruff: noqa: S608  what the query is put together from are names of tables and columns

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from django.http import HttpRequest

from catalog.goods.listed import CartProduct, stock_type
from catalog.goods.models import BASE_LEVEL, LevelPrice, PriceTier, UnitMeasure
from catalog.goods.unitprice import unit_price
from catalog.promotions.models import PromotionItem
from catalog.promotions.offers import Offer, offers_for
from core.money import aud
from core.prepared import among, prepared_cursor

P = TypeVar("P", bound=CartProduct)
P_co = TypeVar("P_co", bound=CartProduct, covariant=True)


class HasPrice(Protocol):
    """What pricing needs of a product, whether a row of its table or a CartProduct."""

    @property
    def id(self) -> int:
        """Its id."""

    @property
    def price(self) -> Decimal:
        """The ordinary price, in dollars with GST."""

    @property
    def is_bulk(self) -> bool:
        """Whether many cost less each."""


class TierPrice(NamedTuple):
    """A price from an amount on, in dollars with GST."""

    from_amount: int
    price: Decimal


@dataclass(frozen=True, slots=True)
class PricedProduct(Generic[P_co]):
    """A product with the prices and offers of one caller; amounts of money in dollars with GST.

    `price`: of one unit. `was_price`: a higher one to show next to it. `available`: units that can be bought
    at this price. `limit_amount`: the most of it, 0 for any. `offer`: the running promotion that makes it
    cheaper; only `at_offer` puts that into the price. `other_offer`: without one, a running promotion that
    leaves the price of one as it is. `tiers`: what many cost each, where that was asked for.
    """

    product: P_co
    price: Decimal
    was_price: Decimal | None
    available: int
    limit_amount: int
    unit_price: Decimal | None
    unit_measure: UnitMeasure | None
    offer: Offer | None
    other_offer: Offer | None
    tiers: Sequence[TierPrice]

    @property
    def stock_type(self) -> str:
        """Its stock type: in stock, advance or limited, sold out."""
        return stock_type(self.product, available=self.available)

    @property
    def promotion_id(self) -> int | None:
        """The id of the promotion of its offer."""
        return self.offer.promotion_id if self.offer else None

    @property
    def promotion_price(self) -> Decimal | None:
        """The price of one unit in its offer."""
        return self.offer.price if self.offer else None

    def at_offer(self, offer: Offer) -> "PricedProduct[P_co]":
        """Return its price in a promotion, never above the price without it, nor is that of many."""
        price = min(offer.price, self.price)
        lower = [tier for tier in self.tiers if tier.price < price]
        return _priced(
            self.product,
            price,
            was_price=self.price if price < self.price else None,
            available=min(self.available, offer.quota_left),
            limit_amount=offer.limit_amount,
            offer=offer,
            tiers=[TierPrice(1, price), *lower] if self.tiers else (),
        )

    def at_best_offer(self) -> "PricedProduct[P_co]":
        """Return it as it is bought now: in its running promotion, where there is one."""
        return self.at_offer(self.offer) if self.offer else self


def price_products(
    products: Collection[P],
    *,
    level: int = BASE_LEVEL,
    amounts: Mapping[int, int] | None = None,
    with_offers: bool = True,
) -> list[PricedProduct[P]]:
    """Price products for a member level, in their order.

    `amounts`: how many units of each are bought, by its id, one if it is missing; without it one unit of each
    is priced and `tiers` stay empty. `with_offers`: whether running promotions are included.
    Queries: that of `member_prices` or, with `amounts`, `prices_by_amount`, and those of `offers_for`.
    """
    tiers_by_product = {} if amounts is None else prices_by_amount(products, level=level)
    if amounts is None:
        prices = member_prices(products, level=level)
    else:
        prices = {pk: price_at(tiers, amounts.get(pk, 1)) for pk, tiers in tiers_by_product.items()}
    offers = offers_for(prices) if with_offers else {}
    priced = []
    for product in products:
        price, offer = prices[product.id], offers.get(product.id)
        is_cheaper = offer is not None and offer.price < price
        priced.append(
            _priced(
                product,
                price,
                was_price=was_price(product),
                available=product.available,
                limit_amount=product.limit_amount,
                offer=offer if is_cheaper else None,
                other_offer=offer if offer and not is_cheaper and offer.leaves_price else None,
                tiers=tiers_by_product.get(product.id, ()),
            )
        )
    return priced


def _priced(
    product: P,
    price: Decimal,
    *,
    was_price: Decimal | None,
    available: int,
    limit_amount: int,
    offer: Offer | None,
    other_offer: Offer | None = None,
    tiers: Sequence[TierPrice],
) -> PricedProduct[P]:
    per_unit, measure = unit_price(product.pack, product.unit_rule, price) or (None, None)
    return PricedProduct(
        product, price, was_price, available, limit_amount, per_unit, measure, offer, other_offer, tiers
    )


def member_prices(products: Iterable[HasPrice], *, level: int = BASE_LEVEL) -> dict[int, Decimal]:
    """Return the price of one unit of each product for a member level, by its id.

    No level pays more than the ordinary price. One query, none for the base level, which is everybody's who
    is not logged in.
    """
    ordinary = {product.id: product.price for product in products}
    rows = _other_prices(ordinary, level=level)
    return ordinary | {pk: min(price, ordinary[pk]) for pk, _one, price in rows}


def prices_by_amount(
    products: Collection[HasPrice], *, level: int = BASE_LEVEL
) -> dict[int, list[TierPrice]]:
    """Return from how many units of each product on which price applies, by its id, one unit first.

    Only tiers that lower the price; a single one for products without bulk prices, in either cart.
    One query, none for the base level where nothing is sold in bulk.
    """
    tiers_by_product = {product.id: [TierPrice(1, product.price)] for product in products}
    bulk = [product.id for product in products if product.is_bulk]
    for pk, amount, price in _other_prices(tiers_by_product, level=level, bulk=bulk):
        tiers = tiers_by_product[pk]
        if price < tiers[-1].price:
            if amount == 1:
                # The level's price comes first, in place of the ordinary one.
                tiers.clear()
            tiers.append(TierPrice(amount, price))
    return tiers_by_product


def _other_prices(
    product_ids: Collection[int], *, level: int, bulk: Collection[int] = ()
) -> list[tuple[int, int, Decimal]]:
    """Return product id, amount and price from it on: of a level from one unit on, then of bulk buying."""
    parts: list[str] = []
    values: list[Any] = []
    if level != BASE_LEVEL and product_ids:
        named, ids = among("product_id", product_ids)
        table = LevelPrice._meta.db_table
        parts.append(f"SELECT product_id, 1, price FROM {table} WHERE {named} AND level = %s")
        values += [ids, level]
    if bulk:
        named, ids = among("product_id", bulk)
        table = PriceTier._meta.db_table
        parts.append(f"SELECT product_id, from_amount, price FROM {table} WHERE {named}")
        values.append(ids)
    if not parts:
        return []
    with prepared_cursor() as cursor:
        cursor.execute(f"{' UNION ALL '.join(parts)} ORDER BY 2", values)
        rows = cursor.fetchall()
    # SQLite answers with floats.
    return [(pk, amount, aud(str(price))) for pk, amount, price in rows]


def tier_at(tiers: Sequence[TierPrice], amount: int) -> TierPrice:
    """Return the tier that an amount of at least 1 reaches."""
    return next(tier for tier in reversed(tiers) if tier.from_amount <= amount)


def price_at(tiers: Sequence[TierPrice], amount: int) -> Decimal:
    """Return the price of one unit for an amount of at least 1."""
    return tier_at(tiers, amount).price


def price_in_promotion(
    item: PromotionItem, ordinary: Decimal, tiers: Sequence[TierPrice], amount: int
) -> Decimal:
    """Return the price of one unit in a promotion: no customer pays more there than without it.

    `ordinary`: the product's ordinary price, in dollars. `amount`: all units of the product that are bought
    together, also outside the promotion. What the promotion takes off several units together is in
    `catalog.promotions.rules`.
    """
    return min(item.unit_price(ordinary), price_at(tiers, amount))


def level_of(request: HttpRequest) -> int:
    """Return the member level of the caller, the base level without a customer; a query for a token sent.

    `commerce.accounts.middleware` sets it, since the catalogue knows no customers.
    """
    level_of_caller = getattr(request, "member_level", None)
    return level_of_caller() if level_of_caller else BASE_LEVEL


def was_price(product: CartProduct) -> Decimal | None:
    """Return the higher price that a product was charged before, in dollars; None for none to be shown.

    The column has valid was-prices only: `catalog.goods.wasprices`.
    """
    was = product.market_price
    return was if was is not None and was > product.price else None
