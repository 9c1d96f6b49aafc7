"""Times of the shop, as pages show them."""

from datetime import datetime

from django import template

from core.clock import moment_in_zone_text, zone_text

register = template.Library()


@register.filter
def shop_time(moment: datetime) -> str:
    """Return a time in the shop's time zone, with the zone's name: 5 Dec 2026, 18:00 Perth time."""
    return moment_in_zone_text(moment)


@register.simple_tag
def zone_name() -> str:
    """Return the name of the shop's time zone, for islands that show times."""
    return zone_text()
