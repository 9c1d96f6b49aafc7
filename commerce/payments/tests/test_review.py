"""Transfers: what approves and rejects their pictures, and what becomes of order and money.

See docs/guarantees/money.md#transfers.
"""

import io
import random
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image, ImageDraw
from pytest_django import Settings

from catalog.stock.models import StockLevel
from commerce.accounts.tests.builders import PASSWORD
from commerce.accounts.tests.staff import staff_with
from commerce.orders.models import Order
from commerce.orders.services import cancel_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, make_paid, nothing_changes, top_up
from commerce.payments.models import Certificate, Payment, PictureBand, Refund
from commerce.payments.pending import transfers_to_review
from commerce.payments.same_pictures import look_the_same
from commerce.payments.services.certificates import LINK_VALID_FOR, certificate_url
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.services.record import mark_of_receipts, record_payment
from commerce.payments.services.review import approve_transfer, earlier_uses, reject_transfer
from commerce.payments.tests.builders import pay, prove, switch_on_pay_types
from core.errors import Err, ShopError
from core.money import aud
from core.pictures import uploads
from core.pictures.uploads import reencode
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db
State, Reason = Certificate.State, Certificate.Reason


@pytest.fixture
def order(buyer: Buyer) -> Order:
    return make_order(buyer)


def staff(name: str = "anna") -> User:
    return User.objects.get_or_create(username=name, defaults={"is_superuser": True})[0]


def detail(buyer: Buyer, order: Order) -> dict[str, Any]:
    found: dict[str, Any] = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    return found


def refusal(work: Any, **kw: Any) -> Err:
    with nothing_changes(), pytest.raises(ShopError) as caught:
        work(**kw)
    return caught.value.err


def test_an_approved_transfer_pays_its_order(buyer: Buyer, order: Order) -> None:
    certificate = prove(buyer, order)
    assert detail(buyer, order)["transfer"]["status"] == "waiting"
    payment = approve_transfer(certificate=certificate, amount=order.pay_amount, staff=staff(), note="ANZ 12")
    certificate.refresh_from_db()
    order.refresh_from_db()
    assert payment is not None
    found = (payment.amount, payment.pay_type, payment.staff, payment.note)
    assert found == (order.pay_amount, "transfer", staff(), "ANZ 12")
    assert (order.status, order.pay_type) == (OrderStatus.paid, "transfer")
    assert (certificate.state, certificate.payment, certificate.reviewed_by) == ("approved", payment, staff())
    assert not certificate.message_due
    audit()


def test_a_transfer_of_too_little_holds_the_order_for_the_rest_which_another_picture_proves(
    buyer: Buyer, order: Order
) -> None:
    first = prove(buyer, order)
    with time_machine.travel(timezone.now() + timedelta(days=2), tick=False):
        approve_transfer(certificate=first, amount=Decimal("1.00"), staff=staff())
        order.refresh_from_db()
        assert order.expires_at == timezone.now() + timedelta(days=3)
    shown = detail(buyer, order)
    assert (shown["statusLabel"], shown["leftToPay"]) == ("Unpaid", float(order.pay_amount - 1))
    assert (shown["transfer"]["status"], shown["transfer"]["amount"]) == ("approved", 1.0)
    first.refresh_from_db()
    assert first.message_due
    rest = prove(buyer, order)
    approve_transfer(certificate=rest, amount=left_to_pay(order), staff=staff())
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
    assert order.payments.count() == 2
    assert not Refund.objects.exists()
    audit()


def test_of_a_transfer_of_too_much_the_rest_is_a_refund_due(buyer: Buyer, order: Order) -> None:
    approve_transfer(certificate=prove(buyer, order), amount=order.pay_amount + 5, staff=staff())
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
    assert Refund.objects.get().amount == 5
    audit()


def test_a_recorded_transfer_passes_by_neither_a_waiting_picture_nor_the_second_person(
    buyer: Buyer, order: Order, settings: Settings
) -> None:
    switch_on_pay_types()
    total = order.pay_amount
    settings.APPROVAL_LIMIT = int(total) - 1
    receipt: dict[str, Any] = {"order": order, "pay_type": "transfer", "staff": staff(), "note": "bank"}
    seen = mark_of_receipts(order)
    assert refusal(record_payment, **receipt, amount=total, seen=seen) == Err.second_person_needed
    record_payment(**receipt, amount=Decimal(1), seen=seen)
    # Nor in parts, of which some are cash.
    seen = mark_of_receipts(order)
    assert refusal(record_payment, **receipt, amount=total - 1, seen=seen) == Err.second_person_needed
    certificate = prove(buyer, order)
    small: dict[str, Any] = {"amount": Decimal(1), "seen": seen}
    assert refusal(record_payment, **receipt, **small) == Err.picture_waits
    reject_transfer(certificate=certificate, reason=Reason.unreadable, text="", staff=staff())
    record_payment(**receipt, **small)
    cash = receipt | {"pay_type": "cashOnDelivery", "seen": mark_of_receipts(order)}
    assert refusal(record_payment, **cash, amount=total - 2) == Err.second_person_needed
    record_payment(**cash | {"staff": staff("ben")}, amount=total - 2)
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
    audit()


