"""Deletes pictures of claims that have served their time (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from commerce.claims.services.pictures import delete_files_without_row, delete_old_pictures

# After the decision, as certificates after their review.
PICTURE_RETENTION = timedelta(days=90)


def delete_pictures_of_old_claims() -> int:
    """Delete pictures 90 days after their claim was decided, and files without a row; returns how many."""
    delete_files_without_row()
    return delete_old_pictures(before=timezone.now() - PICTURE_RETENTION)
