"""What is sold, counted as it is paid for, and which brands that makes popular."""

from collections.abc import Mapping
from datetime import timedelta

from django.db import transaction
from django.db.models import Case, F, IntegerField, OuterRef, QuerySet, Subquery, Sum, Value, When
from django.utils import timezone

from catalog.goods.models import Brand, Product, SoldDay
from core.clock import shop_zone

# How long a sale makes a brand popular (CONTRACT 2).
POPULAR_DAYS = 90


@transaction.atomic
def record_sales(units_by_product: Mapping[int, int]) -> None:
    """Count units of goods as sold today; goods that are gone count nothing.

    *Locks* all the goods in the order of their keys, then what the search index holds of their popularity:
    one after the other, two payments could wait for each other. The day's first two sales of a good do not
    both make its row.
    """
    units = [When(pk=pk, then=Value(count)) for pk, count in units_by_product.items()]
    if not units:
        return
    sold = Product.objects.filter(pk__in=units_by_product)
    sold.update(units_sold=F("units_sold") + Case(*units, output_field=IntegerField()))
    today = timezone.localdate(timezone=shop_zone())
    for pk in sold.order_by("pk").values_list("pk", flat=True):
        count = units_by_product[pk]
        if not SoldDay.objects.filter(product=pk, day=today).update(units=F("units") + count):
            SoldDay.objects.create(product_id=pk, day=today, units=count)


def brands_on_sale() -> QuerySet[Brand]:
    """Return the brands with goods on the shelves, by name, each with `best_units`."""
    goods = Product.objects.filter(brand=OuterRef("pk"), on_sale=True).order_by("-units_sold", "id")
    best_units = {"best_units": Subquery(goods.values("units_sold")[:1])}
    return Brand.objects.annotate(**best_units).exclude(**dict.fromkeys(best_units))


def units_by_brand() -> dict[int, int]:
    """Return how many units each brand has sold in the last 90 days, by the brand's key; one query."""
    since = timezone.localdate(timezone=shop_zone()) - timedelta(days=POPULAR_DAYS)
    sold = SoldDay.objects.filter(day__gt=since).order_by().values("product__brand")
    return dict(sold.annotate(total=Sum("units")).values_list("product__brand", "total"))
