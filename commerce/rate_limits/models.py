"""Counters of rate-limited attempts."""

from django.db import models

from core.update_only import UpdateOnlyModel


class RateLimitCounter(UpdateOnlyModel):
    """The number of attempts of one subject under one limit, such as password guesses or sent codes.

    `subject` is a keyed hash that reveals no account name; attempts for unknown accounts are counted too.
    """

    UPDATE_ONLY = frozenset({"count", "window_ends_at", "locked_until"})

    limit = models.CharField(max_length=20)
    subject = models.CharField(max_length=64)
    count = models.PositiveIntegerField(default=0)
    window_ends_at = models.DateTimeField(db_index=True)
    locked_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["limit", "subject"], name="one_counter_per_subject")]
