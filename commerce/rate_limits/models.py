"""How often a limited act was done."""

from django.db import models

from core.update_only import UpdateOnlyModel


class RateLimitCounter(UpdateOnlyModel):
    """How often one subject attempted what a limit bounds: guesses of a secret, codes sent.

    `subject` is a keyed hash: accounts that do not exist are counted as well, and none can be read from it.
    """

    UPDATE_ONLY = frozenset({"count", "window_ends_at", "locked_until"})

    limit = models.CharField(max_length=20)
    subject = models.CharField(max_length=64)
    count = models.PositiveIntegerField(default=0)
    window_ends_at = models.DateTimeField(db_index=True)
    locked_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["limit", "subject"], name="one_counter_per_subject")]
