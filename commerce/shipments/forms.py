"""The forms on an order's page in the back office: order actions, parcels and their events."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from commerce.orders.models import Order
from commerce.orders.moves import Move, moves_of
from commerce.shipments.models import Carrier, ParcelState, Shipment
from commerce.shipments.services import MAX_AHEAD, Event, event_of, is_another_parcels, units_left
from core.backoffice import ProtectedForm


class CarrierForm(ProtectedForm):
    """A carrier; its tracking link must be a URL that customers can open."""

    def clean_tracking_link(self) -> str:
        """Return the link; raises ValidationError unless it is empty, or an https URL with `{number}`."""
        link: str = self.cleaned_data["tracking_link"]
        if link and not (link.startswith("https://") and "{number}" in link):
            raise forms.ValidationError(_("An https address, with {number} where the tracking number goes."))
        return link


class MoveForm(forms.Form):
    """The fields of an order action: a note, and the customer's pick-up code."""

    note = forms.CharField(
        label=_("Note"), max_length=200, required=False, help_text=_("Only staff read it.")
    )
    pickup_code = forms.CharField(label=_("Pick-up code"), max_length=10, required=False)

    def __init__(self, order: Order, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if Move.hand_over not in moves_of(order):
            del self.fields["pickup_code"]
        if Move.ask in moves_of(order):
            self.fields["note"].help_text = _(
                "With “Ask the customer” the customer reads it: it is the question. Else only staff do."
            )


class ShipForm(forms.Form):
    """A parcel: its carrier, its tracking number, and the units of each line in it."""

    carrier = forms.ModelChoiceField(label=_("Carrier"), queryset=Carrier.objects.filter(enabled=True))
    tracking_no = forms.CharField(label=_("Tracking number"), max_length=60)
    note = forms.CharField(
        label=_("Note"), max_length=200, required=False, help_text=_("Only staff read it.")
    )

    def __init__(self, order: Order, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        left = units_left(order)
        self._lines = {f"units_{line.pk}": line for line in order.lines.all()}
        for name, line in self._lines.items():
            count = left.get(line.pk, 0)
            self.fields[name] = forms.IntegerField(
                label=f"{line.sku} {line.name_en} {line.name_zh}", min_value=0, initial=count
            )

    def units(self) -> dict[int, int]:
        """Return the units in the parcel by order line id; call it once the form is valid."""
        return {line.pk: self.cleaned_data[name] for name, line in self._lines.items()}


class CorrectionForm(forms.Form):
    """The carrier and tracking number that a parcel should have had."""

    shipment = forms.ModelChoiceField(label=_("Parcel"), queryset=Shipment.objects.none())
    carrier = forms.ModelChoiceField(label=_("Carrier"), queryset=Carrier.objects.filter(enabled=True))
    tracking_no = forms.CharField(label=_("Tracking number"), max_length=60)

    def __init__(self, order: Order, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shipments: Any = self.fields["shipment"]
        shipments.queryset = order.shipments.filter(came_back_at=None).select_related("order")


class EventForm(forms.Form):
    """An event of a parcel that staff enter."""

    shipment = forms.ModelChoiceField(label=_("Parcel"), queryset=Shipment.objects.none())
    time = forms.DateTimeField(
        label=_("Time"), widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    )
    state = forms.ChoiceField(label=_("State"), choices=ParcelState.choices, initial=ParcelState.in_transit)
    text_zh = forms.CharField(label=_("Chinese text"), max_length=300, required=False)
    text_en = forms.CharField(label=_("English text"), max_length=300, required=False)

    def __init__(self, order: Order, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._order = order
        shipments: Any = self.fields["shipment"]
        shipments.queryset = order.shipments.filter(came_back_at=None).select_related("order")
        self.fields["time"].initial = timezone.localtime

    def clean_time(self) -> datetime:
        """Return the time; raises ValidationError if it is in the future, or before the order."""
        time: datetime = self.cleaned_data["time"]
        if time > timezone.now() + MAX_AHEAD:
            raise forms.ValidationError(_("This time lies ahead."))
        if time < self._order.created_at - MAX_AHEAD:
            raise forms.ValidationError(_("This time lies before the order."))
        return time

    def clean(self) -> None:
        """Refuse an event that is so old that it belongs to an earlier parcel with the same number."""
        super().clean()
        if not self.errors and is_another_parcels(self.event(), self.cleaned_data["shipment"]):
            self.add_error("time", _("This time lies long before the parcel was sent."))

    def event(self) -> Event:
        """Return the entered event; call it once the form is valid."""
        values = self.cleaned_data
        state = ParcelState(values["state"])
        return event_of(values["time"], state, values["text_zh"], values["text_en"])
