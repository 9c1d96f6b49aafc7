"""Form fields for times that editors enter (docs/guarantees/operation.md#clocks)."""

from datetime import UTC, datetime, time, tzinfo
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _
from wagtail.admin.widgets import AdminDateTimeInput

from core.clock import in_zone, shop_zone

# Times near the limits of the calendar overflow in other time zones.
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)
LAST_MINUTE, LAST_SECOND = (23, 59), time(23, 59, 59)
NO_YEAR = _("Choose a time between the years 2000 and 2999.")


class EndTimeInput(AdminDateTimeInput):
    """The picker of an end: it completes a date alone to the end of that day, so that the form shows it."""

    def __init__(self, attrs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__({**(attrs or {}), "data-end-of-day": ""}, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """Return the options of the picker; a date that is picked in an empty field has this time."""
        return {**super().get_config(), "defaultTime": f"{LAST_MINUTE[0]}:{LAST_MINUTE[1]}"}

    @property
    def media(self) -> forms.Media:
        """The scripts of the picker and of the end of a day."""
        media: forms.Media = super().media + forms.Media(js=["js/admin/end-of-day.js"])
        return media


class EditorTimeField(forms.DateTimeField):
    """A time in the time zone of the editor's profile; of a time that occurs twice, the later one.

    A date alone means the beginning of that day, or its end if the field `is_end`. The last minute of a day
    then includes its seconds, so that a saved end of a day stays the same when the form is saved again.
    """

    widget = AdminDateTimeInput

    def __init__(self, *args: Any, is_end: bool = False, **kwargs: Any) -> None:
        if is_end:
            kwargs.setdefault("widget", EndTimeInput)
        super().__init__(*args, **kwargs)
        self.is_end = is_end

    def zone(self) -> tzinfo:
        """Return the time zone of the entered time."""
        return timezone.get_current_timezone()

    def prepare_value(self, value: Any) -> Any:
        """Return a time in the field's time zone."""
        if isinstance(value, datetime) and timezone.is_aware(value):
            return timezone.make_naive(value, self.zone())
        return value

    def to_python(self, value: Any) -> datetime | None:
        """Parse a time; raises ValidationError if daylight saving skips it or the year is not allowed."""
        if value in self.empty_values:
            return None
        read = self._read(value)
        if self.is_end and (_is_date(value) or (read.hour, read.minute) == LAST_MINUTE):
            read = datetime.combine(read, LAST_SECOND, read.tzinfo)
        moment = self._moment(read)
        if not EARLIEST <= moment <= LATEST:
            raise ValidationError(NO_YEAR)
        return moment

    def _read(self, value: Any) -> datetime:
        """Parse the same formats as the parent, which would refuse times that occur twice."""
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


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and ":" not in value and "T" not in value.upper()


class ShopTimeField(EditorTimeField):
    """A time in the shop's time zone, independent of the editor's profile."""

    def zone(self) -> tzinfo:
        """Return the shop's time zone."""
        return shop_zone()
