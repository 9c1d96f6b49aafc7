"""Makes the credit note of each refund once, and opens it for holders of its signed link.

See docs/guarantees/money.md#refunds-of-orders.
"""

from pathlib import Path

from django.core.files.base import File
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from commerce.accounts.models import is_not_deleted
from commerce.invoices import rendering
from commerce.invoices.models import Invoice
from commerce.invoices.rendering import pdf_of
from commerce.invoices.stored_pdfs import StoredPdfs
from commerce.refunds.credit_note_texts import credit_note_facts
from commerce.refunds.models import CreditNote, OrderRefund
from core.due_rows import process_due_rows
from core.ids import new_secret
from core.shop import seller

TEMPLATE = Path(rendering.__file__).parent / "credit_note.typ"
_pdfs = StoredPdfs(folder="credit_notes", url_name="credit_note", salt="credit-note")


def due_credit_notes() -> QuerySet[OrderRefund]:
    """Return the refunds whose credit note has to be made; an order's credit notes wait for its invoice."""
    return OrderRefund.objects.filter(credit_note_due=True, order__invoice_due=False).order_by("pk")


def make_credit_note(refund_id: int) -> CreditNote | None:
    """Make the credit note of a refund; return None if it is not due, or while the shop has no ABN.

    The file is written before the row, so a failure in between leaves a file without a URL. Call it outside
    any transaction. Locks: the refund's row.
    """
    refund = due_credit_notes().select_related("order__customer").filter(pk=refund_id).first()
    selling = seller() if refund else None
    if refund is None or selling is None:
        return None
    made_at = timezone.now().replace(microsecond=0)
    invoice = Invoice.objects.filter(order=refund.order).first()
    facts = credit_note_facts(
        refund=refund,
        lines=list(refund.lines.select_related("line")),
        invoice_number=invoice.number if invoice else "",
        seller=selling,
        made_at=made_at,
    )
    note = CreditNote(order_refund=refund, name=new_secret(), made_at=made_at)
    note.sha256 = _pdfs.store(note.name, pdf_of(TEMPLATE, facts, made_at))
    if _store(note):
        return note
    _pdfs.delete(note.name)
    return None


@transaction.atomic
def _store(note: CreditNote) -> bool:
    """Write a credit note's row; return False if another worker has made it in the meantime."""
    due = OrderRefund.objects.filter(pk=note.order_refund_id, credit_note_due=True)
    if not due.update(credit_note_due=False):
        return False
    note.save(force_insert=True)
    return True


def make_due_credit_notes() -> int:
    """Make the credit notes that are due; return how many. Without the shop's ABN, make none."""
    if seller() is None:
        return 0
    return process_due_rows(
        "make credit notes", due_credit_notes(), lambda pk: make_credit_note(pk) is not None
    )


def move_files_without_row() -> int:
    """Delete files that a failure left without a row over a day ago; return how many."""
    return _pdfs.move_without_row(
        lambda names: CreditNote.objects.filter(name__in=names).values_list("name", flat=True)
    )


def delete_pdf(note: CreditNote) -> None:
    """Delete the PDF of a credit note past its retention period; the row stays, without a hash."""
    _pdfs.delete(note.name)
    CreditNote.objects.filter(pk=note.pk).update(sha256="")


def credit_note_url(note: CreditNote) -> str:
    """Return the path that shows a credit note without login, for thirty days."""
    return _pdfs.url(note.name)


def open_credit_note(*, name: str, key: str, is_staff: bool = False) -> tuple[CreditNote, File[bytes]] | None:
    """Return the credit note and file of a URL's name and key; None for a wrong or expired key.

    The link ends with the customer's account, except for staff.
    """
    notes = CreditNote.objects.select_related("order_refund")
    of_account = Q() if is_staff else is_not_deleted("order_refund__order__customer__")
    return _pdfs.open(notes.filter(of_account), name=name, key=key)


def stored_hash(note: CreditNote) -> str | None:
    """Return the hash of a credit note's file as it is now; None if there is no file."""
    return _pdfs.hash_of(note.name)
