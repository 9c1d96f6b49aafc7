"""Personal data in lists of favourites (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Row, Section, by_pages
from commerce.favourites.models import Favourite, FavouriteList

# The default list has no name, so it gets the name of its page.
_WORDS = {"list": lambda name: name or _("Favourites")}


def _lists(customer: Customer) -> Iterator[Row]:
    for row in customer.favourite_lists.all():
        yield {
            "list": row.name,
            "made": row.created_at,
            "isShared": row.share_token is not None,
            "shareTitle": row.share_title,
        }


def _favourites(customer: Customer) -> Iterator[Row]:
    marked = Favourite.objects.filter(list__customer=customer).select_related("list", "product")
    for each in by_pages(marked):
        yield {
            "list": each.list.name,
            "sku": each.product.sku,
            "product": each.product.name,
            "added": each.created_at,
        }


def _forget(customer: Customer) -> None:
    FavouriteList.objects.filter(customer=customer).delete()


PERSONAL = Holding(
    tables=frozenset({"favourites.FavouriteList"}),
    sections=(
        Section(
            "favouriteLists",
            _("Lists of favourites"),
            {
                "list": _("list"),
                "made": _("made at"),
                "isShared": _("shared"),
                "shareTitle": _("title for others"),
            },
            _lists,
            _WORDS,
        ),
        Section(
            "favourites",
            _("Favourites"),
            {"list": _("list"), "sku": _("SKU"), "product": _("product"), "added": _("Time")},
            _favourites,
            _WORDS,
        ),
    ),
    forget=_forget,
)
