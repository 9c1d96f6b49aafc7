"""Personal data in invoices (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Row, Section
from commerce.invoices.models import Invoice
from commerce.invoices.services import delete_pdf
from commerce.orders.personal import by_orders


def _invoices(customer: Customer) -> Iterator[Row]:
    for numbers, invoice in by_orders(customer, Invoice.objects.all()):
        yield {"number": invoice.number, "order": numbers[invoice.order_id], "made": invoice.made_at}


def wipe(order_ids: list[int]) -> None:
    """Delete the invoice PDFs of orders, since they name the buyer; the rows stay."""
    for invoice in Invoice.objects.filter(order__in=order_ids).exclude(sha256=""):
        delete_pdf(invoice)


PERSONAL = Holding(
    tables=frozenset(),
    sections=(
        Section(
            "invoices",
            _("invoices"),
            {
                "number": _("invoice number"),
                "order": _("order number"),
                "made": _("date of issue"),
            },
            _invoices,
        ),
    ),
    wipe=wipe,
)
