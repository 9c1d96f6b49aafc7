"""Credit notes: their texts, that they are made once, and their readers.

See docs/guarantees/money.md#refunds-of-orders.
"""

from decimal import Decimal
from pathlib import Path

import pytest
from django.test import Client

from commerce.invoices.services import make_invoice
from commerce.invoices.tests.builders import make_seller, pages_of
from commerce.orders.tests.builders import Buyer, make_stocked, nothing_changes
from commerce.refunds.audit import differences
from commerce.refunds.models import CreditNote
from commerce.refunds.services.credit_notes import credit_note_url, make_due_credit_notes
from commerce.refunds.tests.builders import refund, wish
from commerce.refunds.worth import FreightPart
from commerce.shipments.tests.builders import make_paid_order

pytestmark = pytest.mark.django_db


def test_a_credit_note_shows_what_goes_back_of_which_invoice_and_is_shown_by_its_link(folder: Path) -> None:
    buyer = Buyer()
    soap = make_stocked(price=Decimal("11.00"), gst_free=False, name_en="Soap", name_zh="香皂", pack="90 g")
    order = make_paid_order(buyer, (soap, 2))
    made = refund(order, wish(order.lines.get(), 1), freight=FreightPart.share, note="Torn #strong")
    make_seller(abn="")
    with nothing_changes():
        # Without the ABN there is no invoice, and without the invoice no credit note.
        assert make_due_credit_notes() == 0
    make_seller()
    assert make_due_credit_notes() == 0
    assert make_invoice(order)
    [before] = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]["refunds"]

    assert (make_due_credit_notes(), make_due_credit_notes()) == (1, 0)

    [shown] = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]["refunds"]
    assert (before["creditNoteUrl"], before["number"], before["note"]) == (None, made.number, "Torn #strong")
    assert (shown["amount"], shown["to"], shown["status"]) == (float(made.amount), "wallet", "done")
    answer = Client().get(shown["creditNoteUrl"])
    assert answer.headers["Content-Type"] == "application/pdf"
    text = " ".join(" ".join(pages_of(answer.getvalue())).split())
    for expected in (
        "Credit note 退款单",
        f"Tax invoice 原发票号 INV-{order.order_no}",
        made.number,
        "Torn #strong",
        "1 Soap 香皂 90 g 1 A$1.00 A$11.00",
        f"Delivery, GST included A${made.freight_gst}",
        f"A${made.freight_amount}",
        f"Total refunded, AUD 退款合计（澳元） A${made.amount}",
    ):
        assert expected in text
    note = CreditNote.objects.get()
    assert Client().get(credit_note_url(note).replace("key=", "key=x")).status_code == 404
    assert not list(differences())
    [file] = folder.iterdir()
    file.write_bytes(b"other")
    assert [each.rule for each in differences()] == ["credit-note-file"]
