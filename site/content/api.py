"""The API calls for carousels and special areas; all are public (docs/wire.md#catalogue)."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from catalog.browse.listing import listed_products
from catalog.browse.schemas import GoodsOut
from catalog.browse.serializers import goods_out
from catalog.promotions.pricing import level_of, price_products
from content.models import HOME_CAROUSEL, SpecialArea
from content.schemas import CarouseOut, SpecialAreaOut
from content.serializers import area_out, slide_out
from content.windows import all_areas, area_products, home_areas, slides_of
from core.errors import Err, ShopError
from core.wire import Envelope, Page, PageQuery, envelope, paged, path_id

router = Router()


@router.get("/v1/pc/home/carouse", response=Envelope[list[CarouseOut]])
def home_carouse(request: HttpRequest) -> dict[str, Any]:
    """List the slides of the home page's carousel."""
    return envelope([slide_out(slide) for slide in slides_of(HOME_CAROUSEL)])


@router.get("/v1/pc/home/carouse/{carousel}", response=Envelope[list[CarouseOut]])
def carouse(request: HttpRequest, carousel: str) -> dict[str, Any]:
    """List the slides of a carousel; empty for one without slides."""
    number = path_id(carousel, Err.parameter_error)
    return envelope([slide_out(slide) for slide in slides_of(number)])


@router.get("/v1/pc/home/specialArea", response=Envelope[list[SpecialAreaOut]])
def special_areas_of_home(request: HttpRequest) -> dict[str, Any]:
    """List the special areas of the home page."""
    return envelope([area_out(area) for area in home_areas()])


@router.get("/v1/pc/home/specialAreaList", response=Envelope[list[SpecialAreaOut]])
def special_areas(request: HttpRequest) -> dict[str, Any]:
    """List every special area."""
    return envelope([area_out(area) for area in all_areas()])


@router.get("/v1/pc/home/specialArea/goods", response=Envelope[Page[GoodsOut]])
def default_area_goods(request: HttpRequest, query: Query[PageQuery]) -> dict[str, Any]:
    """List the products of the first special area."""
    areas = all_areas()
    return _area_page(request, areas[0].pk if areas else 0, query)


@router.get("/v1/pc/home/specialArea/goods/{area_id}", response=Envelope[Page[GoodsOut]])
def special_area_goods(request: HttpRequest, area_id: str, query: Query[PageQuery]) -> dict[str, Any]:
    """List the products of a special area."""
    return _area_page(request, path_id(area_id, Err.parameter_error), query)


def _area_page(request: HttpRequest, area_id: int, query: PageQuery) -> dict[str, Any]:
    """Return a page of an area's products; raises ShopError(parameter_error) for a hidden area."""
    area = SpecialArea.objects.shown().filter(pk=area_id).first()
    if area is None:
        raise ShopError(Err.parameter_error)
    page = paged(area_products(area), query)
    priced = price_products(listed_products(page["list"]), level=level_of(request))
    return envelope(page | {"list": [goods_out(product) for product in priced]})
