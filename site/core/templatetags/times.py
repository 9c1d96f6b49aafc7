"""Times of the shop, as pages write them."""

from datetime import datetime

from django import template

from core.clock import moment_text, zone_text

register = template.Library()


@register.filter
def shop_time(moment: datetime) -> str:
    """Write a moment in the shop's zone, and name the zone: 5 Dec 2026, 18:00 Perth time."""
    return f"{moment_text(moment)} {zone_text()}"


@register.simple_tag
def zone_name() -> str:
    """Name the shop's zone, for islands that write times."""
    return zone_text()
