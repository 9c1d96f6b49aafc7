"""Files that staff import or export in the back office."""

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.update_only import UpdateOnlyModel


class FileRun(UpdateOnlyModel):
    """A file that staff import or export: the row is first, a task does the work."""

    UPDATE_ONLY = frozenset(
        {
            "state",
            "rows_done",
            "rows_all",
            "difference",
            "problems",
            "is_partial",
            "claim",
            "beat_at",
            "tries",
        }
    )

    class State(models.TextChoices):
        """What is being done, or has become of it."""

        checking = "checking", _("Being checked")
        checked = "checked", _("Checked, waits for your decision")
        refused = "refused", _("Refused")
        applying = "applying", _("Being applied")
        writing = "writing", _("Being written")
        done = "done", _("Done")
        failed = "failed", _("Failed")
        lapsed = "lapsed", _("Lapsed")

    # Staff have to act on these.
    WORK = (State.checking, State.applying, State.writing)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    # The language of the member of staff who began it: the problems are written in it.
    language = models.CharField(max_length=10)
    file_name = models.CharField(_("file"), max_length=200)
    # What is exported; empty for an import, whose header identifies it.
    table = models.CharField(max_length=20, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices)
    rows_done = models.PositiveIntegerField(default=0)
    rows_all = models.PositiveIntegerField(default=0)
    # What an import would change or has changed, by the kind of rows; what is wrong with its file.
    difference = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    # Refused while it was applied: the rows before the problems are in the shop.
    is_partial = models.BooleanField(default=False)
    # The worker that has it, when it last reported, and how many workers have had it.
    claim = models.UUIDField(null=True)
    beat_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("import or export")
        verbose_name_plural = _("imports and exports")
        indexes = [
            models.Index(
                fields=["id"],
                name="file_runs_to_work_on",
                condition=Q(state__in=["checking", "applying", "writing"]),
            )
        ]

    @staticmethod
    def folder() -> Path:
        """Return the folder of all files, never the one that everyone may read."""
        return Path(settings.DATA_DIR) / "files"

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.folder() / str(self.pk)

    @property
    def draft(self) -> Path:
        """The path of what its worker writes; another claim has another one."""
        return self.path.with_suffix(f".{self.claim}")

    @property
    def is_work(self) -> bool:
        """Whether staff have to act on it."""
        return self.state in self.WORK
