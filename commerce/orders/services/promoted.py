"""Counts what an order takes of a promotion: of the quota of all, and of the customer's own share."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F

from catalog.promotions.models import PromotionItem
from catalog.promotions.services import give_back, take
from commerce.orders.models import Order, PromotionUse
from core.errors import Err, ShopError


@transaction.atomic
def hold_offers(order: Order) -> None:
    """Take an order's units of its promotion, all of them or none (RELIABILITY 2.13).

    Whether the promotion still runs is no matter here: a paid order may come back later.
    Locks: the customer's uses, then the promotion's goods, both by the goods' pk.
    Raises ShopError(amount_above_limit) beyond the customer's share, stock_insufficient beyond the quota.
    """
    wanted = _wanted(order)
    for item, units in wanted:
        _use(order.customer_id, item, units)
    take({item.pk: units for item, units in wanted})


@transaction.atomic
def give_back_offers(order: Order) -> None:
    """Give back what an order took of its promotion; call it once for each `hold_offers`.

    Locks: as `hold_offers`.
    """
    wanted = _wanted(order)
    for item, units in wanted:
        mine = PromotionUse.objects.filter(customer=order.customer_id, item=item, amount__gte=units)
        mine.update(amount=F("amount") - units)
    give_back({item.pk: units for item, units in wanted})


def _wanted(order: Order) -> Sequence[tuple[PromotionItem, int]]:
    lines = {line.product_id: line for line in order.lines.filter(promotion__isnull=False)}
    if not lines:
        return []
    promotion_id = next(iter(lines.values())).promotion_id
    items = PromotionItem.objects.filter(promotion=promotion_id, product__in=lines).order_by("pk")
    return [(item, lines[item.product_id].amount) for item in items]


def _use(customer_id: int, item: PromotionItem, units: int) -> None:
    use, _ = PromotionUse.objects.get_or_create(customer_id=customer_id, item=item)
    mine = PromotionUse.objects.filter(pk=use.pk)
    if item.limit_amount:
        mine = mine.filter(amount__lte=item.limit_amount - units)
    if not mine.update(amount=F("amount") + units):
        raise ShopError(Err.amount_above_limit)
