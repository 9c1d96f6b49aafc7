"""What a good costs whom: the one function behind card, cart, freight, order and invoice (ARCHITECTURE 4)."""

from collections.abc import Iterable
from decimal import Decimal

from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest

from catalog.goods.models import BASE_LEVEL, LevelPrice, Product


def member_price(product: Product, level: int = BASE_LEVEL, amount: int = 1) -> Decimal:
    """Return the price of one unit in dollars, GST included, for a member level (CONTRACT 2, `memberPrice`).

    `amount`: how many units are bought; for goods of bulk buying many cost less each, in whatever cart they
    lie. No level and no amount pays more than the ordinary price. A query for a good that `load_level_prices`
    or, of an amount, `load_tier_prices` has not seen; none for one unit at the base level, which is
    everybody's who is not logged in.
    """
    prices = [product.price]
    if level != BASE_LEVEL:
        prices += (row.price for row in product.level_prices.all() if row.level == level)
    if product.is_bulk and amount > 1:
        prices += (row.price for row in product.price_tiers.all() if row.from_amount <= amount)
    return min(prices)


def price_ladder(product: Product, level: int = BASE_LEVEL) -> list[tuple[int, Decimal]]:
    """Return from how many units on which price of one holds, in dollars, one unit first.

    Only steps that lower the price; a single one for goods without bulk prices. Queries as `member_price`.
    """
    ladder = [(1, member_price(product, level))]
    amounts = sorted(row.from_amount for row in product.price_tiers.all()) if product.is_bulk else []
    for amount in amounts:
        price = member_price(product, level, amount)
        if price < ladder[-1][1]:
            ladder.append((amount, price))
    return ladder


def load_tier_prices(products: Iterable[Product]) -> None:
    """Fetch what many units cost, for `member_price` of an amount: one query, none without bulk goods."""
    prefetch_related_objects([product for product in products if product.is_bulk], "price_tiers")


def load_level_prices(products: Iterable[Product], level: int) -> None:
    """Fetch what a level pays for goods, for `member_price`: one query, none for the base level."""
    if level != BASE_LEVEL:
        rows = LevelPrice.objects.filter(level=level)
        prefetch_related_objects(list(products), Prefetch("level_prices", rows))


def level_prices(product_ids: Iterable[int], level: int) -> dict[int, Decimal]:
    """Return the prices of a level by the goods' ids, for whoever has no goods at hand: one query at most.

    Goods without one are left out; of what is there and the ordinary price, the lower one holds.
    """
    if level == BASE_LEVEL:
        return {}
    rows = LevelPrice.objects.filter(level=level, product__in=list(product_ids))
    return dict(rows.values_list("product_id", "price"))


def level_of(request: HttpRequest) -> int:
    """Return the member level of who is calling, the base level for a stranger; a query for a token sent.

    `commerce.accounts.middleware` tells it, since the catalogue knows no customers.
    """
    tell = getattr(request, "member_level", None)
    return tell() if tell else BASE_LEVEL


def was_price(product: Product) -> Decimal | None:
    """Return the higher price that a good was charged before, in dollars, None for none that may be shown.

    The column holds only what is true: `catalog.goods.models.wasprice`.
    """
    was = product.market_price
    return was if was is not None and was > product.price else None
