"""All modules of the audit, one for each app."""

import time
from collections.abc import Callable, Iterator

from catalog.goods import audit as products
from catalog.goods import reindexing as search
from catalog.stock import audit as stock
from commerce.accounts import audit as accounts
from commerce.cart import audit as carts
from commerce.claims import audit as claims
from commerce.invoices import audit as invoices
from commerce.ledger import audit as ledger
from commerce.messaging import audit as messages
from commerce.notifications import audit as notifications
from commerce.orders import audit as orders
from commerce.orders import points_audit as points
from commerce.payments import audit as payments
from commerce.privacy import audit as privacy
from commerce.refunds import audit as refunds
from commerce.shipments import audit as shipments
from commerce.statements import audit as statements
from config.audits import constraints
from core.audit import Difference, run_rules

BOOKS = (
    constraints,
    products,
    search,
    stock,
    accounts,
    ledger,
    carts,
    orders,
    points,
    shipments,
    payments,
    refunds,
    claims,
    statements,
    invoices,
    notifications,
    messages,
    privacy,
)


def all_differences(done: Callable[[str, float], object] | None = None) -> Iterator[Difference]:
    """Yield every difference in the books, app by app; call it within a snapshot.

    `done`: called after each app, with its name and the seconds it took.
    """
    for each in BOOKS:
        started = time.monotonic()
        yield from run_rules(each.differences)
        if done:
            done(each.__name__.removesuffix(".audit"), time.monotonic() - started)
