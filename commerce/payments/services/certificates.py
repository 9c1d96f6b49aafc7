"""Pictures that prove a transfer: private, and shown by a link that is signed for a day.

See docs/guarantees/customers.md#uploaded-pictures.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path

from django.core import signing
from django.core.files.base import File
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from commerce.accounts.models import Customer, is_not_deleted
from commerce.orders.models import Order
from commerce.orders.services import find_order
from commerce.payments.hold_times import TRANSFER
from commerce.payments.models import Certificate, PictureBand
from commerce.payments.pay_types import pay_type_of
from commerce.payments.same_pictures import bands_of
from commerce.payments.services.payable import check_payable, check_usable, note_certificate
from commerce.rate_limits.services import RateLimit, consume, refund, refunded_if_busy
from core.due_rows import process_in_batches
from core.errors import Err, ShopError
from core.ids import new_secret
from core.lost_files import move_lost_files
from core.pictures.uploads import MAX_BYTES, DecoderBusyError, NoPictureError, Reencoded, reencode
from core.private_files import private_storage
from core.transactions import in_callers_transaction, in_transaction

PER_CUSTOMER = RateLimit("certificate", maximum=20, window=timedelta(days=1))
# Decoding a malicious picture costs seconds, so refused pictures have their own limits.
REFUSED_PER_CUSTOMER = RateLimit("bad picture", maximum=40, window=timedelta(hours=1))
REFUSED_PER_NETWORK = RateLimit(
    "bad picture network", maximum=100, window=timedelta(hours=1), by_network=True
)
# Longer than an upload can take. The lock expires, in case the process is killed during the upload.
LOCKED_FOR = timedelta(seconds=15)
CONCURRENT_PER_CUSTOMER = RateLimit("upload under way", maximum=1, window=LOCKED_FOR, lock=LOCKED_FOR)
BUSY_RETRY_SECONDS = 2
State = Certificate.State
_FOLDER = "certificates"
LINK_VALID_FOR = timedelta(days=1)
_ADDRESS = re.compile(r"/pay/certificate/([\w-]{1,43})(?:\?|\Z)", re.ASCII)
_signer = signing.TimestampSigner(salt="pay-certificate")


def store_certificate(*, customer: Customer, picture: bytes, network: str) -> Certificate:
    """Store a customer's picture, re-encoded; 20 stored pictures a day for each customer.

    `network`: as `client_network` returns it. A customer can upload one picture at a time, across all
    processes. An hour allows 40 refused pictures of a customer and 100 of a network. Before decoding, each
    upload is counted both as stored and as refused, so that concurrent uploads cannot exceed the limits; one
    count is refunded afterwards. The file is written before the row, so a failure in between leaves a file
    without a URL. Call it outside any transaction. Raises ShopError(picture_error, too_frequent,
    body_too_large).
    """
    if len(picture) > MAX_BYTES:
        raise ShopError(Err.body_too_large)
    with _only_upload(customer):
        fresh = _reencode(customer, picture, network)
        name = new_secret()
        with refunded_if_busy((PER_CUSTOMER, str(customer.pk))):
            private_storage(_FOLDER).save(_file_name(name), BytesIO(fresh.jpeg))
            return Certificate.objects.create(customer=customer, name=name, picture_hash=fresh.hash)


@contextmanager
def _only_upload(customer: Customer) -> Iterator[None]:
    lock = (CONCURRENT_PER_CUSTOMER, str(customer.pk))
    try:
        consume(lock)
    except ShopError:
        # The lock usually ends before its expiry, together with the other upload.
        raise ShopError(Err.too_frequent, retry_after=BUSY_RETRY_SECONDS) from None
    try:
        yield
    finally:
        refund(lock)


def _reencode(customer: Customer, picture: bytes, network: str) -> Reencoded:
    stored = (PER_CUSTOMER, str(customer.pk))
    refused = ((REFUSED_PER_CUSTOMER, str(customer.pk)), (REFUSED_PER_NETWORK, network))
    consume(stored, *refused)
    try:
        fresh = reencode(picture)
    except NoPictureError as error:
        refund(stored)
        raise ShopError(Err.picture_error, fields={"file": Err.picture_error.name}) from error
    except DecoderBusyError:
        refund(stored, *refused)
        raise ShopError(Err.too_frequent, retry_after=BUSY_RETRY_SECONDS) from None
    with refunded_if_busy(stored, *refused):
        refund(*refused)
    return fresh


@in_transaction
def prove_transfer(*, customer: Customer, order_no: str, image_url: str) -> None:
    """Prove the transfer of a customer's order by a picture that they uploaded within a day.

    It replaces a picture that awaits its review; a repeat changes nothing. A customer who has begun a
    transfer may prove it even if the shop no longer offers transfers. See docs/wire.md#savepaycertificates.
    `image_url`: as for `find_upload`. Locks: Order, Certificate. Raises ShopError(order_not_found). Raises
    parameter_error for a picture that is not the customer's, is too old, or was used before. Also raises as
    `note_certificate` does, and as `check_usable` does for a transfer that begins now.
    """
    order = find_order(customer=customer, order_no=order_no)
    certificate = find_upload(customer=customer, image_url=image_url)
    if certificate is None:
        raise _not_usable()
    has_begun = order.pay_type == TRANSFER or order.certificates.exists()
    transfer = None if has_begun else pay_type_of(TRANSFER)
    if transfer is not None:
        check_payable(order=order)
        check_usable(pay_type=transfer, order=order)
    note_certificate(order=order, image=image_of(certificate))
    waiting = Certificate.objects.filter(order=order, state=State.waiting)
    if waiting.filter(pk=certificate.pk).exists():
        return
    waiting.update(state=State.replaced)
    unused = Certificate.objects.filter(pk=certificate.pk, state=State.uploaded, picture_deleted_at=None)
    if not unused.update(order=order, state=State.waiting):
        raise _not_usable()
    PictureBand.objects.bulk_create(
        PictureBand(certificate=certificate, value=value) for value in bands_of(certificate.picture_hash)
    )


def find_upload(*, customer: Customer, image_url: str) -> Certificate | None:
    """Return the picture that the customer uploaded within a day, by its URL; None for any other.

    `image_url`: the URL that the upload returned, with or without its key.
    """
    found = _ADDRESS.search(image_url)
    fresh = customer.certificates.filter(
        created_at__gt=timezone.now() - LINK_VALID_FOR, picture_deleted_at=None
    )
    return fresh.filter(name=found[1]).first() if found else None


def upload_file(upload: Certificate) -> File[bytes]:
    """Open the file of an upload; raises FileNotFoundError."""
    return private_storage(_FOLDER).open(_file_name(upload.name))


@in_callers_transaction
def take_upload(upload: Certificate) -> bool:
    """Use an upload for another purpose than a transfer, once; return False if it is used already.

    Its row then counts as one whose picture is deleted, and `delete_used` deletes its file.
    Locks: Certificate.
    """
    unused = Certificate.objects.filter(pk=upload.pk, state=State.uploaded, picture_deleted_at=None)
    return bool(unused.update(picture_deleted_at=timezone.now()))


def _not_usable() -> ShopError:
    return ShopError(Err.parameter_error, fields={"imgUrl": Err.parameter_error.name})


def current_certificate(order: Order) -> Certificate | None:
    """Return the certificate that awaits its review, else the last reviewed one; one query."""
    current = order.certificates.exclude(state=State.replaced)
    return current.order_by(F("reviewed_at").desc(nulls_first=True)).first()


def image_of(certificate: Certificate) -> str:
    """Return the path of a certificate's picture as orders store it, which shows nothing without a key."""
    return reverse("pay_certificate", args=[certificate.name])


