"""Common parts of the forms of slides, areas and pages: schedules, places and rows."""

from typing import Any

from django import forms
from django.db.models import Max, QuerySet

from content.models.window import LAST_PLACE
from core.time_fields import EditorTimeField, EndTimeInput

START, END = "go_live_at", "expire_at"
TIMES = {START, END}


class ScheduleForm:
    """A form with a start and an end time."""

    fields: dict[str, forms.Field]
    cleaned_data: dict[str, Any]

    def __init__(self, *args: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        # Wagtail creates the fields from the model; users who may not publish have none.
        for name in TIMES & self.fields.keys():
            made = self.fields[name]
            widget = made.widget
            if name == END:
                # Within Wagtail's dialog.
                parent = widget.js_overlay_parent_selector
                widget = EndTimeInput(js_overlay_parent_selector=parent)
            self.fields[name] = EditorTimeField(
                required=made.required,
                label=made.label,
                help_text=made.help_text,
                widget=widget,
                is_end=name == END,
            )


class PlaceForm:
    """A form whose new rows are placed after the last one by default."""

    initial: dict[str, Any]
    instance: Any

    def __init__(self, *args: Any, **kw: Any) -> None:
        super().__init__(*args, **kw)
        if self.instance.pk is None:
            last = self.sibling_rows().aggregate(last=Max("sort"))["last"] or 0
            self.initial["sort"] = min(last + 1, LAST_PLACE)

    def sibling_rows(self) -> QuerySet[Any]:
        """Return the rows that share the order of `sort`."""
        raise NotImplementedError


class WholeListForm:
    """A form whose rows of another model, such as pictures, replace all earlier ones when it is saved."""

    instance: Any
    formsets: dict[str, Any]

    def save(self, commit: bool = True) -> Any:
        """Save the form, and remove rows that it does not contain, since a concurrent save added them.

        Otherwise an autosave and a button would both add the form's new rows.
        """
        for formset in self.formsets.values():
            named = {form.instance.pk for form in formset.initial_forms}
            rows = getattr(self.instance, formset.rel_name)
            rows.remove(*(row for row in rows.all() if row.pk not in named))
        return super().save(commit)  # type: ignore[misc]
