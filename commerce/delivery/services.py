"""Quotes freight and books pick-up slots."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from catalog.goods.models import Product
from catalog.goods.schemas import GoodsLine
from commerce.delivery import freight
from commerce.delivery.freight import FreightQuote, Place
from commerce.delivery.models import FreightRule, PickupShop, PickupSlot
from commerce.delivery.slots import slots
from core.errors import Err, ShopError


def freight_for(*, place: Place, goods: Sequence[tuple[Product, int]]) -> FreightQuote:
    """Quote what sending goods to a place costs, in dollars (CONTRACT 4, common/freight).

    `goods`: products with their amounts. Raises ShopError(address_error) where a storage kind cannot be sent
    to, ShopError(amount_above_limit) for more than parcels can carry.
    """
    weights: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for product, amount in goods:
        weights[product.storage].append((product.net_weight, amount))
    rules = FreightRule.objects.filter(storage__in=weights, country__in=["", place.country])
    return freight.quote(place, weights, rules)


def goods_of(lines: Iterable[GoodsLine]) -> list[tuple[Product, int]]:
    """Look up goods that are to be sent; of a good named twice the amounts add up.

    Raises ShopError(goods_error) for none and for one that is unknown, ShopError(goods_off_shelf).
    """
    amounts: Counter[int] = Counter()
    for line in lines:
        amounts[line.goodsId] += line.goodsAmount
    products = Product.objects.in_bulk(amounts)
    if not amounts or len(products) < len(amounts):
        raise ShopError(Err.goods_error)
    if not all(product.on_sale for product in products.values()):
        raise ShopError(Err.goods_off_shelf)
    return [(products[product_id], amount) for product_id, amount in amounts.items()]


@transaction.atomic
def book_slot(*, shop: PickupShop, starts_at: datetime) -> PickupSlot:
    """Take one place in an hour of a shop; as many as the hour holds succeed, however many ask.

    Locks: the slot's row. Raises ShopError(parameter_error, fields) for an hour the shop does not offer and
    for a full one.
    """
    refusal = ShopError(Err.parameter_error, fields={"terminalDateTime": "parameter_error"})
    offered = {slot.starts_at: slot for slot in slots(shop.hours.all(), timezone.now())}
    # In UTC: times of a zone are unequal to all others in the hour its clock repeats.
    starts_at = starts_at.astimezone(UTC)
    slot = offered.get(starts_at)
    if slot is None or not shop.is_open:
        raise refusal
    row, _ = PickupSlot.objects.get_or_create(
        shop=shop, starts_at=starts_at, defaults={"capacity": slot.capacity}
    )
    # The hours may have changed since the first booking: their number holds, and the row follows.
    taken = PickupSlot.objects.filter(pk=row.pk, booked__lt=slot.capacity).update(
        booked=F("booked") + 1, capacity=slot.capacity
    )
    if not taken:
        raise refusal
    return row


def release_slot(slot_id: int) -> None:
    """Give one place in an hour back; call it once for each booking."""
    PickupSlot.objects.filter(pk=slot_id, booked__gt=0).update(booked=F("booked") - 1)
