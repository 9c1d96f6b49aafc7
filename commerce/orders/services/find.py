"""Finds a customer's own orders; orders of other customers are treated as missing.

See docs/guarantees/customers.md#own-objects-only.
"""

from commerce.accounts.models import Customer
from commerce.orders.models import Order
from core.errors import Err, ShopError
from core.ids import may_be_number


def find_order(*, customer: Customer, order_no: str) -> Order:
    """Return a customer's order by its number; raises ShopError(order_not_found)."""
    order = None
    if may_be_number(order_no):
        order = customer.orders.filter(order_no=order_no).first()
    if order is None:
        raise ShopError(Err.order_not_found)
    return order
