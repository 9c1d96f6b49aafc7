"""Whether products are sold out: a column of theirs, so that lists read it from their indexes.

It depends on the minimum amount, which is the product's own, and on the stock of the location that fills
deliveries; every change of either calls this.
"""

from collections.abc import Collection

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from catalog.goods.models import Product
from catalog.goods.writing import update_products
from catalog.stock.models import StockLevel


def lock_products(product_ids: Collection[int]) -> None:
    """Lock these products until the transaction ends, in pk order."""
    list(Product.objects.filter(pk__in=product_ids).order_by("pk").select_for_update().values("pk"))


def lock_stock(product_ids: Collection[int]) -> None:
    """Lock the stock of these products, and the products, until the transaction ends.

    Locks: the stock levels in pk order, as every writer of stock does, then the products: code that makes a
    level locks its product first.
    """
    levels = StockLevel.objects.filter(product__in=product_ids).order_by("pk")
    list(levels.select_for_update().values("pk"))
    lock_products(product_ids)


def with_wrong_sold_out(products: QuerySet[Product]) -> QuerySet[Product]:
    """Return those products whose `sold_out` differs from their stock."""
    enough = Exists(
        StockLevel.objects.filter(
            location__fills_deliveries=True,
            product_id=OuterRef("pk"),
            on_hand__gte=F("reserved") + OuterRef("min_amount"),
        )
    )
    return products.filter(Q(enough, sold_out=True) | Q(~enough, sold_out=False))


def update_sold_out(product_ids: Collection[int]) -> None:
    """Make `sold_out` true of these products, whose stock this transaction has locked."""
    _correct(Product.objects.filter(pk__in=product_ids))


def update_all_sold_out() -> None:
    """Make `sold_out` true of every product, after a change of the location that fills deliveries."""
    _correct(Product.objects.all())


def _correct(products: QuerySet[Product]) -> None:
    update_products(with_wrong_sold_out(products), sold_out=~F("sold_out"))
