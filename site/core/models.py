"""Leases: the exclusive right to do something for a while."""

from django.db import models


class Lease(models.Model):
    """A name that one holder has until `ends_at`, whatever becomes of the holder's process."""

    name = models.CharField(max_length=120, primary_key=True)
    holder = models.UUIDField()
    ends_at = models.DateTimeField()
