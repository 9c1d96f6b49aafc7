"""What the forms of slides, areas and pages have in common: their times, and the rows within them."""

from typing import Any

from django import forms
from django.db.models import Max, QuerySet

from content.models.window import LAST_PLACE
from core.time_fields import EditorTimeField

TIMES = {"go_live_at", "expire_at"}


class ScheduleForm:
    """A form with a start and an end."""

    fields: dict[str, forms.Field]
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        # Wagtail makes them of the model; users who may not publish have none.
        for name in TIMES & self.fields.keys():
            made = self.fields[name]
            self.fields[name] = EditorTimeField(
                required=made.required, label=made.label, help_text=made.help_text, widget=made.widget
            )


class PlaceForm:
    """A form of a new row, whose default place is after the last one."""

    initial: dict[str, Any]
    instance: Any

    def __init__(self, *args: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        if self.instance.pk is None:
            last = self.sibling_rows().aggregate(last=Max("sort"))["last"] or 0
            self.initial["sort"] = min(last + 1, LAST_PLACE)

    def sibling_rows(self) -> QuerySet[Any]:
        """Return the rows among which it has a place, `sort`."""
        raise NotImplementedError


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
