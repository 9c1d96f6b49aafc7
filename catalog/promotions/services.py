"""The only writers of a promotion's quotas: conditional UPDATEs, rows in pk order.

See docs/guarantees/prices.md#promotion-limits.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from wagtail import hooks

from catalog.promotions.models import Promotion, PromotionItem
from core.counters import by_key, subtract
from core.errors import Err, ShopError
from core.transactions import in_callers_transaction

# Functions of this Wagtail hook take the pk of an item and return the most units that one customer ordered.
# It is a hook because the catalogue must not import customers.
LARGEST_SHARE = "largest_share_of_promotion_item"

# The price depends on all items of such a promotion, not only on the ordered ones.
KINDS_OF_ALL_ITEMS = (Promotion.Kind.gift, Promotion.Kind.bundle)


@dataclass(frozen=True)
class RunningPromotion:
    """A promotion that runs now, and all of its items by product id."""

    promotion: Promotion
    items: Mapping[int, PromotionItem]


def promotion_to_order(
    *, promotion_id: int | None, product_ids: Collection[int], now: datetime | None = None
) -> RunningPromotion | None:
    """Return a promotion that runs now, with its items; None if `promotion_id` is None. One query.

    `product_ids`: the products bought in it. Raises ShopError(goods_error) if one is no item or is the gift,
    and as `check_runs` does.
    """
    if promotion_id is None:
        return None
    running = Promotion.objects.running(now).filter(pk=promotion_id)
    needed = Q(product__in=product_ids) | Q(promotion__kind__in=KINDS_OF_ALL_ITEMS)
    items = PromotionItem.objects.filter(needed, promotion__in=running).select_related("promotion")
    found = {item.product_id: item for item in items}
    if not found:
        check_runs(promotion_id, now)
        raise ShopError(Err.goods_error)
    if any(pk not in found or found[pk].is_gift for pk in product_ids):
        raise ShopError(Err.goods_error)
    promotion = next(iter(found.values())).promotion
    return RunningPromotion(promotion, found)


def check_runs(promotion_id: int, now: datetime | None = None) -> None:
    """Raise ShopError(parameter_error) if the promotion does not run now."""
    if not Promotion.objects.running(now).filter(pk=promotion_id).exists():
        raise _not_running()


def _not_running() -> ShopError:
    return ShopError(Err.parameter_error, fields={"actionTypeId": "parameter_error"})


def overlapping_items(promotion: Promotion) -> list[PromotionItem]:
    """Return the items of other promotions that have the same products at the same time.

    Shoppers pay the lowest of their prices.
    """
    concurrently = PromotionItem.objects.filter(
        promotion__is_active=True,
        promotion__starts_at__lt=promotion.ends_at,
        promotion__ends_at__gt=promotion.starts_at,
        product__in=promotion.items.values("product"),
    )
    return list(concurrently.exclude(promotion=promotion).select_related("promotion", "product"))


def largest_share(item: PromotionItem) -> int:
    """Return the largest number of units that one customer has ordered of a promotion's item."""
    shares: list[int] = [share_of(item.pk) for share_of in hooks.get_hooks(LARGEST_SHARE)]
    return max(shares, default=0)


@contextmanager
def locking_promotion(promotion_id: int) -> Iterator[None]:
    """Block other changes of a promotion's quotas during the block, in one transaction.

    Also blocks other editors: this form would delete their new items as unknown. Locks the promotion, then
    its items in pk order.
    """
    with transaction.atomic():
        list(Promotion.objects.filter(pk=promotion_id).select_for_update(no_key=True).values("pk"))
        items = PromotionItem.objects.filter(promotion=promotion_id).order_by("pk")
        list(items.select_for_update().values("pk"))
        yield


@in_callers_transaction
def take_quota(units_by_item: Mapping[int, int]) -> dict[int, int]:
    """Take units from quotas, all or none; return item pk → current limit per customer.

    `units_by_item`: pk of a promotion's item → units, at least 1. Two statements for any number of items.
    Locks these rows in pk order. Raises ShopError(stock_insufficient).
    """
    items = PromotionItem.objects.filter(pk__in=units_by_item)
    # An UPDATE alone locks rows in any order.
    locked = items.order_by("pk").select_for_update(no_key=True)
    limits = dict(locked.values_list("pk", "limit_amount"))
    units = by_key(units_by_item)
    if items.filter(quota__gte=F("taken") + units).update(taken=F("taken") + units) < len(units_by_item):
        raise ShopError(Err.stock_insufficient)
    return limits


@in_callers_transaction
def return_quota(units_by_item: Mapping[int, int]) -> None:
    """Return units to quotas; call it once for each `take_quota`. Locks these rows in pk order."""
    subtract(PromotionItem.objects.all(), "taken", units_by_item)
