"""What orders are found by: their number; for staff also the account, for customers their products."""

import re

from django.db.models import Exists, OuterRef, Q, QuerySet

from commerce.accounts.identity import normalised
from commerce.accounts.models import Customer
from commerce.orders.models import Order, OrderLine
from core.prefixes import begins_with

# What a search shows at most, the newest orders first; whoever looks for one types more.
MAX_FOUND, MAX_CUSTOMERS = 500, 50
# The beginning of a telephone number as it is typed abroad, or else at home, and as accounts have it.
_BEGINNINGS = (("00", "+"), ("0", "+61"))
_BETWEEN_DIGITS = re.compile(r"[ ().-]")


def search_orders(orders: QuerySet[Order], text: str) -> QuerySet[Order]:
    """Return those orders whose number, or whose customer's account, begins with a text.

    A mobile number may be typed as at home, and its beginning too. Two queries by indexes of their own; one
    condition for both would read the whole table.
    """
    typed = text.strip()
    number = begins_with("order_no", typed.upper())
    by_number = Order.objects.filter(number).order_by("-order_no").values_list("pk", flat=True)
    account = begins_with("account", typed.lower())
    for known in filter(None, (normalised(typed), _international(typed))):
        account |= begins_with("account", known)
    customers = Customer.objects.filter(account).order_by("account").values_list("pk", flat=True)
    of_customers = Order.objects.filter(customer__in=list(customers[:MAX_CUSTOMERS])).order_by("-pk")
    found = {*by_number[:MAX_FOUND], *of_customers.values_list("pk", flat=True)[:MAX_FOUND]}
    return orders.filter(pk__in=found)


def is_found_by(text: str) -> Q:
    """Return the condition that an order's number begins with a text, or that it has such a product.

    For the orders of one customer, so that only their lines are read. A product is found by a part of its
    name in either language, or by its SKU.
    """
    typed = text.strip()
    lines = OrderLine.objects.filter(order=OuterRef("pk"))
    named = Q(name_zh__icontains=typed) | Q(name_en__icontains=typed) | Q(sku__iexact=typed)
    return begins_with("order_no", typed.upper()) | Q(Exists(lines.filter(named)))


def _international(typed: str) -> str:
    """Return the beginning of a telephone number as accounts have it; empty for other text."""
    digits = _BETWEEN_DIGITS.sub("", typed)
    if not (digits.isascii() and digits.isdigit()):
        return ""
    return next((known + digits[len(own) :] for own, known in _BEGINNINGS if digits.startswith(own)), "")
