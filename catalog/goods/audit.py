"""Audit of products (docs/guarantees.md#one-way-to-write-products)."""

from collections.abc import Iterator

from django.db.models import F
from django.db.models.functions import Coalesce

from catalog.goods.models import Product
from core.audit import Difference


def differences() -> Iterator[Difference]:
    """Name each product whose top category is not that of its category."""
    products = Product.objects.annotate(top=Coalesce("category__parent", "category"))
    rows = products.exclude(top_category=F("top")).values_list("pk", "top_category", "top")
    for pk, held, top in rows.order_by("pk").iterator():
        found = f"top category {held}, its category says {top}"
        yield Difference("top-category", f"product {pk}", found)
