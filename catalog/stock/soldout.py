"""Whether products are sold out: a column, so that lists can read it from their indexes.

The column depends on the minimum amount of the product and on the stock of the location that fills
deliveries. Every change of either calls this module.
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
    """Lock the stock levels of these products, then the products, until the transaction ends.

    Both are locked in pk order; all writers of stock lock the levels first. Code that creates a level locks
    its product first.
    """
    levels = StockLevel.objects.filter(product__in=product_ids).order_by("pk")
    list(levels.select_for_update().values("pk"))
    lock_products(product_ids)


def with_wrong_sold_out(products: QuerySet[Product]) -> QuerySet[Product]:
    """Return the products whose `sold_out` contradicts their stock."""
    enough = Exists(
        StockLevel.objects.filter(
            location__fills_deliveries=True,
            product_id=OuterRef("pk"),
            on_hand__gte=F("reserved") + OuterRef("min_amount"),
        )
    )
    return products.filter(Q(enough, sold_out=True) | Q(~enough, sold_out=False))


def update_sold_out(product_ids: Collection[int]) -> None:
    """Correct `sold_out` of these products; the caller has locked their stock."""
    _correct(Product.objects.filter(pk__in=product_ids))


def update_all_sold_out() -> None:
    """Correct `sold_out` of every product, after the location that fills deliveries changed."""
    _correct(Product.objects.all())


def _correct(products: QuerySet[Product]) -> None:
    update_products(with_wrong_sold_out(products), sold_out=~F("sold_out"))
