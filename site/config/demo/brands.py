"""The demonstration's popular brands, since a new shop has no sales."""

from catalog.goods.models import Brand
from catalog.goods.writing import save_brands

POPULAR = (
    "Lee Kum Kee",
    "Lao Gan Ma",
    "Nongshim",
    "Swisse",
    "Kikkoman",
    "White Rabbit",
    "Haitian",
    "Glico",
)


def load_popular_brands() -> None:
    """Pin the popular brands, unless editors have pinned any; safe to repeat."""
    if Brand.objects.exclude(popular_place=None).exists():
        return
    brands = list(Brand.objects.filter(name_en__in=POPULAR))
    for brand in brands:
        brand.popular_place = POPULAR.index(brand.name_en) + 1
    save_brands(brands, ["popular_place"])
