"""Signed links of a customer's files end with the account; staff still open them."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from commerce.claims.models import ClaimPicture
from commerce.claims.services.pictures import picture_url
from commerce.claims.tests.builders import answer, claim_of, upload
from commerce.invoices.services import invoice_url
from commerce.invoices.tests.builders import made, make_seller
from commerce.orders.tests.builders import Buyer, make_order
from commerce.payments.tests.builders import decide, make_payment, send_notice
from commerce.privacy.services import delete_again
from commerce.privacy.tests.builders import receive
from commerce.refunds.services.credit_notes import credit_note_url, make_credit_note
from commerce.refunds.tests.builders import refund, wish

pytestmark = pytest.mark.django_db

# The modules that sign links of files.
SIGNING = {
    "commerce/claims/services/pictures.py",
    "commerce/invoices/stored_pdfs.py",
    "commerce/payments/services/certificates.py",
}


def links_of(buyer: Buyer) -> dict[str, str]:
    """Let a customer buy, claim and get a part back; return the links of all files."""
    make_seller()
    order = make_order(buyer)
    payment = make_payment(buyer, order)
    decide(payment)
    assert send_notice(payment) == 200
    receive(buyer, order)
    order.refresh_from_db()
    invoice = made(order)
    line = order.lines.all()[0]
    note = make_credit_note(refund(order, wish(line, 1)).pk)
    assert note
    answer(claim_of(order, image_urls=[upload(buyer)]))
    return {
        "invoice": invoice_url(invoice),
        "credit note": credit_note_url(note),
        "picture of a claim": picture_url(ClaimPicture.objects.get()) or "",
        "picture of a transfer": upload(buyer),
    }


def statuses(client: Client, links: dict[str, str]) -> dict[str, int]:
    return {name: client.get(link).status_code for name, link in links.items()}


def test_links_of_a_customers_files_end_with_the_account(client: Client) -> None:
    buyer, other = Buyer(), Buyer()
    links, of_other = links_of(buyer), {"picture of a transfer": upload(other)}
    assert set(statuses(client, links).values()) == {200}
    delete_again(customer=buyer.customer)
    assert set(statuses(client, links).values()) == {404}
    assert set(statuses(client, of_other).values()) == {200}
    client.force_login(User.objects.create_user("clerk"))
    assert set(statuses(client, links).values()) == {200}
    unsigned = {name: link.partition("?")[0] for name, link in links.items()}
    assert set(statuses(client, unsigned).values()) == {404}


def test_every_module_that_signs_links_of_files_is_tested_here() -> None:
    root = Path(settings.BASE_DIR)
    signing = {
        str(file.relative_to(root))
        for folder in ("catalog", "commerce", "site")
        for file in (root / folder).rglob("*.py")
        if "tests" not in file.parts and re.search(r"\bTimestampSigner\(", file.read_text("utf-8"))
    }
    assert signing == SIGNING
