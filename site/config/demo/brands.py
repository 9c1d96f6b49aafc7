"""The demonstration's popular brands: a shop that has sold nothing yet knows of none."""

from catalog.goods.models import Brand

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
    for place, name in enumerate(POPULAR, start=1):
        Brand.objects.filter(name_en=name).update(popular_place=place)
