"""The template tag for the note about the exchange rate."""

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from catalog.rates.current import last_read

register = template.Library()


@register.simple_tag
def rate_note(*, stale_only: bool = False) -> str:
    """Return the date of the page's rate in words; empty without one or, if `stale_only`, if it is fresh."""
    rate = last_read()
    if rate is None or (stale_only and not rate.is_stale):
        return ""
    return _("Exchange rate of %(day)s.") % {
        "day": date_format(timezone.localtime(rate.as_of), "DATE_FORMAT")
    }
