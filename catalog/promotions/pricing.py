"""Prices of products for a caller: for card, cart, freight, order, invoice (docs/architecture.md#pricing)."""

# ruff: noqa: S608  the query is built from names of tables and columns only

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
    """The attributes that pricing reads of a product, which is a model or a CartProduct."""

    @property
    def id(self) -> int:
        """The product's id."""

    @property
    def price(self) -> Decimal:
        """The ordinary price, in dollars with GST."""

    @property
    def is_bulk(self) -> bool:
        """Whether larger amounts have a lower price per unit."""


class TierPrice(NamedTuple):
    """A price that applies from an amount on, in dollars with GST."""

    from_amount: int
    price: Decimal


@dataclass(frozen=True, slots=True)
class PricedProduct(Generic[P_co]):
    """A product with the prices and offers of one caller; amounts in dollars with GST.

    `price`: of one unit. `was_price`: a higher price to show next to it. `available`: units that can be
    bought at this price. `limit_amount`: the maximum, 0 for no limit. `offer`: the running promotion that
    makes it cheaper; `price` includes it only in the result of `at_offer`. `other_offer`: if there is no
    `offer`, a running promotion that does not change the price of one unit. `tiers`: the price tiers, if the
    caller requested them.
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
        """The stock type: in stock, advance or limited, sold out."""
        return stock_type(self.product, available=self.available)

    @property
    def promotion_id(self) -> int | None:
        """The id of the offer's promotion."""
        return self.offer.promotion_id if self.offer else None

    @property
    def promotion_price(self) -> Decimal | None:
        """The price of one unit in the offer."""
        return self.offer.price if self.offer else None

    def at_offer(self, offer: Offer) -> "PricedProduct[P_co]":
        """Return the product priced in a promotion; no price or tier rises above the one without it."""
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
        """Return the product as it is bought now: in its running promotion, if there is one."""
        return self.at_offer(self.offer) if self.offer else self


def price_products(
    products: Collection[P],
    *,
    level: int = BASE_LEVEL,
    amounts: Mapping[int, int] | None = None,
    with_offers: bool = True,
) -> list[PricedProduct[P]]:
    """Return the products with their prices for a member level, in the same order.

    `amounts`: product id → units to buy, one if missing; without it, one unit of each is priced and `tiers`
    stays empty. `with_offers`: whether to include running promotions. Queries: those of `offers_for`, and
    those of `prices_by_amount` if `amounts` is given, otherwise those of `member_prices`.
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
    """Return product id → price of one unit for a member level.

    No level pays more than the ordinary price. One query; none for the base level, which applies to callers
    without a login.
    """
    ordinary = {product.id: product.price for product in products}
    rows = _other_prices(ordinary, level=level)
    return ordinary | {pk: min(price, ordinary[pk]) for pk, _one, price in rows}


def prices_by_amount(
    products: Collection[HasPrice], *, level: int = BASE_LEVEL
) -> dict[int, list[TierPrice]]:
    """Return product id → its price tiers for a member level, the tier of one unit first.

    Contains only tiers that lower the price; products without bulk prices have a single tier, in both carts.
    One query; none for the base level if no product is sold in bulk.
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
    """Return (product id, amount, price from it on): prices of the level for one unit, then bulk prices."""
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
    # SQLite returns floats.
    return [(pk, amount, aud(str(price))) for pk, amount, price in rows]


def tier_at(tiers: Sequence[TierPrice], amount: int) -> TierPrice:
    """Return the price tier that applies to an amount of at least 1."""
    return next(tier for tier in reversed(tiers) if tier.from_amount <= amount)


def price_at(tiers: Sequence[TierPrice], amount: int) -> Decimal:
    """Return the price of one unit for an amount of at least 1."""
    return tier_at(tiers, amount).price


def price_in_promotion(
    item: PromotionItem, ordinary: Decimal, tiers: Sequence[TierPrice], amount: int
) -> Decimal:
    """Return the price of one unit in a promotion, never above the price without the promotion.

    `ordinary`: the product's ordinary price, in dollars. `amount`: all units of the product in the purchase,
    including those outside the promotion. `catalog.promotions.rules` has the discounts on several units.
    """
    return min(item.unit_price(ordinary), price_at(tiers, amount))


def level_of(request: HttpRequest) -> int:
    """Return the caller's member level, the base level for visitors; a query if the request has a token.

    `commerce.accounts.middleware` sets it, because the catalogue must not import customers.
    """
    level_of_caller = getattr(request, "member_level", None)
    return level_of_caller() if level_of_caller else BASE_LEVEL


def was_price(product: CartProduct) -> Decimal | None:
    """Return the higher price that the shop charged before, in dollars; None if none may be shown.

    The column contains valid was-prices only: `catalog.goods.wasprices`.
    """
    was = product.market_price
    return was if was is not None and was > product.price else None
