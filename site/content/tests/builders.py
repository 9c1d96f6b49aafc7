"""Builders of slides and special areas for tests."""

from itertools import count
from typing import Any

from wagtail.models import Site

from catalog.goods.models import Product
from content.models import AreaGood, CarouselSlide, HomePage, SlidePicture, SpecialArea
from core.tests.pictures import make_picture

_numbers = count(1)


def make_home() -> HomePage:
    """Make the English home page, empty, at /home."""
    root = Site.objects.get(is_default_site=True).root_page
    page: HomePage = root.add_child(instance=HomePage(title="Home", slug="home", locale=root.locale))
    return page


def make_slide(**kw: Any) -> CarouselSlide:
    """Make a slide of the home page's carousel, with one picture."""
    number = next(_numbers)
    fields = {
        "sort": number,
        "title_en": f"Slide {number}",
        "title_zh": f"轮播图{number}",
        "label_en": "Go",
        "label_zh": "去看看",
        "path": f"/shop?firstCategoryId={number}",
    }
    slide = CarouselSlide.objects.create(**fields | kw)
    SlidePicture.objects.create(
        slide=slide, picture=make_picture(), alt_en="A dish", alt_zh="一道菜", sort_order=0
    )
    return slide


def make_area(*products: Product, **kw: Any) -> SpecialArea:
    """Make a special area of products picked in this order."""
    number = next(_numbers)
    fields = {"sort": number, "name_en": f"Area {number}", "name_zh": f"专区{number}"}
    picture = kw.pop("picture", None) or make_picture()
    area = SpecialArea.objects.create(picture=picture, **fields | kw)
    for order, product in enumerate(products):
        AreaGood.objects.create(area=area, product=product, sort_order=order)
    return area
