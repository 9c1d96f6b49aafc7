"""Searches orders by order number, tracking number, account (for staff) and product (for customers)."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from commerce.accounts.identity import normalised
from commerce.accounts.models import Customer
from commerce.orders.models import Order, OrderLine

# Sorts after every other character.
LAST = "\U0010ffff"
# The maximum results of a search, newest orders first; for older orders, staff must search more precisely.
MAX_FOUND, MAX_CUSTOMERS = 500, 50
# Prefixes of a typed telephone number, international or national, and the accounts' prefix for each.
_BEGINNINGS = (("00", "+"), ("0", "+61"))
_BETWEEN_DIGITS = re.compile(r"[ ().-]")


def search_orders(orders: QuerySet[Order], text: str) -> QuerySet[Order]:
    """Return the orders that have the tracking number, or whose number or account begins with the text.

    Mobile numbers may be in national format, also incomplete. Tracking numbers must be complete. Separate
    queries use an index each; one combined condition would read the whole table.
    """
    typed = text.strip()
    number = _begins_with("order_no", typed.upper())
    by_number = Order.objects.filter(number).order_by("-order_no").values_list("pk", flat=True)
    account = _begins_with("account", typed.lower())
    for known in filter(None, (normalised(typed), _international(typed))):
        account |= _begins_with("account", known)
    customers = Customer.objects.filter(account).order_by("account").values_list("pk", flat=True)
    of_customers = Order.objects.filter(customer__in=list(customers[:MAX_CUSTOMERS])).order_by("-pk")
    found = {
        *by_number[:MAX_FOUND],
        *of_customers.values_list("pk", flat=True)[:MAX_FOUND],
        *_with_parcel(Order.objects.all(), typed),
    }
    return orders.filter(pk__in=found)


@dataclass(frozen=True)
class Period:
    """A period of days in the shop's time zone, both ends included; None: open-ended."""

    first: date | None = None
    last: date | None = None

    def condition(self) -> Q:
        """Return the condition that an order was made in the period."""
        made = Q()
        if self.first:
            made &= Q(created_at__gte=_midnight(self.first))
        if self.last:
            made &= Q(created_at__lt=_midnight(self.last + timedelta(days=1)))
        return made


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def search_own_orders(customer: Customer, text: str) -> Q:
    """Return the condition that a customer's order matches a search text.

    The text is part of the order number, part of a product's name in either language, an SKU, or a complete
    tracking number. Two queries, only of the customer's own lines and parcels: a condition on all orders
    could read every line.
    """
    typed = text.strip()
    named = Q(name_zh__icontains=typed) | Q(name_en__icontains=typed) | Q(sku__iexact=typed)
    lines = OrderLine.objects.filter(named, order__customer=customer).order_by("-order_id")
    found = lines.values_list("order_id", flat=True).distinct()[:MAX_FOUND]
    found_in_parcels = _with_parcel(customer.orders.all(), typed)
    return Q(order_no__contains=typed.upper()) | Q(pk__in=[*found, *found_in_parcels])


def _with_parcel(orders: QuerySet[Order], typed: str) -> list[int]:
    """Return the keys of the orders that have a parcel with the tracking number; one query."""
    # Tracking numbers are stored in this form.
    number = "".join(typed.split()).upper()
    found = orders.filter(shipments__tracking_no=number).order_by("-pk")
    return list(found.values_list("pk", flat=True)[:MAX_FOUND])


def _international(typed: str) -> str:
    """Return a telephone number, also incomplete, in the accounts' format; empty for other text."""
    digits = _BETWEEN_DIGITS.sub("", typed)
    if not (digits.isascii() and digits.isdigit()):
        return ""
    return next((known + digits[len(own) :] for own, known in _BEGINNINGS if digits.startswith(own)), "")


def _begins_with(column: str, prefix: str) -> Q:
    """Return the condition that a column begins with a prefix, case-sensitively.

    SQLite uses no index for `LIKE`, so the condition is a range; PostgreSQL has an index for `LIKE`.
    """
    if connection.vendor == "postgresql":
        return Q(**{f"{column}__startswith": prefix})
    return Q(**{f"{column}__gte": prefix, f"{column}__lt": prefix + LAST})
