"""The holdings of every app that stores personal data; a test finds tables that no holding lists."""

from commerce.accounts.personal import PERSONAL as ACCOUNTS
from commerce.cart.personal import PERSONAL as CARTS
from commerce.claims.personal import PERSONAL as CLAIMS
from commerce.favourites.personal import PERSONAL as FAVOURITES
from commerce.invoices.personal import PERSONAL as INVOICES
from commerce.ledger.personal import PERSONAL as LEDGER
from commerce.orders.personal import PERSONAL as ORDERS
from commerce.payments.personal import PERSONAL as PAYMENTS
from commerce.privacy.personal import PERSONAL as PRIVACY
from commerce.refunds.personal import PERSONAL as REFUNDS
from commerce.shipments.personal import PERSONAL as SHIPMENTS
from commerce.stock_alerts.personal import PERSONAL as STOCK_ALERTS

# In the order in which the copy of the data shows them.
HOLDINGS = (
    ACCOUNTS,
    PRIVACY,
    ORDERS,
    SHIPMENTS,
    PAYMENTS,
    REFUNDS,
    CLAIMS,
    INVOICES,
    LEDGER,
    CARTS,
    FAVOURITES,
    STOCK_ALERTS,
)
