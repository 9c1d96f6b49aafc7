"""Rows in a form of the back office that editors sort."""

from typing import Any

from django.forms.formsets import ORDERING_FIELD_NAME
from modelcluster.forms import BaseChildFormSet
from wagtail.admin.panels import InlinePanel, MultipleChooserPanel


class OrderedRows(BaseChildFormSet):
    """Rows that may lack a position, for example because the form's script did not run."""

    def full_clean(self) -> None:
        """Validate the rows; rows without a position get None, which Wagtail can sort."""
        super().full_clean()
        for row in self.forms if self.is_bound else ():
            row.cleaned_data.setdefault(ORDERING_FIELD_NAME, None)


class OrderedRowsPanel(InlinePanel):
    """The panel of a form that shows sorted rows."""

    def get_form_options(self) -> dict[str, Any]:
        """Add the formset class to the form's options."""
        options: dict[str, Any] = super().get_form_options()
        options["formsets"][self.relation_name]["formset"] = OrderedRows
        return options


class OrderedChoicesPanel(OrderedRowsPanel, MultipleChooserPanel):
    """The panel of a form that shows sorted rows and a chooser for several rows at a time."""
