"""Pictures that prove a payment: private, shown by a link that is signed for a day (RELIABILITY 3.18)."""

from datetime import timedelta
from io import BytesIO

from django.conf import settings
from django.core import signing
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse

from commerce.accounts.guard import Limit, attempt
from commerce.accounts.models import Customer
from commerce.payments.models import Certificate
from core.errors import Err, ShopError
from core.ids import new_secret
from core.uploads import MOST_BYTES, NoPictureError, drawn_anew

PER_CUSTOMER = Limit("certificate", most=20, window=timedelta(days=1))
LINK_LASTS = timedelta(days=1)
_signer = signing.TimestampSigner(salt="pay-certificate")


def keep(*, customer: Customer, file: UploadedFile) -> Certificate:
    """Keep a customer's picture, drawn anew; 20 of one customer in a day.

    The file is written before its row: a fault between leaves a file that no address leads to.
    Raises ShopError(picture_error, too_frequent, body_too_large).
    """
    if file.size is None or file.size > MOST_BYTES:
        raise ShopError(Err.body_too_large)
    attempt((PER_CUSTOMER, str(customer.pk)))
    try:
        picture = drawn_anew(file.read())
    except NoPictureError as error:
        raise ShopError(Err.picture_error, fields={"file": Err.picture_error.name}) from error
    name = new_secret()
    storage().save(file_name(name), BytesIO(picture))
    return Certificate.objects.create(customer=customer, name=name)


def address(certificate: Certificate) -> str:
    """Return where a certificate can be seen without logging in, for a day."""
    key = _signer.sign(certificate.name).removeprefix(f"{certificate.name}:")
    return f"{reverse('pay_certificate', args=[certificate.name])}?key={key}"


def is_signed(name: str, key: str) -> bool:
    """Tell whether a key of `address` is genuine and still lasts."""
    try:
        _signer.unsign(f"{name}:{key}", max_age=LINK_LASTS)
    except signing.BadSignature:
        return False
    return True


def named_by(customer: Customer, img_url: str) -> Certificate | None:
    """Return the customer's own certificate by its `address`, however old that is; None for others."""
    name = img_url.partition("?")[0].rpartition("/")[2]
    return customer.certificates.filter(name=name).first() if "\0" not in name else None


def storage() -> FileSystemStorage:
    """Return where the files lie: never in the folder that everyone may read."""
    return FileSystemStorage(
        location=settings.DATA_DIR / "certificates",
        base_url=None,
        file_permissions_mode=0o600,
        directory_permissions_mode=0o700,
    )


def file_name(name: str) -> str:
    """Return the name of a certificate's file."""
    return f"{name}.jpg"
