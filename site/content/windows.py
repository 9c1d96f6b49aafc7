"""The slides, special areas and their products that are shown now (docs/wire.md#catalogue)."""

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Case, Q, QuerySet, When
from django.utils import timezone

from catalog.browse.listing import listable_products
from catalog.goods.models import Product
from catalog.promotions.models import Promotion
from content.models.areas import SpecialArea
from content.models.slides import CarouselSlide, SlidePicture
from content.models.window import Window
from content.schedule import all_as_they_will_be
from core.preview import current_preview
from core.snapshots import PageRows

W = TypeVar("W", bound=Window)


def slides_of(carousel: int) -> list[CarouselSlide]:
    """Return the slides of a carousel in order, with their pictures; four queries in SNAPSHOT_SECONDS."""
    if preview := current_preview():
        then = all_as_they_will_be(CarouselSlide.objects.all(), preview)
        return sorted((row for row in then if row.carousel == carousel), key=lambda row: (row.sort, row.pk))
    return [slide for slide in _not_ended(_slides.get()) if slide.carousel == carousel]


def all_areas() -> list[SpecialArea]:
    """Return all published special areas in order, with their pictures; two queries in SNAPSHOT_SECONDS."""
    if preview := current_preview():
        then = all_as_they_will_be(SpecialArea.objects.all(), preview)
        return sorted(then, key=lambda row: (row.sort, row.pk))
    return _not_ended(_areas.get())


def _not_ended(rows: Iterable[W]) -> list[W]:
    now = timezone.now()
    return [row for row in rows if row.expire_at is None or row.expire_at > now]


def area_shown(pk: int) -> SpecialArea | None:
    """Return a published special area with its picture; None for any other."""
    if preview := current_preview():
        return next(iter(all_as_they_will_be(SpecialArea.objects.filter(pk=pk), preview)), None)
    return _shown_areas().filter(pk=pk).first()


def _shown_areas() -> QuerySet[SpecialArea]:
    areas: QuerySet[SpecialArea] = SpecialArea.objects.all().shown()
    return areas.select_related("picture").prefetch_related("picture__renditions")


_slides = PageRows(
    lambda: list(CarouselSlide.objects.all().shown().prefetch_related("pictures__picture__renditions")),
    CarouselSlide,
    SlidePicture,
)
_areas = PageRows(lambda: list(_shown_areas()), SpecialArea)


def home_areas() -> list[SpecialArea]:
    """Return the special areas of the home page, in order."""
    return [area for area in all_areas() if area.checked]


def area_products(area: SpecialArea) -> QuerySet[Product]:
    """Return the products of an area that are on sale: picked ones in order, or those of its rule."""
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
        # The picks of a draft or scheduled version are not in the database yet.
        picked = [pick.product_id for pick in area.picked.all()]
        places = Case(*(When(pk=pk, then=place) for place, pk in enumerate(picked)), default=len(picked))
        return products.filter(pk__in=picked).order_by(places)
    return products.filter(area_places__area=area).order_by("area_places__sort_order", "pk")
