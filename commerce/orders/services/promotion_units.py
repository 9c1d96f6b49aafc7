"""Counts what an order takes of a promotion: of the quota of all, and of the customer's own share."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from django.db.models import F, Max, OuterRef, Subquery

from catalog.promotions.models import PromotionItem
from catalog.promotions.services import return_quota, take_quota
from commerce.accounts.models import Customer
from commerce.orders.models import Order, PromotionUse
from core.counters import subtract
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction


def check_promotion_units(
    *, customer: Customer, items: Mapping[int, PromotionItem], units_by_product: Mapping[int, int]
) -> None:
    """Refuse what `take_promotion_units` would refuse now, without taking anything.

    `items`: the promotion's items by product id. `units_by_product`: product id → units, at least 1.
    Raises ShopError as `take_promotion_units` does.
    """
    if not items:
        return
    uses = PromotionUse.objects.filter(customer=customer, item__in=list(items.values()))
    used = dict(uses.values_list("item_id", "amount"))
    for product_id, item in items.items():
        if item.limit_amount and used.get(item.pk, 0) + units_by_product[product_id] > item.limit_amount:
            raise ShopError(Err.amount_above_limit)
    if any(units_by_product[product_id] > item.left for product_id, item in items.items()):
        raise ShopError(Err.stock_insufficient)


def largest_share(item_id: int) -> int:
    """Return the most units that one customer has ordered of a promotion's item; 0 for none."""
    most = PromotionUse.objects.filter(item=item_id).aggregate(most=Max("amount", default=0))["most"]
    return int(most)


@in_callers_transaction
def take_promotion_units(order: Order) -> None:
    """Take an order's units of its promotion, all of them or none (docs/guarantees.md#promotion-limits).

    Whether the promotion still runs is no matter here: a paid order may come back later.
    Locks: the promotion's items in pk order, as an editor does who saves it, then the customer's uses.
    Raises ShopError(amount_above_limit) beyond the customer's share, stock_insufficient beyond the quota and
    where the promotion has lost a product.
    """
    wanted = _wanted(order)
    if len(wanted) < order.lines.filter(promotion__isnull=False).count():
        raise ShopError(Err.stock_insufficient)
    take_quota({item.pk: units for item, units in wanted})
    for item, units in wanted:
        _use(order.customer_id, item, units)


@in_callers_transaction
def return_promotion_units(orders: Collection[Order]) -> None:
    """Give back what orders took of promotions; call it once for each `take_promotion_units`.

    Locks: as `take_promotion_units`, also of the items in pk order where they are of several promotions.
    """
    promoted = Order.objects.filter(pk__in=[order.pk for order in orders], lines__promotion__isnull=False)
    item = PromotionItem.objects.filter(
        promotion=OuterRef("lines__promotion"), product=OuterRef("lines__product")
    )
    # A promotion may have lost a product meanwhile.
    found = promoted.annotate(item=Subquery(item.values("pk"))).exclude(item=None).order_by()
    of_items, of_customers = Counter[int](), Counter[tuple[int, int]]()
    for customer_id, item_id, units in found.values_list("customer", "item", "lines__amount"):
        of_items[item_id] += units
        of_customers[customer_id, item_id] += units
    if not of_items:
        return
    return_quota(of_items)
    uses = PromotionUse.objects.filter(customer__in={pk for pk, _item in of_customers}, item__in=of_items)
    keys = uses.values_list("pk", "customer_id", "item_id")
    mine = {pk: of_customers[key] for pk, *pair in keys if (key := (pair[0], pair[1])) in of_customers}
    subtract(PromotionUse.objects.all(), "amount", mine)


def _wanted(order: Order) -> Sequence[tuple[PromotionItem, int]]:
    lines = {line.product_id: line for line in order.lines.filter(promotion__isnull=False)}
    if not lines:
        return []
    promotion_id = next(iter(lines.values())).promotion_id
    items = PromotionItem.objects.filter(promotion=promotion_id, product__in=lines).order_by("pk")
    return [(item, lines[item.product_id].amount) for item in items]


def _use(customer_id: int, item: PromotionItem, units: int) -> None:
    use, _ = PromotionUse.objects.get_or_create(customer_id=customer_id, item=item)
    # The limit as it is now: an editor may have lowered it while this order waited for the item's row. Read
    # by itself, since after waiting PostgreSQL compares the amount again only where no table is joined.
    limit = PromotionItem.objects.values_list("limit_amount", flat=True).get(pk=item.pk)
    mine = PromotionUse.objects.filter(pk=use.pk)
    if limit:
        mine = mine.filter(amount__lte=limit - units)
    if not mine.update(amount=F("amount") + units):
        raise ShopError(Err.amount_above_limit)
