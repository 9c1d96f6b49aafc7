"""What is on sale to shoppers."""

from django.db.models import Q, QuerySet

from catalog.goods.models import Product


def is_sellable(prefix: str = "") -> Q:
    """Return the condition of being on sale; `prefix`: the path to the product, such as `product__`."""
    return Q(**{f"{prefix}on_sale": True})


def sellable_products() -> QuerySet[Product]:
    """Return the products that shoppers can find, sold out or not.

    `catalog.browse.rows` and `catalog.browse.selecting` have the same condition in SQL.
    """
    return Product.objects.filter(is_sellable())
