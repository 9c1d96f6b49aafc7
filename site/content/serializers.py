"""Slides and special areas as the wire writes them (docs/wire.md#carouse)."""

from typing import Any

from content.models import CarouselSlide
from content.tiles import AreaTile
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


def area_out(tile: AreaTile) -> dict[str, Any]:
    """Write a special area."""
    return {
        "id": tile.area.pk,
        "mallGoodsClassifyName": tile.area.name_zh,
        "mallGoodsClassifyNameEn": tile.area.name_en,
        "imgUrl": tile.picture,
        "checked": tile.area.checked,
    }
