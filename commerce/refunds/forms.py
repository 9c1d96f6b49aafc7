"""The form by which staff refund an order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from commerce.orders.models import Order, OrderLine
from commerce.orders.points import points_of_refunds
from commerce.payments.models import Refund
from commerce.refunds.models import MAX_TEXT
from commerce.refunds.worth import FreightPart, LineWish, amount_left, proposed_freight

MAX_NOTE = 200
NOTHING: Mapping[int, int] = {}


@dataclass(frozen=True)
class LineRow:
    """A line of the form: the order line, what is left to refund, and its fields.

    `points_left`: the points that are returned with its remaining units.
    """

    line: OrderLine
    units_left: int
    amount_left: Decimal
    points_left: int
    units: forms.BoundField
    amount: forms.BoundField
    restocked: forms.BoundField


class RefundForm(forms.Form):
    """Units and dollars of each line, freight, destination of the money, and reason."""

    freight = forms.ChoiceField(
        label=_("Delivery cost"), choices=FreightPart.choices, widget=forms.RadioSelect
    )
    to = forms.ChoiceField(
        label=_("Money goes"),
        choices=Refund.To.choices,
        initial=Refund.To.source,
        widget=forms.RadioSelect,
        help_text=_("What came from the wallet goes back there in any case."),
    )
    note = forms.CharField(
        label=_("Reason"), max_length=MAX_NOTE, help_text=_("The customer reads it, also on the credit note.")
    )

    def __init__(
        self,
        order: Order,
        *args: Any,
        everything: bool = False,
        units: Mapping[int, int] = NOTHING,
        **kwargs: Any,
    ) -> None:
        """Offer what is left to refund of an order; `everything` fills in all of it.

        `units`: order line id → units to fill in, at most those that are left.
        """
        super().__init__(*args, **kwargs)
        self._order = order
        prefetch_related_objects([order], "lines")
        self._lines = list(order.lines.all())
        if order.customer.is_deleted:
            self.fields["to"] = forms.ChoiceField(
                label=_("Money goes"),
                choices=[(Refund.To.source.value, Refund.To.source.label)],
                initial=Refund.To.source,
                widget=forms.RadioSelect,
                help_text=_(
                    "The account of the customer is deleted, so nothing goes to its wallet: what came from "
                    "there is due, and you pay it back by hand."
                ),
            )
        proposed = proposed_freight(order, is_whole=everything)
        self.fields["freight"].initial = proposed
        for line in self._lines:
            left = line.amount - line.refunded_units
            filled_in = left if everything else min(left, max(0, units.get(line.pk, 0)))
            self.fields[f"units_{line.pk}"] = forms.IntegerField(
                label=_("Units"), min_value=0, max_value=left, initial=filled_in
            )
            self.fields[f"amount_{line.pk}"] = forms.DecimalField(
                label=_("Amount, AUD"),
                min_value=0,
                max_value=amount_left(line),
                decimal_places=2,
                required=False,
            )
            self.fields[f"restocked_{line.pk}"] = forms.IntegerField(
                label=_("Back into stock"), min_value=0, max_value=left, initial=0, required=False
            )

    def rows(self) -> Iterator[LineRow]:
        """Yield each line with its fields."""
        for line in self._lines:
            fields = [self[f"{name}_{line.pk}"] for name in ("units", "amount", "restocked")]
            units = line.amount - line.refunded_units
            points = 0
            if line.points_discount:
                points = points_of_refunds(self._order, {line.pk: units}) - self._order.points_returned
            yield LineRow(line, units, amount_left(line), points, *fields)

    def others(self) -> list[forms.BoundField]:
        """Return the fields that belong to no line."""
        return [self["freight"], self["to"], self["note"]]

    def wishes(self) -> dict[str, Any]:
        """Return the arguments of `preview_refund`; call it once the form is valid."""
        values = self.cleaned_data
        lines = [
            LineWish(
                line.pk,
                values[f"units_{line.pk}"],
                values[f"amount_{line.pk}"],
                values[f"restocked_{line.pk}"] or 0,
            )
            for line in self._lines
        ]
        return {"lines": lines, "freight": FreightPart(values["freight"]), "to": Refund.To(values["to"])}

    def with_units(self, units: Mapping[int, int]) -> "RefundForm":
        """Return a valid copy of the form with the units of some lines: order line id → units."""
        filled_in = {f"units_{line}": str(number) for line, number in units.items()}
        copy = RefundForm(self._order, dict(self.data.items()) | filled_in)
        copy.full_clean()
        return copy

    def as_text(self) -> str:
        """Return the form's values as text, to compare the confirmed values with the previewed ones."""
        return "|".join(f"{name}={value}" for name, value in sorted(self.cleaned_data.items()))


class DeclineForm(forms.Form):
    """Why staff decline a request to cancel; the customer reads it."""

    answer = forms.CharField(
        label=_("To the customer"), max_length=MAX_TEXT, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, data: Any = None, *, language: str = "") -> None:
        """Set up the field; `language`: the name of the customer's language."""
        super().__init__(data, auto_id="decline_%s")
        self.fields["answer"].help_text = _("The customer reads it, in %(language)s.") % {
            "language": language
        }
