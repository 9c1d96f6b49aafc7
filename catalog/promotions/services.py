"""The only writers of a promotion's quotas: conditional UPDATEs, rows in pk order.

See docs/guarantees.md#promotion-limits.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.db.models import F
from wagtail import hooks

from catalog.promotions.models import Promotion, PromotionItem
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction

# A function of this Wagtail hook takes the pk of an item and returns the most units that one customer has of
# it: the catalogue knows no customers.
LARGEST_SHARE = "largest_share_of_promotion_item"


def running_items(
    *, promotion_id: int | None, product_ids: Collection[int], now: datetime | None = None
) -> dict[int, PromotionItem]:
    """Return the items of a promotion that runs now by product id; empty for no promotion.

    Raises ShopError(goods_error) for a product it lacks, and as `check_runs` does.
    """
    if promotion_id is None:
        return {}
    check_runs(promotion_id, now)
    items = PromotionItem.objects.filter(promotion=promotion_id, product__in=product_ids)
    found = {item.product_id: item for item in items}
    if len(found) < len(product_ids):
        raise ShopError(Err.goods_error)
    return found


def check_runs(promotion_id: int, now: datetime | None = None) -> None:
    """Raise ShopError(parameter_error) for a promotion that does not run now."""
    if not Promotion.objects.running(now).filter(pk=promotion_id).exists():
        raise ShopError(Err.parameter_error, fields={"actionTypeId": "parameter_error"})


def overlapping_items(promotion: Promotion) -> list[PromotionItem]:
    """Return the items of other promotions with the same products at the same time.

    Shoppers pay the lowest of the prices.
    """
    at_once = PromotionItem.objects.filter(
        promotion__is_active=True,
        promotion__starts_at__lt=promotion.ends_at,
        promotion__ends_at__gt=promotion.starts_at,
        product__in=promotion.items.values("product"),
    )
    return list(at_once.exclude(promotion=promotion).select_related("promotion", "product"))


def largest_share(item: PromotionItem) -> int:
    """Return the most units that one customer has ordered of a promotion's item."""
    shares: list[int] = [tell(item.pk) for tell in hooks.get_hooks(LARGEST_SHARE)]
    return max(shares, default=0)


@contextmanager
def locking_promotion(promotion_id: int) -> Iterator[None]:
    """Let no units of a promotion be taken or given back by others within the block; one transaction.

    Another editor waits as well, whose new item would otherwise be deleted as unknown to this one.
    Locks: the promotion, then its items in pk order.
    """
    with transaction.atomic():
        list(Promotion.objects.filter(pk=promotion_id).select_for_update(no_key=True).values("pk"))
        items = PromotionItem.objects.filter(promotion=promotion_id).order_by("pk")
        list(items.select_for_update().values("pk"))
        yield


@in_callers_transaction
def take_quota(units_by_item: Mapping[int, int]) -> None:
    """Take units from quotas, all of them or none.

    `units_by_item`: pk of a promotion's item → units, at least 1. Locks: those rows in pk order.
    Raises ShopError(stock_insufficient).
    """
    for pk in sorted(units_by_item):
        units = units_by_item[pk]
        enough = PromotionItem.objects.filter(pk=pk, quota__gte=F("taken") + units)
        if not enough.update(taken=F("taken") + units):
            raise ShopError(Err.stock_insufficient)


@in_callers_transaction
def return_quota(units_by_item: Mapping[int, int]) -> None:
    """Give units of quotas back; call it once for each `take_quota`. Locks: those rows in pk order."""
    for pk in sorted(units_by_item):
        units = units_by_item[pk]
        PromotionItem.objects.filter(pk=pk, taken__gte=units).update(taken=F("taken") - units)
