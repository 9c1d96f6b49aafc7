"""The back-in-stock alerts to a customer's address (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Row, Section, by_pages
from commerce.stock_alerts.models import StockAlert


def _alerts(customer: Customer) -> Iterator[Row]:
    alerts = StockAlert.objects.filter(email=customer.account)
    for alert in by_pages(alerts.select_related("product")):
        yield {
            "sku": alert.product.sku,
            "product": alert.product.name,
            "asked": alert.created_at,
            "sent": alert.sent_at,
        }


def _forget(customer: Customer) -> None:
    StockAlert.objects.filter(email=customer.account).delete()


PERSONAL = Holding(
    # The table refers to an email address, not to a customer.
    tables=frozenset(),
    sections=(
        Section(
            "stockNotices",
            _("back-in-stock notices"),
            {"sku": _("SKU"), "product": _("product"), "asked": _("asked"), "sent": _("sent")},
            _alerts,
        ),
    ),
    forget=_forget,
)
