"""Deletes old pictures of claims (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from commerce.claims.services.pictures import delete_old_pictures, move_files_without_row

# Counted from the claim's decision. Pictures of transfers are kept as long after their review.
PICTURE_RETENTION = timedelta(days=90)


def delete_pictures_of_old_claims() -> int:
    """Delete pictures 90 days after their claim's decision; return their number. Move files without a row."""
    move_files_without_row()
    return delete_old_pictures(before=timezone.now() - PICTURE_RETENTION)
