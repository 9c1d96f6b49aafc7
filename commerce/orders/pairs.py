"""Computes which products are often bought together, from the paid orders of the last months."""

from collections import defaultdict
from datetime import timedelta

from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils import timezone

from catalog.goods.models import BoughtTogether, Product, SoldDay
from catalog.goods.pairs import replace_pairs
from commerce.orders.models import OrderLine
from core.due_rows import process_in_batches

# The age of orders that count, and the number of orders from which a pair is shown.
PAIR_PERIOD = timedelta(days=180)
MIN_ORDERS = 5
# Products per query; each of their orders is read.
BATCH = 50


def update_pairs() -> int:
    """Compute the pairs of all products that were sold lately or have pairs; return how many products."""
    since = timezone.localdate() - PAIR_PERIOD
    sold = SoldDay.objects.filter(product=OuterRef("pk"), day__gte=since)
    paired = BoughtTogether.objects.filter(product=OuterRef("pk"))
    products = Product.objects.filter(Q(Exists(sold)) | Q(Exists(paired)))
    return process_in_batches("pair products", products, _pair, size=BATCH)


def _pair(product_ids: list[int]) -> int:
    lines = OrderLine.objects.filter(
        product__in=product_ids, is_gift=False, order__paid_at__gte=timezone.now() - PAIR_PERIOD
    )
    # Annotations share one join, so the other product and its gift flag are of the same line.
    together = (
        lines.annotate(other=F("order__lines__product"), is_given=F("order__lines__is_gift"))
        .filter(is_given=False)
        .exclude(other=F("product"))
        .order_by()
        .values_list("product", "other")
        .annotate(orders=Count("order", distinct=True))
        .filter(orders__gte=MIN_ORDERS)
    )
    found: defaultdict[int, dict[int, int]] = defaultdict(dict, {pk: {} for pk in product_ids})
    for product_id, other_id, orders in together:
        found[product_id][other_id] = orders
    replace_pairs(found)
    return len(product_ids)
