"""Counts what an order takes of a promotion: of the quota of all, and of the customer's own share."""

from collections.abc import Mapping, Sequence

from django.db.models import F, Max

from catalog.promotions.models import PromotionItem
from catalog.promotions.services import return_quota, take_quota
from commerce.accounts.models import Customer
from commerce.orders.models import Order, PromotionUse
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction


def check_promotion_units(
    *, customer: Customer, items: Mapping[int, PromotionItem], units_by_product: Mapping[int, int]
) -> None:
    """Refuse what `take_promotion_units` would refuse now, without taking anything.

    `items`: the promotion's items by product id. `units_by_product`: product id → units, at least 1.
    Raises ShopError as `take_promotion_units` does.
    """
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
def return_promotion_units(order: Order) -> None:
    """Give back what an order took of its promotion; call it once for each `take_promotion_units`.

    Locks: as `take_promotion_units`.
    """
    wanted = _wanted(order)
    return_quota({item.pk: units for item, units in wanted})
    for item, units in wanted:
        mine = PromotionUse.objects.filter(customer=order.customer_id, item=item, amount__gte=units)
        mine.update(amount=F("amount") - units)


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
