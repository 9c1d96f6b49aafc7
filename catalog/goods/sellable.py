"""The products that are on sale."""

from django.db.models import Q, QuerySet

from catalog.goods.models import Product


def is_sellable(prefix: str = "") -> Q:
    """Return the condition for products on sale; `prefix`: the path to the product, such as `product__`."""
    return Q(**{f"{prefix}on_sale": True})


def sellable_products() -> QuerySet[Product]:
    """Return the products that shoppers can find, including sold-out ones.

    `catalog.browse.rows` and `catalog.browse.selecting` have the same condition in SQL.
    """
    return Product.objects.filter(is_sellable())
