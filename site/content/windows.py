"""What the shop's windows show now: slides, special areas and their goods (CONTRACT 2)."""

from dataclasses import dataclass

from django.db.models import Case, Q, QuerySet, When

from catalog.browse.cards import hue_class
from catalog.browse.listing import on_shelves
from catalog.goods.models import Product
from catalog.promotions.models import Promotion
from content.models.areas import SpecialArea
from content.models.slides import CarouselSlide
from content.schedule import all_as_they_will_be
from core.ahead import ahead
from core.languages import localised
from core.pictures import picture_url


def slides_of(carousel: int) -> list[CarouselSlide]:
    """Return the slides of a carousel in order, with their pictures; three queries."""
    if look := ahead():
        then = all_as_they_will_be(CarouselSlide.objects.all(), look)
        return sorted((row for row in then if row.carousel == carousel), key=lambda row: (row.sort, row.pk))
    slides = CarouselSlide.objects.filter(carousel=carousel).shown()
    return list(slides.prefetch_related("pictures__picture__renditions"))


@dataclass(frozen=True)
class AreaTile:
    """A special area as a page shows it."""

    area: SpecialArea

    @property
    def url(self) -> str:
        """The address of its goods, in the reader's language."""
        return localised(f"/areas/{self.area.pk}")

    @property
    def hue(self) -> str:
        """The class of the tile's hue."""
        return hue_class(self.area.tint)

    @property
    def picture(self) -> str | None:
        """The picture's address, 256 px square."""
        return picture_url(self.area.picture, 256)


def all_areas() -> list[AreaTile]:
    """Return every special area that is shown, in order."""
    if look := ahead():
        then = all_as_they_will_be(SpecialArea.objects.all(), look)
        return [AreaTile(area) for area in sorted(then, key=lambda row: (row.sort, row.pk))]
    return [AreaTile(area) for area in _shown_areas()]


def area_shown(pk: int) -> SpecialArea | None:
    """Return a special area while it is shown, with its picture."""
    if look := ahead():
        return next(iter(all_as_they_will_be(SpecialArea.objects.filter(pk=pk), look)), None)
    return _shown_areas().filter(pk=pk).first()


def _shown_areas() -> QuerySet[SpecialArea]:
    areas: QuerySet[SpecialArea] = SpecialArea.objects.all().shown()
    return areas.select_related("picture").prefetch_related("picture__renditions")


def home_areas() -> list[AreaTile]:
    """Return the special areas of the home page, in order."""
    return [tile for tile in all_areas() if tile.area.checked]


def area_goods(area: SpecialArea) -> QuerySet[Product]:
    """Return the goods of an area that are on sale: those picked, in the editor's order, or by its rule."""
    goods = on_shelves()
    if area.rule == SpecialArea.Rule.brand:
        return goods.filter(brand=area.brand_id)
    if area.rule == SpecialArea.Rule.category:
        return goods.filter(Q(category=area.category_id) | Q(top_category=area.category_id))
    if area.rule == SpecialArea.Rule.tag:
        return goods.filter(tags=area.tag_id)
    if area.rule == SpecialArea.Rule.promotion:
        running = Promotion.objects.running()
        return goods.filter(
            promotion_items__promotion=area.promotion_id, promotion_items__promotion__in=running
        )
    if ahead():
        # Those of a draft or a scheduled change are in no table yet.
        picked = [pick.product_id for pick in area.picked.all()]
        places = Case(*(When(pk=pk, then=place) for place, pk in enumerate(picked)), default=len(picked))
        return goods.filter(pk__in=picked).order_by(places)
    return goods.filter(area_places__area=area).order_by("area_places__sort_order", "pk")
