"""Stores which products are bought together, for their pages."""

from collections.abc import Mapping

from django.db import transaction

from catalog.goods.models import BoughtTogether, Product
from catalog.goods.sellable import sellable_products

# The number of products that are stored for each product.
MAX_PAIRS = 12


@transaction.atomic
def replace_pairs(orders_by_other: Mapping[int, Mapping[int, int]]) -> None:
    """Replace the stored pairs of products; `orders_by_other`: product id → other id → number of orders.

    The MAX_PAIRS most frequent ones are stored. Deleted products are ignored.
    """
    ids = {*orders_by_other, *(other for others in orders_by_other.values() for other in others)}
    # The lock lets no product be deleted before its pairs are written.
    rows = Product.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
    there = set(rows.values_list("pk", flat=True))
    BoughtTogether.objects.filter(product__in=orders_by_other).delete()
    BoughtTogether.objects.bulk_create(
        BoughtTogether(product_id=pk, other_id=other, orders=orders)
        for pk, others in orders_by_other.items()
        if pk in there
        for other, orders in sorted(others.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_PAIRS]
        if other in there
    )


def bought_together(product_id: int, count: int) -> list[int]:
    """Return the ids of products in stock that are bought with a product, the most frequent first."""
    others = sellable_products().filter(sold_out=False).values("pk")
    pairs = BoughtTogether.objects.filter(product=product_id, other__in=others)
    return list(pairs.order_by("-orders", "other").values_list("other", flat=True)[:count])
