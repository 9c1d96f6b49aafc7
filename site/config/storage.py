"""Static files: hashed names and compressed copies, made by collectstatic."""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ShopStaticFiles(CompressedManifestStaticFilesStorage):
    """Leaves the islands' names alone: their build has hashed them, and they import each other by them."""

    def file_hash(self, name: str | None, content: Any = None) -> Any:
        """Return what makes a file's name unique, None to keep it; no name stands for the manifest."""
        return None if name and name.startswith("islands/") else super().file_hash(name, content)
