"""Limits the orders that a customer without a paid order holds until staff collect their money.

See docs/guarantees/orders.md#unpaid-orders, docs/adr/0047-holding-long-starts-with-a-paid-order.md.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.conf import settings
from django.db.models import F, Max, QuerySet, Sum
from django.utils.translation import gettext

from catalog.stock.models import StockLevel
from commerce.orders.models import Order
from commerce.orders.services import has_paid_order
from commerce.orders.status import OrderStatus
from core.errors import Err, ShopError
from core.languages import TwoTexts, in_both_languages

# A quarter of the units on hand, rounded up.
SHARE_OF_STOCK = 4


def check_long_hold(order: Order) -> None:
    """Refuse that an unpaid order is held longer, unless its customer has paid an order before.

    Before the first paid order, one order at a time is held long, with at most a share of the stock of each
    product. Gifts have their own limits. The caller must lock the customer's row, otherwise concurrent
    payments may hold several orders. At most four queries. Raises ShopError(one_long_hold, long_hold_share).
    """
    held = held_long(order.customer.orders.filter(status=OrderStatus.unpaid)).values_list("pk", flat=True)
    keys = set(held)
    if order.pk in keys or has_paid_order(order.customer):
        return
    if keys:
        raise ShopError(Err.one_long_hold, fields={"payType": Err.one_long_hold.name})
    if above := list(_above_share(order)):
        raise ShopError(
            Err.long_hold_share, fields={"orderGoods": Err.long_hold_share.name}, why=_most_of(above)
        )


def held_long(orders: QuerySet[Order]) -> QuerySet[Order]:
    """Return the orders that are held longer than one that is paid online."""
    return orders.filter(expires_at__gt=F("created_at") + timedelta(minutes=settings.ORDER_HOLD_MINUTES))


def _above_share(order: Order) -> Iterator[tuple[TwoTexts, int]]:
    """Yield names and most units of each product of an order that exceeds its share; two queries."""
    lines = order.lines.filter(is_gift=False).order_by().values("product")
    units = lines.annotate(units=Sum("amount"), zh=Max("name_zh"), en=Max("name_en"))
    levels = StockLevel.objects.filter(location=order.location_id, product__in=lines.values("product"))
    on_hand = dict(levels.values_list("product", "on_hand"))
    for row in units.order_by("product"):
        most = -(-on_hand.get(row["product"], 0) // SHARE_OF_STOCK)
        if row["units"] > most:
            yield TwoTexts(row["zh"], row["en"]), most


def _most_of(products: Sequence[tuple[TwoTexts, int]]) -> TwoTexts:
    """Return which products can have how many units at most."""
    text = in_both_languages(
        lambda: gettext(
            "Until your first order is paid, this payment method is for at most %(products)s. Please pay "
            "another way, or cancel the order and order less."
        )
    )
    zh = "、".join(f"{most} × {name.zh}" for name, most in products)
    en = ", ".join(f"{most} × {name.en}" for name, most in products)
    return TwoTexts(text.zh % {"products": zh}, text.en % {"products": en})
