"""The slides, special areas and their products that are shown now (docs/wire.md#catalogue)."""

from django.db.models import Case, Q, QuerySet, When

from catalog.browse.listing import listable_products
from catalog.goods.models import Product
from catalog.promotions.models import Promotion
from content.models.areas import SpecialArea
from content.models.slides import CarouselSlide
from content.schedule import all_as_they_will_be
from content.tiles import AreaTile
from core.preview import current_preview


def slides_of(carousel: int) -> list[CarouselSlide]:
    """Return the slides of a carousel in order, with their pictures; three queries."""
    if preview := current_preview():
        then = all_as_they_will_be(CarouselSlide.objects.all(), preview)
        return sorted((row for row in then if row.carousel == carousel), key=lambda row: (row.sort, row.pk))
    slides = CarouselSlide.objects.filter(carousel=carousel).shown()
    return list(slides.prefetch_related("pictures__picture__renditions"))


def all_areas() -> list[AreaTile]:
    """Return every published special area, in order."""
    if preview := current_preview():
        then = all_as_they_will_be(SpecialArea.objects.all(), preview)
        return [AreaTile(area) for area in sorted(then, key=lambda row: (row.sort, row.pk))]
    return [AreaTile(area) for area in _shown_areas()]


def area_shown(pk: int) -> SpecialArea | None:
    """Return a published special area with its picture; None for others."""
    if preview := current_preview():
        return next(iter(all_as_they_will_be(SpecialArea.objects.filter(pk=pk), preview)), None)
    return _shown_areas().filter(pk=pk).first()


def _shown_areas() -> QuerySet[SpecialArea]:
    areas: QuerySet[SpecialArea] = SpecialArea.objects.all().shown()
    return areas.select_related("picture").prefetch_related("picture__renditions")


def home_areas() -> list[AreaTile]:
    """Return the special areas of the home page, in order."""
    return [tile for tile in all_areas() if tile.area.checked]


def area_products(area: SpecialArea) -> QuerySet[Product]:
    """Return the products of an area that are on sale: the picked ones in order, or by its rule."""
    products = listable_products()
    if area.lacks_choice:
        return products.none()
    if area.rule == SpecialArea.Rule.brand:
        return products.filter(brand=area.brand_id)
    if area.rule == SpecialArea.Rule.category:
        return products.filter(Q(category=area.category_id) | Q(top_category=area.category_id))
    if area.rule == SpecialArea.Rule.tag:
        return products.filter(tags=area.tag_id)
    if area.rule == SpecialArea.Rule.promotion:
        running = Promotion.objects.running()
        return products.filter(
            promotion_items__promotion=area.promotion_id, promotion_items__promotion__in=running
        )
    if current_preview():
        # The picks of a draft or a scheduled change are not in the database yet.
        picked = [pick.product_id for pick in area.picked.all()]
        places = Case(*(When(pk=pk, then=place) for place, pk in enumerate(picked)), default=len(picked))
        return products.filter(pk__in=picked).order_by(places)
    return products.filter(area_places__area=area).order_by("area_places__sort_order", "pk")
