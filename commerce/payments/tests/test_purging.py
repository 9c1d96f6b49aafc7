from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.core.files.storage import FileSystemStorage
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.orders.tests.builders import Buyer, make_order
from commerce.payments import purging
from commerce.payments.models import Certificate, PaymentEvent
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.providers.sandbox.tasks import delete_old_charges
from commerce.payments.services import certificates
from commerce.payments.services.certificates import store_certificate, take_upload
from commerce.payments.tasks import delete_old_certificates, delete_old_events
from commerce.payments.tests.builders import make_payment
from core import lost_files
from core.lost_files import Withheld, withheld
from core.tests.pictures import picture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_decoder")]


def upload(customer: Customer) -> Certificate:
    return store_certificate(customer=customer, picture=picture(), network="1")


def files(folder: Path) -> set[str]:
    return {file.stem for file in folder.iterdir()}


def test_certificates_are_deleted_with_their_files_after_90_days(customer: Customer, folder: Path) -> None:
    old, new = upload(customer), upload(customer)
    Certificate.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=91))
    delete_old_certificates()
    assert list(Certificate.objects.all()) == [new]
    assert files(folder) == {new.name}


def test_a_picture_goes_90_days_after_its_review_and_its_row_stays(folder: Path) -> None:
    buyer = Buyer()
    for state in ("waiting", "approved", "rejected", "replaced"):
        certificate = upload(buyer.customer)
        Certificate.objects.filter(pk=certificate.pk).update(order=make_order(buyer), state=state)
    with time_machine.travel(timezone.now() + timedelta(days=80)):
        Certificate.objects.filter(state="approved").update(reviewed_at=timezone.now())
        Certificate.objects.filter(state="rejected").update(reviewed_at=timezone.now())
    for days, left in ((91, {"waiting", "approved", "rejected"}), (171, {"waiting"})):
        with time_machine.travel(timezone.now() + timedelta(days=days)):
            delete_old_certificates()
            assert purging.delete_old_certificates() == 0
        kept = Certificate.objects.filter(name__in=files(folder))
        assert set(kept.values_list("state", flat=True)) == left
        assert set(Certificate.objects.filter(picture_deleted_at=None)) == set(kept)
    assert Certificate.objects.exclude(picture_hash="").count() == 4


def test_a_fault_between_file_and_row_is_fixed_the_next_night(
    customer: Customer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = upload(customer)
    Certificate.objects.update(created_at=timezone.now() - timedelta(days=91))

    def fail(*_arguments: object) -> None:
        raise OSError("the power is gone")

    for broken, left in ((FileSystemStorage, {old.name}), (QuerySet, set())):
        with monkeypatch.context() as patch:
            patch.setattr(broken, "delete", fail)
            assert purging.delete_old_certificates() == 0
        assert files(folder) == left
        assert list(Certificate.objects.all()) == [old]
    delete_old_certificates()
    assert not Certificate.objects.exists()


def test_a_file_that_never_got_its_row_is_moved_after_a_day_and_deleted_a_month_later(
    customer: Customer, folder: Path
) -> None:
    lost, stored = upload(customer), upload(customer)
    lost.delete()
    delete_old_certificates()
    assert files(folder) == {lost.name, stored.name}
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        delete_old_certificates()
        moved = folder.parent / "lost" / timezone.localdate().isoformat() / folder.name
    assert files(folder) == {stored.name}
    assert files(moved) == {lost.name}
    for days, is_there in ((30, True), (33, False)):
        with time_machine.travel(timezone.now() + timedelta(days=days)):
            delete_old_certificates()
        assert moved.exists() == moved.parent.exists() == is_there
    assert files(folder) == {stored.name}


def test_with_the_database_of_another_shop_every_file_stays(customer: Customer, folder: Path) -> None:
    rows = [upload(customer) for _ in range(12)]
    before = {file: file.read_bytes() for file in folder.iterdir()}
    Certificate.objects.all().delete()
    upload(customer).delete()
    with time_machine.travel(timezone.now() + timedelta(days=40)):
        delete_old_certificates()
    assert len(before) == len(rows)
    assert {file: file.read_bytes() for file in before} == before
    assert withheld() == [Withheld("certificates", 13, 13)]


def test_uploads_that_claims_used_are_deleted_and_never_lost(customer: Customer, folder: Path) -> None:
    unused, *used = [upload(customer) for _ in range(12)]
    for certificate in used:
        with transaction.atomic():
            assert take_upload(certificate)
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        delete_old_certificates()
    assert files(folder) == {unused.name}
    assert not (folder.parent / "lost").exists()


def test_files_without_a_row_are_found_however_many_there_are(
    customer: Customer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lost_files, "BATCH", 2)
    stored, *lost = [upload(customer) for _ in range(6)]
    for row in lost:
        row.delete()
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        assert certificates.move_files_without_row() == 5
        assert certificates.move_files_without_row() == 0
    assert files(folder) == {stored.name}


def test_a_file_that_cannot_be_read_keeps_no_other_one(customer: Customer, folder: Path) -> None:
    old = upload(customer)
    (folder / "0.jpg").symlink_to(folder / "nowhere.jpg")
    Certificate.objects.update(created_at=timezone.now() - timedelta(days=91))
    delete_old_certificates()
    assert files(folder) == {"0"}
    assert not Certificate.objects.filter(pk=old.pk).exists()


def test_without_any_upload_there_is_nothing_to_delete(folder: Path) -> None:
    delete_old_certificates()
    assert certificates.move_files_without_row() == 0
    assert not folder.exists()


def test_notices_are_deleted_after_two_years_and_payments_stay() -> None:
    payment = make_payment(Buyer())
    for event_id in ("old", "new"):
        PaymentEvent.objects.create(provider="sandbox", event_id=event_id, payment=payment, body={})
    PaymentEvent.objects.filter(event_id="old").update(created_at=timezone.now() - timedelta(days=731))
    delete_old_events()
    assert PaymentEvent.objects.get().event_id == "new"


def test_charges_at_the_double_are_deleted_after_a_month() -> None:
    payment = make_payment(Buyer())
    delete_old_charges()
    assert SandboxCharge.objects.get().reference == payment.reference
    SandboxCharge.objects.update(created_at=timezone.now() - timedelta(days=31))
    delete_old_charges()
    assert not SandboxCharge.objects.exists()
