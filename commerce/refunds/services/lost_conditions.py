"""Finds the gifts and reductions whose condition an order no longer meets after a refund.

See docs/guarantees/money.md#refunds-of-orders.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext

from catalog.promotions.models import Promotion
from catalog.promotions.rules import Bought, gifts
from commerce.delivery.freight import Region
from commerce.delivery.services import quote_freight
from commerce.orders.models import Order, OrderLine
from commerce.refunds.services.stock import MAY_STILL_BE_SENT
from commerce.refunds.worth import LineWish
from commerce.shipments.services import units_left
from commerce.vouchers.services import products_covered
from core.errors import ShopError
from core.money import ZERO, aud_text


@dataclass(frozen=True)
class LostConditions:
    """What an order no longer meets; `gifts`: order line id → units of a gift that are not sent yet.

    `texts`: one sentence for each condition, in the reader's language.
    """

    gifts: Mapping[int, int]
    texts: Sequence[str]


def lost_conditions(*, order: Order, wishes: Sequence[LineWish]) -> LostConditions:
    """Return the conditions that an order no longer meets once `wishes` are refunded; up to eight queries.

    Promotion, voucher and freight rules count as they are now.
    """
    units = {wish.line_id: wish.units for wish in wishes}
    lines = list(order.lines.select_related("promotion"))
    left = {line.pk: line.amount - line.refunded_units - units.get(line.pk, 0) for line in lines}
    bought = [line for line in lines if not line.is_gift]
    lost = [line for line in lines if line.is_gift and left[line.pk] and not _is_earned(line, bought, left)]
    unsent = units_left(order) if lost and order.status in MAY_STILL_BE_SENT else {}
    texts = [_gift_text(line, is_sent=not unsent.get(line.pk)) for line in lost]
    # An order that is refunded completely has no reduction left.
    if any(left[line.pk] for line in bought):
        texts += [*_voucher_texts(order, bought, left), *_freight_texts(order, bought, left)]
    return LostConditions(
        {line.pk: min(left[line.pk], unsent[line.pk]) for line in lost if unsent.get(line.pk)}, texts
    )


def _is_earned(gift: OrderLine, bought: Sequence[OrderLine], left: Mapping[int, int]) -> bool:
    """Return True if the units that are left earn a gift, or if its promotion gives none any more."""
    promotion = gift.promotion
    if promotion is None or promotion.kind != Promotion.Kind.gift:
        return True
    lines = [line for line in bought if line.promotion_id == promotion.pk]
    units = [Bought(line.product_id, left[line.pk], line.price) for line in lines]
    return bool(gifts(promotion, promotion.items.filter(is_gift=True), units))


def _gift_text(line: OrderLine, *, is_sent: bool) -> str:
    values = {"gift": line.name_en, "promotion": line.promotion}
    if is_sent:
        return (
            gettext("“%(gift)s” was sent, but the order no longer earns this gift of %(promotion)s.") % values
        )
    return (
        gettext(
            "The order no longer earns “%(gift)s”, the gift of %(promotion)s: its units are filled in. Enter "
            "0 to send it all the same."
        )
        % values
    )


def _voucher_texts(order: Order, bought: Sequence[OrderLine], left: Mapping[int, int]) -> Iterator[str]:
    voucher = order.voucher
    if voucher is None or not voucher.from_amount:
        return
    covered = products_covered(voucher=voucher, product_ids=[line.product_id for line in bought])
    amount = sum((line.price * left[line.pk] for line in bought if line.product_id in covered), ZERO)
    if amount < voucher.from_amount:
        values = {"code": voucher.code, "amount": aud_text(voucher.from_amount), "left": aud_text(amount)}
        yield (
            gettext(
                "Voucher %(code)s needs %(amount)s of products; %(left)s is left. To take its discount back, "
                "enter lower amounts."
            )
            % values
        )


def _freight_texts(order: Order, bought: Sequence[OrderLine], left: Mapping[int, int]) -> Iterator[str]:
    """Yield a text if the value of the units that are left makes the order's parcels cost more."""
    if not order.address:
        return
    before = _freight(order, bought, order.goods_amount)
    worth = sum((line.to_pay * left[line.pk] / line.amount for line in bought), ZERO)
    after = _freight(order, bought, worth)
    if before is not None and after is not None and after > before:
        yield (
            gettext(
                "Delivery is no longer free: it would have cost %(amount)s more. To charge it, enter lower "
                "amounts."
            )
            % {"amount": aud_text(after - before)}
        )


def _freight(order: Order, bought: Sequence[OrderLine], amount: Decimal) -> Decimal | None:
    """Return the freight of an order's parcels if its products cost `amount`; None if that is unknown."""
    names = ("countryName", "provinceName", "cityName", "areaName", "zipCode")
    address = order.address or {}
    text = "-".join(str(address[name]) for name in names if address.get(name))
    units = [(line, line.amount) for line in bought]
    try:
        return quote_freight(region=Region.from_wire(text), units=units, amount=amount).freight
    except ShopError:
        # The shop no longer delivers there.
        return None
