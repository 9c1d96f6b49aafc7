"""The filter that gives a picture's address."""

from django import template
from wagtail.images.models import AbstractImage

from core.pictures import picture_url

register = template.Library()


@register.filter
def picture(image: AbstractImage | None, side: int) -> str:
    """Return the address of a picture that fits a square of `side` pixels; empty where there is none."""
    return picture_url(image, side) or ""
