"""What the forms of slides, areas and pages have in common: their times, and the rows within them."""

from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

# Times near the limits of the calendar overflow in another zone.
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
NO_YEAR = _("Choose a time between the years 2000 and 2999, or leave it empty.")


class ScheduleForm:
    """A form with a start and an end."""

    cleaned_data: dict[str, Any]

    def clean_go_live_at(self) -> datetime | None:
        """Return the start; raises ValidationError outside of the allowed years."""
        return _sane(self.cleaned_data["go_live_at"])

    def clean_expire_at(self) -> datetime | None:
        """Return the end; raises ValidationError outside of the allowed years."""
        return _sane(self.cleaned_data["expire_at"])


class WholeListForm:
    """A form whose rows of another model, such as pictures, are all that there are after it was saved."""

    instance: Any
    formsets: dict[str, Any]

    def save(self, commit: bool = True) -> Any:
        """Save the form; rows that it does not name go, as another save added them after it was opened.

        Without that an autosave and a button would each add what is new in the form.
        """
        for formset in self.formsets.values():
            named = {form.instance.pk for form in formset.initial_forms}
            rows = getattr(self.instance, formset.rel_name)
            rows.remove(*(row for row in rows.all() if row.pk not in named))
        return super().save(commit)  # type: ignore[misc]


def _sane(at: datetime | None) -> datetime | None:
    if at and not EARLIEST <= at <= LATEST:
        raise ValidationError(NO_YEAR)
    return at
