"""What pages tell of the exchange rate."""

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from catalog.goods.rates import last_read

register = template.Library()


@register.simple_tag
def rate_note(*, stale_only: bool = False) -> str:
    """Tell of which day the rate of the page is; empty for the default, or for one that is not stale."""
    rate = last_read()
    if rate is None or (stale_only and not rate.is_stale):
        return ""
    return _("Exchange rate of %(day)s.") % {
        "day": date_format(timezone.localtime(rate.as_of), "DATE_FORMAT")
    }
