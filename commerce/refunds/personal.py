"""Refunds of a customer's orders (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Row, Section, labels
from commerce.orders.personal import by_orders
from commerce.refunds.models import CancellationRequest, CreditNote, OrderRefund
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


def _requests(customer: Customer) -> Iterator[Row]:
    states = labels(CancellationRequest, "state")
    for numbers, request in by_orders(customer, CancellationRequest.objects.all()):
        yield {
            "order": numbers[request.order_id],
            "time": request.created_at,
            "why": request.reason,
            "state": states[request.state],
            "answer": request.answer,
        }


def _erase(customer_id: int) -> None:
    """Delete a customer's words in requests to cancel."""
    CancellationRequest.objects.filter(order__customer=customer_id).update(reason="")


def wipe(order_ids: list[int]) -> None:
    """Delete the PDFs of the orders' credit notes, since they name the buyer, and the words of requests.

    The rows stay.
    """
    CancellationRequest.objects.filter(order__in=order_ids).update(reason="", answer="")
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
        Section(
            "cancellationRequests",
            _("requests to cancel"),
            {
                "order": _("order number"),
                "time": _("time"),
                "why": _("reason"),
                "state": _("state"),
                "answer": _("answer"),
            },
            _requests,
        ),
    ),
    erase=_erase,
    wipe=wipe,
)
