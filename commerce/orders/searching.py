"""What orders are found by: their number and those of parcels, the account (staff), products (customers)."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from commerce.accounts.identity import normalised
from commerce.accounts.models import Customer
from commerce.orders.models import Order, OrderLine

# After every other character.
LAST = "\U0010ffff"
# The most results of a search, the newest orders first; staff narrow the search for others.
MAX_FOUND, MAX_CUSTOMERS = 500, 50
# The beginning of a telephone number as it is typed abroad, or else at home, and as accounts have it.
_BEGINNINGS = (("00", "+"), ("0", "+61"))
_BETWEEN_DIGITS = re.compile(r"[ ().-]")


def search_orders(orders: QuerySet[Order], text: str) -> QuerySet[Order]:
    """Return those orders whose number or whose customer's account begins with a text, or with such a parcel.

    A mobile number may be typed as at home, and its beginning too. The tracking number of a parcel is typed
    whole. Queries by indexes of their own; one condition for all would read the whole table.
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
    """Days at the shop, the first and the last one with it; None: without an end."""

    first: date | None = None
    last: date | None = None

    def condition(self) -> Q:
        """Return the condition that an order was made within it."""
        made = Q()
        if self.first:
            made &= Q(created_at__gte=_midnight(self.first))
        if self.last:
            made &= Q(created_at__lt=_midnight(self.last + timedelta(days=1)))
        return made


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def search_own_orders(customer: Customer, text: str) -> Q:
    """Return the condition that a customer's order has a number, a product or a parcel that is looked for.

    A number is found by a part of it, such as its end, a product by a part of its name in either language or
    by its SKU, a parcel by its whole tracking number. Two queries, of the customer's own lines and parcels
    alone: a condition on all orders could read every line.
    """
    typed = text.strip()
    named = Q(name_zh__icontains=typed) | Q(name_en__icontains=typed) | Q(sku__iexact=typed)
    lines = OrderLine.objects.filter(named, order__customer=customer).order_by("-order_id")
    found = lines.values_list("order_id", flat=True).distinct()[:MAX_FOUND]
    found_in_parcels = _with_parcel(customer.orders.all(), typed)
    return Q(order_no__contains=typed.upper()) | Q(pk__in=[*found, *found_in_parcels])


def _with_parcel(orders: QuerySet[Order], typed: str) -> list[int]:
    """Return the keys of those orders that have a parcel with a tracking number; one query."""
    # Stored so, however it is typed.
    number = "".join(typed.split()).upper()
    found = orders.filter(shipments__tracking_no=number).order_by("-pk")
    return list(found.values_list("pk", flat=True)[:MAX_FOUND])


def _international(typed: str) -> str:
    """Return the beginning of a telephone number as accounts have it; empty for other text."""
    digits = _BETWEEN_DIGITS.sub("", typed)
    if not (digits.isascii() and digits.isdigit()):
        return ""
    return next((known + digits[len(own) :] for own, known in _BEGINNINGS if digits.startswith(own)), "")


def _begins_with(column: str, prefix: str) -> Q:
    """Return the condition that a text begins so, in its own case.

    SQLite reads no index for `LIKE`; PostgreSQL has one for it, whatever order its texts are in.
    """
    if connection.vendor == "postgresql":
        return Q(**{f"{column}__startswith": prefix})
    return Q(**{f"{column}__gte": prefix, f"{column}__lt": prefix + LAST})
