"""Measures how long an invoice of thirty lines is set, in a process as the tasks that make them."""

import statistics
import time
from decimal import Decimal

from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.invoices.invoice_texts import invoice_facts
from commerce.invoices.rendering import invoice_pdf
from commerce.orders.models import Order, OrderLine
from core.shop import Seller

LINES, TRIES = 30, 20


def measure() -> dict[str, float]:
    """Return the processor time of the first invoice of a process, and the median of those after it."""
    first, *others = [_milliseconds() for _ in range(TRIES)]
    return {"processor_ms": round(statistics.median(others), 1), "first_processor_ms": round(first, 1)}


def _milliseconds() -> float:
    order, lines = _order()
    seller = Seller("Eastbowl", "东碗", "Eastbowl Pty Ltd", "00 000 000 000", "Perth WA", "", "")
    now = timezone.now().replace(microsecond=0)
    began = time.process_time()
    invoice_pdf(invoice_facts(order=order, lines=lines, number="INV-1", seller=seller, made_at=now), now)
    return (time.process_time() - began) * 1000


def _order() -> tuple[Order, list[OrderLine]]:
    price, number = Decimal("4.40"), time.monotonic_ns()
    lines = [
        OrderLine(
            # No two invoices are alike, or the compiler would remember the one before.
            name_en=f"Jasmine Rice {number} {place}",
            name_zh=f"泰国茉莉香米{number}",
            pack="5 kg",
            price=price,
            amount=1,
            line_total=price,
            gst=Decimal("0.40") if place % 2 else Decimal("0.00"),
        )
        for place in range(LINES)
    ]
    shop = {"shopName": "北桥店", "shopNameEn": "Northbridge", "address": "1 Hay Street, Perth"}
    order = Order(
        order_no="S1",
        customer=Customer(account="bench@example.com"),
        goods_amount=price * LINES,
        freight=Decimal("0.00"),
        pay_amount=price * LINES,
        pay_type="0",
        shop=shop,
    )
    return order, lines
