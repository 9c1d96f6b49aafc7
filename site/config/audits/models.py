"""The scheduled runs of the audit (docs/audit.md#each-night)."""

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.update_only import UpdateOnlyModel


class AuditRun(UpdateOnlyModel):
    """One audit of the books: the number of differences, and the first of them.

    `first`: a list of values of `Difference.as_stored`; older releases stored no sentence in them. A run
    without an end is in progress, or was killed.
    """

    UPDATE_ONLY = frozenset({"ended_at", "count", "first", "failed"})

    started_at = models.DateTimeField(gettext_lazy("begun at"), auto_now_add=True)
    ended_at = models.DateTimeField(gettext_lazy("ended at"), null=True)
    count = models.PositiveIntegerField(gettext_lazy("differences"), default=0)
    first = models.JSONField(default=list)
    failed = models.BooleanField(gettext_lazy("not complete"), default=False)

    class Meta:
        ordering = ["-id"]
        verbose_name = gettext_lazy("audit of the books")
        verbose_name_plural = gettext_lazy("audits of the books")

    def __str__(self) -> str:
        return self.outcome

    @property
    def outcome(self) -> str:
        """The result in the reader's language."""
        if self.ended_at is None:
            return _("Under way")
        if self.failed:
            return _("Not complete")
        if not self.count:
            return _("No differences")
        return ngettext("%(count)d difference", "%(count)d differences", self.count) % {"count": self.count}
