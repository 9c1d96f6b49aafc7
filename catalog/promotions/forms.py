"""The form of a promotion in the back office."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from wagtail.admin.forms import WagtailAdminModelForm
from wagtail.admin.widgets import AdminDateTimeInput

from core.clock import in_shop_zone, shop_zone


class ShopTimeField(forms.DateTimeField):
    """A time in the shop's zone, whatever the zone of the editor's profile (docs/guarantees.md#clocks)."""

    widget = AdminDateTimeInput

    def prepare_value(self, value: Any) -> Any:
        """Show a moment in the shop's zone."""
        if isinstance(value, datetime) and timezone.is_aware(value):
            return timezone.make_naive(value, shop_zone())
        return value

    def to_python(self, value: Any) -> datetime | None:
        """Read a time in the shop's zone; refuse one that daylight saving skips; of two the later counts."""
        if value in self.empty_values:
            return None
        # DateTimeField.to_python would use the zone of the editor's profile.
        naive = forms.fields.BaseTemporalField.to_python(self, value)
        try:
            return in_shop_zone(naive) if naive else None
        except ValueError:
            raise ValidationError(_("The clock skips this time: choose another one.")) from None


class PromotionForm(WagtailAdminModelForm):
    """A promotion with its products: saved rows keep their product, those that are ordered from stay.

    An order counts its units at the row of its product. `locking_promotion` keeps true what is checked here.
    """

    starts_at = ShopTimeField(label=_("starts"), help_text=_("In the shop's time zone."))
    ends_at = ShopTimeField(label=_("ends"), help_text=_("In the shop's time zone."))

    def clean(self) -> dict[str, Any]:
        """Refuse another product in a saved row, and removing one that has been ordered at its price."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        rows = self.formsets.get("items")
        if rows is None or not rows.is_valid():
            return cleaned
        for row in rows.deleted_forms:
            if row.instance.taken:
                text = _("%(name)s has been ordered at this price: set its quota to what is taken instead.")
                raise ValidationError(text % {"name": row.instance.product.name})
        for row in rows.initial_forms:
            if "product" in row.changed_data:
                row.add_error("product", _("A saved row keeps its product: add the other one as a new row."))
        return cleaned
