"""Finds pictures for editors by what they show: their own titles are in one language only."""

from catalog.browse.listing import Filters, listing
from catalog.goods.models import Brand, Category, Product, ProductPicture
from content.matching import FOUND, suggested, with_names


def pictures_of(text: str) -> list[int]:
    """Return the ids of the pictures of the products, brands and categories that a text finds."""
    products = listing(Filters(word=text)).ids(0, FOUND)
    found = suggested(text)
    rows = (
        Product.objects.filter(pk__in=products),
        ProductPicture.objects.filter(product__in=products),
        Brand.objects.filter(pk__in=with_names(Brand, text, found.brands)),
        Category.objects.filter(pk__in=with_names(Category, text, found.categories)),
    )
    return [pk for each in rows for pk in each.exclude(picture=None).values_list("picture", flat=True)]