def test_a_large_amount_counts_once_another_one_confirms_it(
    buyer: Buyer, order: Order, settings: Settings
) -> None:
    settings.APPROVAL_LIMIT = int(order.pay_amount) - 1
    certificate, amount = prove(buyer, order), order.pay_amount
    for _ in range(2):
        assert approve_transfer(certificate=certificate, amount=amount, staff=staff("anna")) is None
    assert not Payment.objects.exists()
    for wrong in (amount + 1, Decimal("1.00")):
        refused = refusal(approve_transfer, certificate=certificate, amount=wrong, staff=staff("ben"))
        assert refused == Err.amount_differs
    assert approve_transfer(certificate=certificate, amount=amount, staff=staff("ben"))
    certificate.refresh_from_db()
    assert (certificate.first_approver, certificate.reviewed_by) == (staff("anna"), staff("ben"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Certificate.objects.update(first_approver=staff("ben"))


def test_the_first_approval_of_a_person_who_lost_the_permission_does_not_count(
    buyer: Buyer, order: Order, settings: Settings, subtests: pytest.Subtests
) -> None:
    settings.APPROVAL_LIMIT = int(order.pay_amount) - 1
    certificate, amount = prove(buyer, order), order.pay_amount
    for lost in ({"is_active": False}, {"is_superuser": False}):
        assert approve_transfer(certificate=certificate, amount=amount, staff=staff("anna")) is None
        with subtests.test(str(lost)), rolled_back():
            User.objects.filter(username="anna").update(**lost)
            for own in (amount, aud(amount - 1)):
                assert approve_transfer(certificate=certificate, amount=own, staff=staff("ben")) is None
            assert not Payment.objects.exists()
            certificate.refresh_from_db()
            assert certificate.first_approver == staff("ben")
    assert approve_transfer(certificate=certificate, amount=amount, staff=staff("ben"))


def test_several_small_parts_of_one_order_need_another_one_too(
    buyer: Buyer, order: Order, settings: Settings
) -> None:
    part = aud(order.pay_amount / 2)
    settings.APPROVAL_LIMIT = part
    assert approve_transfer(certificate=prove(buyer, order), amount=part, staff=staff("anna"))
    rest, left = prove(buyer, order), left_to_pay(order)
    assert approve_transfer(certificate=rest, amount=left, staff=staff("anna")) is None
    order.refresh_from_db()
    assert (order.status, order.payments.count()) == (OrderStatus.unpaid, 1)
    assert approve_transfer(certificate=rest, amount=left, staff=staff("ben"))
    order.refresh_from_db()
    assert order.status == OrderStatus.paid


def test_who_approved_a_large_amount_first_may_correct_it(
    buyer: Buyer, order: Order, settings: Settings
) -> None:
    settings.APPROVAL_LIMIT = int(order.pay_amount) + 1
    certificate = prove(buyer, order)
    assert approve_transfer(certificate=certificate, amount=Decimal(90_000), staff=staff()) is None
    assert approve_transfer(certificate=certificate, amount=order.pay_amount, staff=staff())
    certificate.refresh_from_db()
    assert (certificate.first_approver, certificate.state) == (None, "approved")


def test_no_amount_is_no_approval(buyer: Buyer, order: Order, subtests: pytest.Subtests) -> None:
    certificate = prove(buyer, order)
    for amount in ("0.00", "-1.00", "1.005"):
        with subtests.test(amount=amount), rolled_back():
            refused = refusal(
                approve_transfer, certificate=certificate, amount=Decimal(amount), staff=staff()
            )
            assert refused == Err.parameter_error


def test_money_for_an_order_that_was_canceled_in_the_meantime_revives_it_or_goes_back(
    buyer: Buyer, order: Order, subtests: pytest.Subtests
) -> None:
    certificate = prove(buyer, order)
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    for units in (10, 0):
        with subtests.test(units=units), rolled_back():
            StockLevel.objects.update(reserved=10 - units)
            approve_transfer(certificate=certificate, amount=order.pay_amount, staff=staff())
            order.refresh_from_db()
            assert order.status == (OrderStatus.paid if units else OrderStatus.canceled)
            assert Refund.objects.filter(amount=order.pay_amount).exists() is (units == 0)


def test_money_for_an_order_that_was_paid_otherwise_in_the_meantime_goes_back(
    buyer: Buyer, order: Order
) -> None:
    certificate = prove(buyer, order)
    top_up(buyer.customer)
    assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0
    approve_transfer(certificate=certificate, amount=order.pay_amount, staff=staff())
    assert Refund.objects.get().reason == "paid_twice"
    audit()


def test_a_rejected_picture_shows_why_and_leaves_time_for_another_one(buyer: Buyer, order: Order) -> None:
    certificate = prove(buyer, order)
    with time_machine.travel(timezone.now() + timedelta(days=2), tick=False):
        reject_transfer(
            certificate=certificate, reason=Reason.unreadable, text="Only half of it", staff=staff()
        )
        order.refresh_from_db()
        assert order.expires_at == timezone.now() + timedelta(days=3)
    shown = detail(buyer, order)
    assert shown["statusLabel"] == "Unpaid"
    transfer = {"status": "rejected", "reason": "unreadable", "reasonText": "Only half of it"}
    assert shown["transfer"] | transfer == shown["transfer"]
    assert not Payment.objects.exists()
    prove(buyer, order)
    assert detail(buyer, order)["transfer"]["status"] == "waiting"
    certificate.refresh_from_db()
    found = (certificate.state, certificate.reviewed_by, certificate.message_due)
    assert found == ("rejected", staff(), True)


def test_another_reason_needs_words(buyer: Buyer, order: Order) -> None:
    values = {"certificate": prove(buyer, order), "reason": Reason.other, "text": "", "staff": staff()}
    assert refusal(reject_transfer, **values) == Err.note_missing


def test_what_was_reviewed_or_replaced_is_reviewed_no_more(buyer: Buyer, order: Order) -> None:
    replaced, rejected = prove(buyer, order), prove(buyer, order)
    reject_transfer(certificate=rejected, reason=Reason.not_received, text="", staff=staff())
    approved = prove(buyer, order)
    approve_transfer(certificate=approved, amount=order.pay_amount, staff=staff())
    for certificate in (replaced, rejected, approved):
        values: dict[str, Any] = {"certificate": certificate, "staff": staff("ben")}
        assert refusal(approve_transfer, amount=order.pay_amount, **values) == Err.reviewed_already
        assert refusal(reject_transfer, reason=Reason.other, text="a", **values) == Err.reviewed_already
    replaced.refresh_from_db()
    assert replaced.state == State.replaced


def test_a_picture_proves_one_order_once_within_a_day(buyer: Buyer, order: Order) -> None:
    make_paid(buyer)
    used, other = prove(buyer, order), make_order(buyer)
    Order.objects.filter(pk=other.pk).update(pay_type="transfer")
    fresh = Certificate.objects.create(customer=buyer.customer, name="fresh")
    old = timezone.now() - LINK_VALID_FOR
    Certificate.objects.filter(pk=fresh.pk).update(created_at=old)
    for certificate in (used, fresh):
        body = {"imgUrl": certificate_url(certificate), "orderNo": other.order_no}
        with nothing_changes():
            answer = buyer.send("POST", "/savePayCertificates", body)
        assert (answer["reason"], answer["fields"]) == ("parameter_error", {"imgUrl": "parameter_error"})
    body = {"imgUrl": certificate_url(used), "orderNo": order.order_no}
    assert buyer.send("POST", "/savePayCertificates", body)["result"] == 1
    assert Certificate.objects.filter(state=State.waiting).get() == used


NAMES = ("WANG WEI", "LI NA", "CHEN JING", "ZHANG MIN", "A SMITH")


def receipt(number: int, scale: float = 1.0, format: str = "PNG", **options: Any) -> bytes:
    """Make a receipt of a bank; two differ in amount, payer, number and time alone."""
    values = random.Random(number)
    picture = Image.new("RGB", (1080, 1920), "white")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 1080, 160), fill=(20, 60, 160))
    lines = (
        f"${values.randint(10, 900)}.{values.randint(10, 99)}",
        values.choice(NAMES),
        "EASTBOWL PTY LTD",
        "062-000 12345678",
        f"S{values.randint(10**9, 10**10)}",
        f"{values.randint(1, 28)} Nov 2026",
    )
    for place, line in enumerate(lines):
        draw.text((60, 300 + 120 * place), f"Field {place}", fill=(120, 120, 120), font_size=40)
        draw.text((500, 300 + 120 * place), line, fill="black", font_size=44)
    out = io.BytesIO()
    size = int(1080 * scale), int(1920 * scale)
    picture.resize(size, Image.Resampling.LANCZOS).save(out, format, **options)
    return out.getvalue()


