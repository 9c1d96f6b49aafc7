"""The calls for what editors put into the shop's windows; all are public (CONTRACT 2)."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from catalog.browse.out import goods_out
from catalog.browse.schemas import GoodsOut
from content.models import HOME_CAROUSEL, CarouselSlide, SpecialArea
from content.schemas import CarouseOut, SpecialAreaOut
from content.windows import AreaTile, all_areas, area_goods, home_areas, slides_of
from core.errors import Err, ShopError
from core.pictures import picture_url
from core.wire import Envelope, Page, PageQuery, envelope, paged, path_id

router = Router()


@router.get("/v1/pc/home/carouse", response=Envelope[list[CarouseOut]])
def home_carouse(request: HttpRequest) -> dict[str, Any]:
    """List the slides of the home page's carousel."""
    return envelope([_slide_out(slide) for slide in slides_of(HOME_CAROUSEL)])


@router.get("/v1/pc/home/carouse/{carousel}", response=Envelope[list[CarouseOut]])
def carouse(request: HttpRequest, carousel: str) -> dict[str, Any]:
    """List the slides of a carousel; one that no editor has filled is empty."""
    number = path_id(carousel, Err.parameter_error)
    return envelope([_slide_out(slide) for slide in slides_of(number)])


@router.get("/v1/pc/home/specialArea", response=Envelope[list[SpecialAreaOut]])
def special_areas_of_home(request: HttpRequest) -> dict[str, Any]:
    """List the special areas of the home page."""
    return envelope([_area_out(tile) for tile in home_areas()])


@router.get("/v1/pc/home/specialAreaList", response=Envelope[list[SpecialAreaOut]])
def special_areas(request: HttpRequest) -> dict[str, Any]:
    """List every special area."""
    return envelope([_area_out(tile) for tile in all_areas()])


@router.get("/v1/pc/home/specialArea/goods/{area_id}", response=Envelope[Page[GoodsOut]])
def special_area_goods(request: HttpRequest, area_id: str, query: Query[PageQuery]) -> dict[str, Any]:
    """List the goods of a special area."""
    pk = path_id(area_id, Err.parameter_error)
    area = SpecialArea.objects.shown().filter(pk=pk).first()
    if area is None:
        raise ShopError(Err.parameter_error)
    page = paged(area_goods(area), query)
    return envelope(page | {"list": [goods_out(product) for product in page["list"]]})


def _slide_out(slide: CarouselSlide) -> dict[str, Any]:
    first = next(iter(slide.pictures.all()), None)
    return {
        "id": slide.pk,
        "imgUrl": picture_url(first.picture) if first else None,
        "title": slide.title_zh,
        "titleEn": slide.title_en,
        "link": slide.path,
    }


def _area_out(tile: AreaTile) -> dict[str, Any]:
    return {
        "id": tile.area.pk,
        "mallGoodsClassifyName": tile.area.name_zh,
        "mallGoodsClassifyNameEn": tile.area.name_en,
        "imgUrl": tile.picture,
        "checked": tile.area.checked,
    }
