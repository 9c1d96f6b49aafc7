"""Makes each paid order's invoice once, and shows it to who has its signed link.

See docs/guarantees.md#invoices.
"""

import hashlib
from datetime import timedelta
from io import BytesIO
from pathlib import Path

from django.core import signing
from django.core.files.base import File
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from commerce.invoices.facts import invoice_facts
from commerce.invoices.models import Invoice
from commerce.invoices.rendering import invoice_pdf
from commerce.orders.models import Order
from core.ids import new_secret
from core.lost_files import delete_lost_files
from core.private_files import private_storage
from core.shop import seller
from core.sweeps import sweep

_FOLDER = "invoices"
LINK_VALID_FOR = timedelta(days=30)
_signer = signing.TimestampSigner(salt="invoice")


def due_invoices() -> QuerySet[Order]:
    """Return the paid orders whose invoice is still to be made, the first paid first."""
    return Order.objects.filter(invoice_due=True, paid_at__isnull=False).order_by("paid_at", "pk")


def make_invoice(order: Order) -> Invoice | None:
    """Make the invoice of a paid order, or return the one that it has.

    None for an order that is not paid or was paid before there were invoices, and while staff have not given
    the shop's ABN. What the PDF says is the order's own copies and the seller of this moment. The file is
    written before its row: a fault between leaves a file that no URL leads to. Call it outside any
    transaction.
    Locks: the order's row.
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
    pdf = invoice_pdf(facts, made_at)
    invoice.sha256 = hashlib.sha256(pdf).hexdigest()
    private_storage(_FOLDER).save(file_name(invoice.name), BytesIO(pdf))
    if _store(invoice):
        return invoice
    private_storage(_FOLDER).delete(file_name(invoice.name))
    return Invoice.objects.get(order=order)


@transaction.atomic
def _store(invoice: Invoice) -> bool:
    """Write an invoice's row; False where another has made the order's invoice meanwhile."""
    if not due_invoices().filter(pk=invoice.order_id).update(invoice_due=False):
        return False
    invoice.save(force_insert=True)
    return True


def make_due_invoices() -> int:
    """Make the invoices that are due; returns how many. While staff have not given the ABN, none."""
    if seller() is None:
        return 0
    return sweep(
        "make invoices", due_invoices(), lambda pk: make_invoice(Order.objects.get(pk=pk)) is not None
    )


def delete_files_without_row() -> int:
    """Delete the files that a fault has left without a row over a day ago; returns how many."""
    return delete_lost_files(Path(private_storage(_FOLDER).location), _with_row)


def _with_row(files: list[str]) -> set[str]:
    rows = Invoice.objects.filter(name__in=[Path(file).stem for file in files])
    return {file_name(name) for name in rows.values_list("name", flat=True)}


def invoice_url(invoice: Invoice) -> str:
    """Return the path under which an invoice can be read without logging in, for thirty days."""
    key = _signer.sign(invoice.name).removeprefix(f"{invoice.name}:")
    return f"{reverse('invoice', args=[invoice.name])}?key={key}"


def open_invoice(*, name: str, key: str) -> tuple[Invoice, File[bytes]] | None:
    """Return an invoice and its file by the name and key of `invoice_url`; None for a wrong or old key."""
    try:
        _signer.unsign(f"{name}:{key}", max_age=LINK_VALID_FOR)
        return Invoice.objects.get(name=name), private_storage(_FOLDER).open(file_name(name))
    except (signing.BadSignature, Invoice.DoesNotExist, FileNotFoundError):
        return None


def stored_hash(invoice: Invoice) -> str | None:
    """Return the hash of an invoice's file as it is now; None where there is none."""
    try:
        with private_storage(_FOLDER).open(file_name(invoice.name)) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def file_name(name: str) -> str:
    """Return what the file of an invoice is called."""
    return f"{name}.pdf"
