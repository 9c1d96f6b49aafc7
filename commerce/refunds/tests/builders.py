"""Builders of refunds for tests."""

from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User

from commerce.orders.models import Order, OrderLine
from commerce.payments.models import Refund
from commerce.refunds.models import OrderRefund
from commerce.refunds.services import mark_of, refund_order
from commerce.refunds.worth import FreightPart, LineWish


def make_staff(name: str = "manager") -> User:
    """Return who refunds, made where they are not there."""
    return User.objects.get_or_create(username=name, defaults={"is_superuser": True})[0]


def wish(line: OrderLine, units: int = 0, amount: str | None = None, restocked: int = 0) -> LineWish:
    """Wish for units of a line, or for dollars."""
    return LineWish(line.pk, units, None if amount is None else Decimal(amount), restocked)


def everything(order: Order) -> list[LineWish]:
    """Wish for all that is left of an order's lines."""
    return [wish(line, line.amount - line.refunded_units) for line in order.lines.all()]


def refund(order: Order, *wishes: LineWish, **kw: Any) -> OrderRefund:
    """Refund a part of an order as staff do; without wishes, all of its lines and freight."""
    values = {
        "lines": wishes or everything(order),
        "freight": FreightPart.none if wishes else FreightPart.all,
        "to": Refund.To.source,
        "staff": make_staff(),
        "note": "Sold out",
        "seen": mark_of(order),
    }
    made = refund_order(order=order, **values | kw)
    order.refresh_from_db()
    return made
