"""Leases: the exclusive right to do something for a limited time."""

from django.db import models


class Lease(models.Model):
    """A name that one holder owns until `ends_at`, even if the holder's process ends."""

    name = models.CharField(max_length=120, primary_key=True)
    holder = models.UUIDField()
    ends_at = models.DateTimeField()
