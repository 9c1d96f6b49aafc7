"""Files of customers, which cannot be downloaded by their URL alone."""

from django.conf import settings
from django.core.files.storage import FileSystemStorage


def private_storage(folder: str) -> FileSystemStorage:
    """Return the storage of a folder that only the shop can read, unlike the public media folder."""
    return FileSystemStorage(
        location=settings.DATA_DIR / folder,
        file_permissions_mode=0o600,
        directory_permissions_mode=0o700,
    )
