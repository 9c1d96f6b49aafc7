"""Makes one invoice for each paid order, and opens it for holders of its signed link.

See docs/guarantees/money.md#invoices.
"""

from django.core.files.base import File
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from commerce.accounts.models import is_not_deleted
from commerce.invoices.invoice_texts import invoice_facts
from commerce.invoices.models import Invoice
from commerce.invoices.rendering import invoice_pdf, missing_characters
from commerce.invoices.stored_pdfs import StoredPdfs
from commerce.orders.models import Order
from core.due_rows import process_due_rows
from core.ids import new_secret
from core.shop import seller

_pdfs = StoredPdfs(folder="invoices", url_name="invoice", salt="invoice")


def due_invoices() -> QuerySet[Order]:
    """Return the paid orders whose invoice must still be made, earliest payment first."""
    return Order.objects.filter(invoice_due=True, paid_at__isnull=False).order_by("paid_at", "pk")


def make_invoice(order: Order) -> Invoice | None:
    """Make the invoice of a paid order, or return its existing invoice.

    Returns None if the order is unpaid or was paid before the shop had invoices, or if the ABN is missing.
    The PDF contains the order's own copies and the current seller. The file is written before its row, so a
    failure in between leaves a file without a URL. Call it outside any transaction. Locks: the order's row.
    """
    fresh = due_invoices().select_related("customer").filter(pk=order.pk).first()
    selling = seller() if fresh else None
    if fresh is None or selling is None:
        return Invoice.objects.filter(order=order).first()
    made_at = timezone.now().replace(microsecond=0)
    invoice = Invoice(order=fresh, number=f"INV-{fresh.order_no}", name=new_secret(), made_at=made_at)
    facts = invoice_facts(
        order=fresh, lines=list(fresh.lines.all()), number=invoice.number, seller=selling, made_at=made_at
    )
    invoice.missing_characters = missing_characters(facts)[: Invoice.MAX_MISSING]
    invoice.sha256 = _pdfs.store(invoice.name, invoice_pdf(facts, made_at))
    if _store(invoice):
        return invoice
    _pdfs.delete(invoice.name)
    return Invoice.objects.get(order=order)


@transaction.atomic
def _store(invoice: Invoice) -> bool:
    """Write an invoice's row; return False if another worker made the order's invoice in the meantime."""
    if not due_invoices().filter(pk=invoice.order_id).update(invoice_due=False):
        return False
    invoice.save(force_insert=True)
    return True


def make_due_invoices() -> int:
    """Make the invoices that are due, none if the ABN is missing; return their number."""
    if seller() is None:
        return 0
    return process_due_rows(
        "make invoices", due_invoices(), lambda pk: make_invoice(Order.objects.get(pk=pk)) is not None
    )


def move_files_without_row() -> int:
    """Move files that have had no row for more than a day, after a failure; return their number."""
    return _pdfs.move_without_row(
        lambda names: Invoice.objects.filter(name__in=names).values_list("name", flat=True)
    )


def delete_pdf(invoice: Invoice) -> None:
    """Delete the PDF of an invoice that the law no longer requires; the row stays, without a hash."""
    _pdfs.delete(invoice.name)
    Invoice.objects.filter(pk=invoice.pk).update(sha256="", missing_characters="")


def invoice_url(invoice: Invoice) -> str:
    """Return a path that shows an invoice without login for thirty days."""
    return _pdfs.url(invoice.name)


def open_invoice(*, name: str, key: str, is_staff: bool = False) -> tuple[Invoice, File[bytes]] | None:
    """Return an invoice and its file by name and key of `invoice_url`; None if the key is wrong or old.

    The link ends with the customer's account, except for staff.
    """
    invoices = Invoice.objects.filter(Q() if is_staff else is_not_deleted("order__customer__"))
    return _pdfs.open(invoices, name=name, key=key)


def stored_hash(invoice: Invoice) -> str | None:
    """Return the hash of an invoice's current file; None if the file is missing."""
    return _pdfs.hash_of(invoice.name)
