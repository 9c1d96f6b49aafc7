"""Times of the shop, as pages write them."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from core.clock import shop_zone, zone_text

register = template.Library()


@register.filter
def shop_time(moment: datetime) -> str:
    """Write a moment in the shop's zone, and name the zone: 5 Dec 2026, 6:00 p.m. Perth time."""
    written = date_format(timezone.localtime(moment, shop_zone()), gettext("j M Y, g:i a"))
    return f"{written} {zone_text()}"


@register.simple_tag
def zone_name() -> str:
    """Name the shop's zone, for islands that write times."""
    return zone_text()