def prove_by(buyer: Buyer, order: Order, picture: bytes) -> Certificate:
    return prove(buyer, order, picture_hash=reencode(picture).hash)


def test_a_reviewer_sees_the_same_picture_of_other_orders_however_it_was_saved(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tests that run at the same time may leave the decoder little of the processor.
    monkeypatch.setattr(uploads, "MAX_SECONDS", 60.0)
    make_paid(buyer)
    first = prove_by(buyer, make_order(buyer), receipt(1))
    prove_by(buyer, make_order(buyer), receipt(2))
    order = make_order(Buyer())
    prove(Buyer(order.customer), order, picture_hash=first.picture_hash)
    again = prove_by(Buyer(order.customer), order, receipt(1, 0.6, "JPEG", quality=40))
    assert first.picture_hash != again.picture_hash
    assert earlier_uses(again) == [first]
    assert not earlier_uses(prove(buyer, make_order(buyer)))
    assert PictureBand.objects.filter(certificate=again).count() == 8


def test_plain_pictures_are_not_taken_for_the_same_one(buyer: Buyer, subtests: pytest.Subtests) -> None:
    make_paid(buyer)
    for picture_hash in ("0" * 256, "f" * 256, "0" * 240 + "1" * 11 + "0" * 5):
        with subtests.test(picture_hash=picture_hash), rolled_back():
            earlier = prove(buyer, make_order(buyer), picture_hash=picture_hash)
            later = prove(buyer, make_order(buyer), picture_hash=picture_hash)
            assert not earlier_uses(later)
            assert not look_the_same(earlier.picture_hash, later.picture_hash)
            assert not PictureBand.objects.filter(certificate=later).exists()


@pytest.fixture
def reviewer() -> Client:
    return staff_with("view_certificate", "review_certificate")


def test_staff_review_on_the_page_of_a_certificate(buyer: Buyer, order: Order, reviewer: Client) -> None:
    make_paid(buyer)
    earlier = prove(buyer, make_order(buyer), picture_hash="0f" * 128)
    certificate = prove(buyer, order, picture_hash="0f" * 128)
    address = reverse("payment_certificates:inspect", args=[certificate.pk])
    card = transfers_to_review(User.objects.get(username="staff2"))
    assert card is not None
    assert (card.total, address in [item.url for item in card.items]) == (2, True)
    assert order.order_no in html_of(reviewer.get(card.more_url))
    page = html_of(reviewer.get(address))
    assert f'value="{order.pay_amount}"' in page
    assert reverse("payment_certificates:inspect", args=[earlier.pk]) in page
    rejecting = reverse("certificate_reject", args=[certificate.pk])
    answer = reviewer.post(rejecting, {"reason": "other"}, follow=True)
    assert "To the customer: Explain what is wrong" in html_of(answer)
    assert '<option value="" selected>' in page
    assert "This field is required" in html_of(reviewer.post(rejecting, {"reason": ""}, follow=True))
    certificate.refresh_from_db()
    assert certificate.state == Certificate.State.waiting
    approving = reverse("certificate_approve", args=[certificate.pk])
    answer = reviewer.post(approving, {"amount": str(order.pay_amount), "note": ""}, follow=True)
    assert "The transfer was approved." in html_of(answer)
    answer = reviewer.post(rejecting, {"reason": "unreadable"}, follow=True)
    assert "This transfer has already been reviewed" in html_of(answer)
    order.refresh_from_db()
    assert order.status == OrderStatus.paid


def test_who_may_not_review_sees_the_picture_without_buttons(buyer: Buyer, order: Order) -> None:
    certificate = prove(buyer, order)
    client = staff_with("view_certificate")
    page = html_of(client.get(reverse("payment_certificates:inspect", args=[certificate.pk])))
    assert "<img" in page
    approving = reverse("certificate_approve", args=[certificate.pk])
    assert approving not in page
    with nothing_changes():
        answer = client.post(approving, {"amount": str(order.pay_amount)})
        assert answer.status_code in (302, 403)
    assert transfers_to_review(User.objects.get(username="staff1")) is None
