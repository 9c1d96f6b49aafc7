"""Times that editors type in (docs/guarantees/operation.md#clocks)."""

from datetime import UTC, datetime, tzinfo
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _
from wagtail.admin.widgets import AdminDateTimeInput

from core.clock import in_zone, shop_zone

# Times near the limits of the calendar overflow in another zone.
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
NO_YEAR = _("Choose a time between the years 2000 and 2999.")


class EditorTimeField(forms.DateTimeField):
    """A time in the zone of the editor's profile; of one that comes twice the later is meant."""

    widget = AdminDateTimeInput

    def zone(self) -> tzinfo:
        """Return the zone of the clock that shows the time."""
        return timezone.get_current_timezone()

    def prepare_value(self, value: Any) -> Any:
        """Show a moment in the zone."""
        if isinstance(value, datetime) and timezone.is_aware(value):
            return timezone.make_naive(value, self.zone())
        return value

    def to_python(self, value: Any) -> datetime | None:
        """Read a time; refuse one that daylight saving skips, and one outside of the allowed years."""
        if value in self.empty_values:
            return None
        moment = self._moment(self._read(value))
        if not EARLIEST <= moment <= LATEST:
            raise ValidationError(NO_YEAR)
        return moment

    def _read(self, value: Any) -> datetime:
        """Read what the parent reads, which itself would refuse times that come twice."""
        if isinstance(value, datetime):
            return value
        try:
            written = parse_datetime(value.strip())
        except ValueError:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None
        read = written or forms.fields.BaseTemporalField.to_python(self, value)
        assert read, "neither empty nor refused"
        return read

    def _moment(self, read: datetime) -> datetime:
        if timezone.is_aware(read):
            return read
        try:
            return in_zone(read, self.zone())
        except OverflowError:
            raise ValidationError(NO_YEAR) from None
        except ValueError:
            raise ValidationError(_("The clock skips this time: choose another one.")) from None


class ShopTimeField(EditorTimeField):
    """A time in the shop's zone, whatever the zone of the editor's profile."""

    def zone(self) -> tzinfo:
        """Return the shop's zone."""
        return shop_zone()
