"""Moves documents of earlier releases, which stored them among the public pictures."""

import filecmp
import shutil
from pathlib import Path

from django.conf import settings

from core.private_files import DOCUMENTS, private_storage


def public_documents() -> list[Path]:
    """Return the files in the former folder of documents, which the proxy serves to everyone."""
    folder = Path(settings.MEDIA_ROOT) / DOCUMENTS
    return sorted(file for file in folder.rglob("*") if file.is_file())


def move_documents() -> tuple[int, list[Path]]:
    """Move the documents out of the public folder; return their number, and the files that were left.

    A file is left if there is another one with its name. The function can be repeated, also after a failure
    in between.
    """
    storage, folder = private_storage(DOCUMENTS), Path(settings.MEDIA_ROOT) / DOCUMENTS
    moved, left = 0, []
    for file in public_documents():
        target = Path(storage.path(str(file.relative_to(folder))))
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.move(file, target)
            target.chmod(0o600)
        elif filecmp.cmp(file, target, shallow=False):
            file.unlink()
        else:
            left.append(file)
            continue
        moved += 1
    return moved, left
