"""Audit of products (docs/guarantees.md#one-way-to-write-products)."""

from collections.abc import Iterator

from django.db.models import F
from django.db.models.functions import Coalesce

from catalog.goods.models import Product


def differences() -> Iterator[str]:
    """Name each product whose top category is not that of its category."""
    products = Product.objects.annotate(top=Coalesce("category__parent", "category"))
    for pk, held, top in products.exclude(top_category=F("top")).values_list("pk", "top_category", "top"):
        yield f"product {pk}: top category {held}, its category says {top}"
