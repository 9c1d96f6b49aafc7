"""Pictures that prove a payment: private, shown by a link that is signed for a day.

See docs/guarantees.md#pictures-from-strangers.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path

from django.core import signing
from django.core.files.base import File
from django.urls import reverse

from commerce.accounts.models import Customer
from commerce.orders.services import find_order
from commerce.payments.models import Certificate
from commerce.payments.services.payable import note_certificate
from commerce.rate_limits.services import RateLimit, consume, refund, refunded_if_busy
from core.errors import Err, ShopError
from core.ids import new_secret
from core.lost_files import delete_lost_files
from core.pictures.uploads import MAX_BYTES, DecoderBusyError, NoPictureError, reencode
from core.private_files import private_storage
from core.sweeps import sweep_batches

PER_CUSTOMER = RateLimit("certificate", maximum=20, window=timedelta(days=1))
# Decoding a hostile picture costs seconds, so refused ones have bounds of their own.
REFUSED_PER_CUSTOMER = RateLimit("bad picture", maximum=40, window=timedelta(hours=1))
REFUSED_PER_NETWORK = RateLimit("bad picture network", maximum=100, window=timedelta(hours=1))
# Longer than an upload can take. It ends by itself, for the case that the process is killed meanwhile.
LOCKED_FOR = timedelta(seconds=15)
AT_ONCE_PER_CUSTOMER = RateLimit("upload under way", maximum=1, window=LOCKED_FOR, lock=LOCKED_FOR)
BUSY_RETRY_SECONDS = 2
_FOLDER = "certificates"
LINK_VALID_FOR = timedelta(days=1)
_ADDRESS = re.compile(r"/pay/certificate/([\w-]{1,43})(?:\?|\Z)", re.ASCII)
_signer = signing.TimestampSigner(salt="pay-certificate")


def store_certificate(*, customer: Customer, picture: bytes, network: str) -> Certificate:
    """Store a customer's picture, re-encoded; 20 of one customer in a day, refused ones not among them.

    `network`: as `client_network` names it. One upload of a customer at a time, whichever process it came
    to. An hour has room for 40 refused pictures of one customer and 100 from one network. Each upload is
    counted as stored and as refused before it is decoded, so that simultaneous ones cannot all pass, and one
    of both is refunded afterwards. The file is written before its row: a fault between leaves a file that no
    URL leads to. Call it outside any transaction.
    Raises ShopError(picture_error, too_frequent, body_too_large).
    """
    if len(picture) > MAX_BYTES:
        raise ShopError(Err.body_too_large)
    with _only_upload(customer):
        fresh = _reencode(customer, picture, network)
        name = new_secret()
        with refunded_if_busy((PER_CUSTOMER, str(customer.pk))):
            private_storage(_FOLDER).save(_file_name(name), BytesIO(fresh))
            return Certificate.objects.create(customer=customer, name=name)


@contextmanager
def _only_upload(customer: Customer) -> Iterator[None]:
    lock = (AT_ONCE_PER_CUSTOMER, str(customer.pk))
    try:
        consume(lock)
    except ShopError:
        # The lock ends sooner than it says, with the other upload.
        raise ShopError(Err.too_frequent, retry_after=BUSY_RETRY_SECONDS) from None
    try:
        yield
    finally:
        refund(lock)


def _reencode(customer: Customer, picture: bytes, network: str) -> bytes:
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


def prove_transfer(*, customer: Customer, order_no: str, image_url: str) -> None:
    """Prove the transfer of a customer's order by a picture that they have uploaded.

    See docs/wire.md#savepaycertificates. `image_url`: what the upload answered, with or without its key.
    Raises ShopError(order_not_found), parameter_error for a picture that is not the customer's, and as
    `note_certificate` does.
    """
    order = find_order(customer=customer, order_no=order_no)
    found = _ADDRESS.search(image_url)
    certificate = customer.certificates.filter(name=found[1]).first() if found else None
    if certificate is None:
        raise ShopError(Err.parameter_error, fields={"imgUrl": Err.parameter_error.name})
    note_certificate(order=order, image=reverse("pay_certificate", args=[certificate.name]))


def delete_certificates(*, before: datetime) -> int:
    """Delete the pictures that were uploaded before a time; returns how many.

    Each file goes before its row: a fault between leaves a row that the next night deletes.
    """
    return sweep_batches("delete certificates", Certificate.objects.filter(created_at__lt=before), _delete)


def _delete(certificate_ids: list[int]) -> int:
    certificates = Certificate.objects.filter(pk__in=certificate_ids)
    for name in certificates.values_list("name", flat=True):
        private_storage(_FOLDER).delete(_file_name(name))
    certificates.delete()
    return len(certificate_ids)


def delete_files_without_row() -> int:
    """Delete the files that a fault has left without a row over a day ago; returns how many."""
    return delete_lost_files(Path(private_storage(_FOLDER).location), _with_row)


def _with_row(files: list[str]) -> set[str]:
    rows = Certificate.objects.filter(name__in=[Path(file).stem for file in files])
    return {_file_name(name) for name in rows.values_list("name", flat=True)}


def certificate_url(certificate: Certificate) -> str:
    """Return the path under which a certificate can be seen without logging in, for a day."""
    key = _signer.sign(certificate.name).removeprefix(f"{certificate.name}:")
    return f"{reverse('pay_certificate', args=[certificate.name])}?key={key}"


def open_certificate(*, name: str, key: str) -> File[bytes] | None:
    """Open a certificate's file by the name and key of `certificate_url`; None for a wrong or old key."""
    try:
        _signer.unsign(f"{name}:{key}", max_age=LINK_VALID_FOR)
        return private_storage(_FOLDER).open(_file_name(name))
    except (signing.BadSignature, FileNotFoundError):
        return None


def _file_name(name: str) -> str:
    return f"{name}.jpg"
