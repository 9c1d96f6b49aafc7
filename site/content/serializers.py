"""Writes slides and special areas for the wire (docs/wire.md#carouse)."""

from typing import Any

from content.models import CarouselSlide, SpecialArea
from core.pictures.renditions import picture_url


def slide_out(slide: CarouselSlide) -> dict[str, Any]:
    """Write a slide of a carousel with its first picture."""
    first = next(iter(slide.pictures.all()), None)
    return {
        "id": slide.pk,
        "imgUrl": picture_url(first.picture) if first else None,
        "title": slide.title_zh,
        "titleEn": slide.title_en,
        "link": slide.path,
    }


def area_out(area: SpecialArea) -> dict[str, Any]:
    """Write a special area."""
    return {
        "id": area.pk,
        "mallGoodsClassifyName": area.name_zh,
        "mallGoodsClassifyNameEn": area.name_en,
        "imgUrl": picture_url(area.picture),
        "checked": area.checked,
    }
