"""Leases, the exclusive right to do something for a limited time, and the mark of the data folder."""

from django.db import models

from core.update_only import UpdateOnlyModel


class Lease(models.Model):
    """A name that one holder owns until `ends_at`, even if the holder's process ends."""

    name = models.CharField(max_length=120, primary_key=True)
    holder = models.UUIDField()
    ends_at = models.DateTimeField()


class DataMark(UpdateOnlyModel):
    """The mark of the data folder that belongs to this database, in the only row (see `core.data_mark`)."""

    UPDATE_ONLY = frozenset({"mark", "adopted_at"})
    # The key of the row.
    ONLY = 1

    mark = models.CharField(max_length=64)
    # False if rows named files before the database had a mark.
    is_new = models.BooleanField()
    # When a folder got the mark. From then on a folder without a mark is another one.
    adopted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="only_one_data_mark")]
