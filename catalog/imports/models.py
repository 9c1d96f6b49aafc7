"""Files that staff import or export in the back office."""

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.data_mark import refuse_other_files
from core.update_only import UpdateOnlyModel


class FileRun(UpdateOnlyModel):
    """A file that staff import or export: the row is stored first, then a task processes it."""

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
        """The current step of the work, or its outcome."""

        checking = "checking", _("Being checked")
        checked = "checked", _("Checked, waits for your decision")
        refused = "refused", _("Refused")
        applying = "applying", _("Being applied")
        writing = "writing", _("Being written")
        done = "done", _("Done")
        failed = "failed", _("Failed")
        lapsed = "lapsed", _("Lapsed")

    # States in which a worker has to process the file.
    WORK = (State.checking, State.applying, State.writing)

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    # The language of the staff who started it; problems are written in this language.
    language = models.CharField(max_length=10)
    file_name = models.CharField(_("file"), max_length=200)
    # The exported table; empty for an import, whose heading identifies its table.
    table = models.CharField(max_length=20, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices)
    rows_done = models.PositiveIntegerField(default=0)
    rows_all = models.PositiveIntegerField(default=0)
    # The changes of an import by table, and the problems of its file.
    difference = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    # True if it was refused while it was applied; the rows before the problems are in the shop.
    is_partial = models.BooleanField(default=False)
    # The worker that has claimed the row, the last renewal of the claim, and the number of claims so far.
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
        """Return the folder of all files, which is never the public one.

        Files are named by the keys of rows, so another shop's would be taken for those of this database.
        Raises OSError if the data folder is not that of the database.
        """
        refuse_other_files()
        return Path(settings.DATA_DIR) / "files"

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.folder() / str(self.pk)

    @property
    def draft(self) -> Path:
        """The path to which the worker writes; each claim has its own."""
        return self.path.with_suffix(f".{self.claim}")

    @property
    def is_work(self) -> bool:
        """Whether a worker has to process the file."""
        return self.state in self.WORK