def delete_unused(*, before: datetime) -> int:
    """Delete the pictures that were uploaded before a time and prove no order; return how many.

    Each file is deleted before its row, so a failure in between leaves a row that the next night deletes.
    """
    unused = Certificate.objects.filter(state=State.uploaded, created_at__lt=before)
    return process_in_batches("delete certificates", unused, _delete)


def _delete(certificate_ids: list[int]) -> int:
    certificates = Certificate.objects.filter(pk__in=certificate_ids)
    _delete_files(certificates)
    certificates.delete()
    return len(certificate_ids)


def delete_used() -> int:
    """Delete the files of uploads that were used for another purpose in the last week; return how many."""
    last = timezone.now() - timedelta(days=7)
    used = Certificate.objects.filter(state=State.uploaded, picture_deleted_at__gt=last)
    return process_in_batches("delete used uploads", used, _delete_used)


def _delete_used(certificate_ids: list[int]) -> int:
    _delete_files(Certificate.objects.filter(pk__in=certificate_ids))
    return len(certificate_ids)


def delete_pictures(*, before: datetime) -> int:
    """Delete the files of certificates that were reviewed or replaced before a time; return how many.

    The rows stay, with the customer, the reviewer, and the hash that identifies the picture.
    """
    is_over = Q(reviewed_at__lt=before) | Q(state=State.replaced, created_at__lt=before)
    over = Certificate.objects.filter(is_over, picture_deleted_at=None)
    return process_in_batches("delete pictures of certificates", over, _delete_pictures)


def _delete_pictures(certificate_ids: list[int]) -> int:
    certificates = Certificate.objects.filter(pk__in=certificate_ids)
    _delete_files(certificates)
    return certificates.update(picture_deleted_at=timezone.now())


def _delete_files(certificates: QuerySet[Certificate]) -> None:
    for name in certificates.values_list("name", flat=True):
        private_storage(_FOLDER).delete(_file_name(name))


def move_files_without_row() -> int:
    """Move files that a failure left without a row over a day ago; return how many."""
    return move_lost_files(Path(private_storage(_FOLDER).location), _with_row)


def _with_row(files: list[str]) -> set[str]:
    names = [Path(file).stem for file in files]
    rows = Certificate.objects.filter(name__in=names)
    return {_file_name(name) for name in rows.values_list("name", flat=True)}


def certificate_url(certificate: Certificate) -> str:
    """Return the path that shows a certificate's picture without login, for a day.

    Empty once the picture was deleted.
    """
    if certificate.picture_deleted_at is not None:
        return ""
    key = _signer.sign(certificate.name).removeprefix(f"{certificate.name}:")
    return f"{image_of(certificate)}?key={key}"


def open_certificate(*, name: str, key: str, is_staff: bool = False) -> File[bytes] | None:
    """Open the file of a `certificate_url` by name and key; return None for a wrong or expired key.

    The link ends with the customer's account, except for staff.
    """
    try:
        _signer.unsign(f"{name}:{key}", max_age=LINK_VALID_FOR)
        of_account = Q() if is_staff else is_not_deleted("customer__")
        found = Certificate.objects.filter(of_account, name=name).exists()
        return private_storage(_FOLDER).open(_file_name(name)) if found else None
    except (signing.BadSignature, FileNotFoundError):
        return None


def _file_name(name: str) -> str:
    return f"{name}.jpg"
