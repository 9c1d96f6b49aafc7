"""Counts the units that orders take of a promotion's quota and of the customer's own share."""

from collections import Counter
from collections.abc import Collection, Mapping

from django.db.models import F, Max, OuterRef, Q, Subquery, Sum

from catalog.promotions.models import PromotionItem
from catalog.promotions.services import RunningPromotion, return_quota, take_quota
from commerce.accounts.models import Customer
from commerce.accounts.services import former_customers, is_person
from commerce.orders.models import Order, PromotionUse
from core.counters import by_key, subtract
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction

# Used as the limit of a customer's share if the item has none; more than any customer can order.
NO_LIMIT = 2_000_000_000


def promotion_shares(*, customer: Customer, running: RunningPromotion) -> dict[int, int]:
    """Return promotion item pk → units that a customer has ordered; one query.

    Units of a deleted account with the same name count too.
    """
    return _units_by_item(is_person(customer), [item.pk for item in running.items.values()])


def check_promotion_units(
    *, running: RunningPromotion, shares: Mapping[int, int], units_by_product: Mapping[int, int]
) -> None:
    """Raise the errors that `take_promotion_units` would raise now, without taking units.

    `shares`: the customer's, empty for a guest. `units_by_product`: product id → units, at least 1.
    Raises ShopError as `take_promotion_units` does.
    """
    wanted = [(running.items[product_id], units) for product_id, units in units_by_product.items()]
    for item, units in wanted:
        if item.limit_amount and shares.get(item.pk, 0) + units > item.limit_amount:
            raise ShopError(Err.amount_above_limit)
    if any(units > item.left for item, units in wanted):
        raise ShopError(Err.stock_insufficient)


def largest_share(item_id: int) -> int:
    """Return the largest number of units of a promotion's item that one customer has ordered; 0 for none."""
    most = PromotionUse.objects.filter(item=item_id).aggregate(most=Max("amount", default=0))["most"]
    return int(most)


@in_callers_transaction
def take_promotion_units(*, customer: Customer, units_by_item: Mapping[int, int]) -> None:
    """Take units of a promotion, all of them or none (docs/guarantees/prices.md#promotion-limits).

    The promotion may have ended, since a late payment may revive an order. Four statements for any number of
    items, five if one has a limit per customer. `units_by_item`: promotion item pk → units, at least 1.
    Locks: the promotion's items in pk order, as the staff form does, then the customer's uses.
    Raises ShopError(amount_above_limit) beyond the customer's share, stock_insufficient beyond the quota or
    if the promotion has lost a product.
    """
    if not units_by_item:
        return
    _take_shares(customer, units_by_item, take_quota(units_by_item))


def _take_shares(customer: Customer, units_by_item: Mapping[int, int], limits: Mapping[int, int]) -> None:
    """Add units to the customer's share; `limits`: item pk → maximum for one customer, 0 for no limit."""
    PromotionUse.objects.bulk_create(
        [PromotionUse(customer=customer, item_id=pk) for pk in sorted(units_by_item)],
        ignore_conflicts=True,
    )
    # A deleted account orders nothing more, so its units need no lock.
    former = Q(customer__in=former_customers(customer))
    before = _units_by_item(former, units_by_item) if any(limits.values()) else {}
    mine = PromotionUse.objects.filter(customer=customer, item__in=units_by_item)
    most = {
        pk: (limits[pk] or NO_LIMIT) - units - (before.get(pk, 0) if limits[pk] else 0)
        for pk, units in units_by_item.items()
    }
    within = mine.filter(amount__lte=by_key(most, "item"))
    if within.update(amount=F("amount") + by_key(units_by_item, "item")) < len(units_by_item):
        raise ShopError(Err.amount_above_limit)


def _units_by_item(of: Q, items: Collection[int]) -> dict[int, int]:
    """Return promotion item pk → units that some customers have ordered; one query."""
    uses = PromotionUse.objects.filter(of, item__in=items).order_by()
    return dict(uses.values_list("item_id").annotate(units=Sum("amount")))


def promotion_units_of(order: Order) -> dict[int, int]:
    """Return promotion item pk → units of an order.

    Raises ShopError(stock_insufficient) if the promotion has lost a product.
    """
    lines = {line.product_id: line for line in order.lines.filter(promotion__isnull=False)}
    if not lines:
        return {}
    promotion_id = next(iter(lines.values())).promotion_id
    items = PromotionItem.objects.filter(promotion=promotion_id, product__in=lines)
    units = {item.pk: lines[item.product_id].amount for item in items}
    if len(units) < len(lines):
        raise ShopError(Err.stock_insufficient)
    return units


@in_callers_transaction
def return_promotion_units(orders: Collection[Order]) -> None:
    """Return the units that orders took of promotions; call it once for each `take_promotion_units`.

    Locks: as `take_promotion_units`; items of several promotions are locked in pk order too.
    """
    promoted = Order.objects.filter(pk__in=[order.pk for order in orders], lines__promotion__isnull=False)
    item = PromotionItem.objects.filter(
        promotion=OuterRef("lines__promotion"), product=OuterRef("lines__product")
    )
    # A promotion may have lost a product in the meantime.
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
