"""Pictures of claims: private, shown by links that are signed for a day, as pictures of transfers are.

See docs/guarantees/money.md#claims.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.core import signing
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from commerce.accounts.models import Customer, is_not_deleted
from commerce.claims.models import ClaimMessage, ClaimPicture
from commerce.payments.models import Certificate
from commerce.payments.services.certificates import find_upload, take_upload, upload_file
from core.due_rows import process_in_batches
from core.errors import Err, ShopError
from core.ids import new_secret
from core.lost_files import move_lost_files
from core.private_files import private_storage

# The limit for one message.
MAX_PICTURES = 4
LINK_VALID_FOR = timedelta(days=1)
_FOLDER = "claims"
_signer = signing.TimestampSigner(salt="claim-picture")


@dataclass(frozen=True)
class CopiedUpload:
    """An upload whose file was copied for a claim; `name`: the copy's random name."""

    upload: Certificate
    name: str


@contextmanager
def copied_uploads(customer: Customer, image_urls: Sequence[str]) -> Iterator[list[CopiedUpload]]:
    """Copy a customer's uploads of the last day for one message; delete the copies if the block fails.

    The files are written before their rows, so a failure in between leaves files without a URL. Use it
    outside any transaction. Raises ShopError(parameter_error) if there are too many, or if one is not an
    unused upload of this customer.
    """
    if len(image_urls) > MAX_PICTURES:
        raise not_usable()
    uploads = [find_upload(customer=customer, image_url=url) for url in image_urls]
    copies: list[CopiedUpload] = []
    try:
        for upload in uploads:
            copies.append(_copied(upload))
        yield copies
    except BaseException:
        for copy in copies:
            _storage().delete(_file_name(copy.name))
        raise


def _copied(upload: Certificate | None) -> CopiedUpload:
    if upload is None:
        raise not_usable()
    name = new_secret()
    try:
        with upload_file(upload) as file:
            _storage().save(_file_name(name), file)
    except FileNotFoundError:
        raise not_usable() from None
    return CopiedUpload(upload, name)


def take_uploads(copies: Sequence[CopiedUpload]) -> None:
    """Mark the uploads of a message as used, within the caller's transaction; each can be used once.

    Locks: Certificate by pk. Raises ShopError(parameter_error) if one is already used.
    """
    for copy in sorted(copies, key=lambda copy: copy.upload.pk):
        if not take_upload(copy.upload):
            raise not_usable()


def add_pictures(message: ClaimMessage, copies: Sequence[CopiedUpload]) -> None:
    """Add pictures to a message; call `take_uploads` for their uploads first."""
    ClaimPicture.objects.bulk_create(ClaimPicture(message=message, name=copy.name) for copy in copies)


def not_usable() -> ShopError:
    """Return the error for a picture that is not the customer's, too old, or already used."""
    return ShopError(Err.parameter_error, fields={"images": Err.parameter_error.name})


def picture_url(picture: ClaimPicture) -> str | None:
    """Return a path that shows a picture for a day; None if the picture is deleted."""
    if picture.deleted_at is not None:
        return None
    key = _signer.sign(picture.name).removeprefix(f"{picture.name}:")
    return f"{reverse('claim_picture', args=[picture.name])}?key={key}"


def open_picture(*, name: str, key: str, is_staff: bool = False) -> File[bytes] | None:
    """Open a picture's file by name and key of `picture_url`; None if the key is wrong or old.

    The link ends with the customer's account, except for staff.
    """
    try:
        _signer.unsign(f"{name}:{key}", max_age=LINK_VALID_FOR)
        of_account = Q() if is_staff else is_not_deleted("message__claim__customer__")
        found = ClaimPicture.objects.filter(of_account, name=name).exists()
        return _storage().open(_file_name(name)) if found else None
    except (signing.BadSignature, FileNotFoundError):
        return None


def has_file(picture: ClaimPicture) -> bool:
    """Return True if the file of a picture exists."""
    return _storage().exists(_file_name(picture.name))


def delete_old_pictures(*, before: datetime) -> int:
    """Delete pictures of claims decided before a time and return their number; the rows stay."""
    return delete_pictures(ClaimPicture.objects.filter(message__claim__decided_at__lt=before))


def delete_pictures(pictures: QuerySet[ClaimPicture]) -> int:
    """Delete the files of pictures that still have one; return the number of pictures."""
    return process_in_batches("delete pictures of claims", pictures.filter(deleted_at=None), _delete)


def _delete(picture_ids: list[int]) -> int:
    pictures = ClaimPicture.objects.filter(pk__in=picture_ids)
    for name in pictures.values_list("name", flat=True):
        _storage().delete(_file_name(name))
    return pictures.update(deleted_at=timezone.now())


def move_files_without_row() -> int:
    """Move files that have had no row for more than a day, after a failure; return their number."""
    return move_lost_files(Path(_storage().location), _with_row)


def _with_row(files: list[str]) -> set[str]:
    names = [Path(file).stem for file in files]
    rows = ClaimPicture.objects.filter(name__in=names, deleted_at=None)
    return {_file_name(name) for name in rows.values_list("name", flat=True)}


def _storage() -> FileSystemStorage:
    return private_storage(_FOLDER)


def _file_name(name: str) -> str:
    return f"{name}.jpg"
