"""Refunds of a customer's orders (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Row, Section
from commerce.orders.personal import by_orders
from commerce.refunds.models import CreditNote, OrderRefund
from commerce.refunds.services.credit_notes import delete_pdf


def _refunds(customer: Customer) -> Iterator[Row]:
    for numbers, refund in by_orders(customer, OrderRefund.objects.all()):
        yield {
            "number": refund.number,
            "order": numbers[refund.order_id],
            "time": refund.created_at,
            "products": refund.goods_amount,
            "freight": refund.freight_amount,
            "goesTo": refund.get_destination_display(),
            "why": refund.note,
        }


def wipe(order_ids: list[int]) -> None:
    """Delete the PDFs of the orders' credit notes, since they name the buyer; the rows stay."""
    for note in CreditNote.objects.filter(order_refund__order__in=order_ids).exclude(sha256=""):
        delete_pdf(note)


PERSONAL = Holding(
    tables=frozenset(),
    sections=(
        Section(
            "orderRefunds",
            _("refunds of orders"),
            {
                "number": _("number"),
                "order": _("order number"),
                "time": _("time"),
                "products": _("products, AUD"),
                "freight": _("delivery cost, AUD"),
                "goesTo": _("goes to"),
                "why": _("reason"),
            },
            _refunds,
        ),
    ),
    wipe=wipe,
)
