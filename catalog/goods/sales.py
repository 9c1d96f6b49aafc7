"""Counts the units that were paid for on each day, and derives the popularity of brands."""

from collections.abc import Mapping
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Case, F, IntegerField, OuterRef, QuerySet, Subquery, Sum, Value, When
from django.utils import timezone

from catalog.goods.models import Brand, Product, SoldDay
from catalog.goods.sellable import sellable_products
from catalog.goods.writing import update_products
from core.clock import shop_zone

# The number of days for which a sale counts towards a brand's popularity (docs/wire.md#brands).
POPULAR_DAYS = 90


@transaction.atomic
def record_sales(*, units_by_product: Mapping[int, int], day: date) -> None:
    """Record paid units of products on a day of the shop's calendar; deleted products are ignored.

    Locks all the products in key order, then the search index's postings of their popularity. If it locked
    product by product, two callers could deadlock. With the locks, only one of them creates the day's row.
    """
    units = [When(pk=pk, then=Value(count)) for pk, count in units_by_product.items()]
    if not units:
        return
    sold = Product.objects.filter(pk__in=units_by_product)
    update_products(sold, units_sold=F("units_sold") + Case(*units, output_field=IntegerField()))
    for pk in sold.order_by("pk").values_list("pk", flat=True):
        count = units_by_product[pk]
        if not SoldDay.objects.filter(product=pk, day=day).update(units=F("units") + count):
            SoldDay.objects.create(product_id=pk, day=day, units=count)


def brands_on_sale() -> QuerySet[Brand]:
    """Return the brands with products on sale, sorted by name, each with `best_units`."""
    products = sellable_products().filter(brand=OuterRef("pk")).order_by("-units_sold", "id")
    best_units = {"best_units": Subquery(products.values("units_sold")[:1])}
    return Brand.objects.annotate(**best_units).exclude(**dict.fromkeys(best_units))


def units_by_brand() -> dict[int, int]:
    """Return brand id → units sold in the last 90 days; one query."""
    since = timezone.localdate(timezone=shop_zone()) - timedelta(days=POPULAR_DAYS)
    sold = SoldDay.objects.filter(day__gt=since).order_by().values("product__brand")
    return dict(sold.annotate(total=Sum("units")).values_list("product__brand", "total"))
