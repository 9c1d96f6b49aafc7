"""Rows within a form of the back office that editors bring into an order."""

from typing import Any

from django.forms.formsets import ORDERING_FIELD_NAME
from modelcluster.forms import BaseChildFormSet
from wagtail.admin.panels import InlinePanel, MultipleChooserPanel


class OrderedRows(BaseChildFormSet):
    """Rows of which one may have no place yet, as where the form's script did not run."""

    def full_clean(self) -> None:
        """Validate the rows; one without a place has None, by which Wagtail sorts it."""
        super().full_clean()
        for row in self.forms if self.is_bound else ():
            row.cleaned_data.setdefault(ORDERING_FIELD_NAME, None)


class OrderedRowsPanel(InlinePanel):
    """The part of a form that shows ordered rows."""

    def get_form_options(self) -> dict[str, Any]:
        """Add the rows' class to the options of the form."""
        options: dict[str, Any] = super().get_form_options()
        options["formsets"][self.relation_name]["formset"] = OrderedRows
        return options


class OrderedChoicesPanel(OrderedRowsPanel, MultipleChooserPanel):
    """The part of a form that shows ordered rows, of which several are chosen together."""
