"""Audit rules for invoices (docs/guarantees/money.md#invoices)."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from commerce.invoices.models import Invoice
from commerce.invoices.services import due_invoices, stored_hash
from commerce.orders.models import Order
from core.audit import Difference, about, run_rules
from core.shop import seller

# A job makes due invoices every minute, well within this time.
MADE_WITHIN = timedelta(hours=1)
# Only the newest files are checked: reading them takes some seconds, at 100 KB each.
FILES = 5_000


def differences() -> Iterator[Difference]:
    """Yield a difference for each paid order without an invoice, and for each missing or changed file."""
    yield from run_rules(_due, _forgotten, _files)


def _due() -> Iterator[Difference]:
    # Without the ABN no invoice can be made; the dashboard asks staff for it.
    if seller() is None:
        return
    for order in due_invoices().filter(paid_at__lt=timezone.now() - MADE_WITHIN).iterator():
        yield Difference(
            "invoice-made",
            f"order {order}",
            _("paid at %(paid_at)s, its invoice is not made"),
            paid_at=order.paid_at,
        )


@about(Invoice)
def _forgotten() -> Iterator[Difference]:
    """Yield a difference for each order that is paid after the first invoiced one but gets no invoice."""
    first_paid_at = Invoice.objects.order_by("pk").values_list("order__paid_at", flat=True).first()
    if first_paid_at is None:
        return
    paid = Order.objects.filter(paid_at__gt=first_paid_at, invoice_due=False, invoice=None)
    for order in paid.order_by("pk").iterator():
        yield Difference(
            "invoice-made",
            f"order {order}",
            _("paid at %(paid_at)s, without an invoice, and none is due"),
            paid_at=order.paid_at,
        )


@about(Invoice)
def _files() -> Iterator[Difference]:
    # An invoice without a hash has no file any more.
    for invoice in Invoice.objects.exclude(sha256="").order_by("-pk")[:FILES]:
        found = stored_hash(invoice)
        if found != invoice.sha256:
            yield Difference(
                "invoice-file",
                f"invoice {invoice}",
                _("its file is missing") if found is None else _("its file is not the one that was made"),
            )
