"""The choices of a list as links and labels: sort orders, filters, applied filters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from catalog.browse.facet_counts import FacetCounts
from catalog.browse.filters import Filters
from catalog.browse.listpage import PRICES, STOCK_TYPES, Params, params_of, price_text, shop_url, without
from catalog.browse.showcases import Tile
from catalog.goods.dietary import DietaryFilter
from catalog.goods.listed import ADVANCE, IN_STOCK, SOLD_OUT
from catalog.goods.models import Category, Storage
from catalog.promotions.models import Promotion
from catalog.search.folding import fold, phrase

# The most categories that a page offers for a search.
MAX_NAMED = 4


@dataclass(frozen=True)
class Choice:
    """One link, checkbox or radio button; `count` is None if no count is shown."""

    label: str
    url: str = ""
    value: str = ""
    count: int | None = None
    chosen: bool = False


@dataclass(frozen=True)
class PriceField:
    """One end of the price range; `fault` is True if the query's value is not an amount."""

    name: str
    label: str
    value: str
    fault: bool


def named_categories(counts: FacetCounts) -> list[Choice]:
    """Return links to the categories that a search names, each with the number of its products.

    A category with exactly that name is first, then top categories, then the largest. A subcategory is left
    out if its top category is there.
    """
    categories = counts.now.categories
    word = phrase(fold(counts.filters.word))
    named = [categories[pk] for pk in counts.found.categories if pk in categories]
    tops = {category.pk for category in named if category.parent_id is None}
    sizes = {category.pk: len(counts.in_category(category.pk)) for category in named}

    def order(category: Category) -> tuple[bool, bool, int]:
        names = {phrase(fold(name)) for name in (category.name_en, category.name_zh)}
        return word not in names, category.parent_id is not None, -sizes[category.pk]

    shown = [each for each in sorted(named, key=order) if sizes[each.pk] and each.parent_id not in tops]
    return [
        Choice(category.name, Tile(category).url, count=sizes[category.pk]) for category in shown[:MAX_NAMED]
    ]


def stock_label(stock_type: str) -> str:
    """Return the label of a stock type."""
    return {
        IN_STOCK: pgettext("stock", "In stock"),
        ADVANCE: _("Advance or limited"),
        SOLD_OUT: pgettext("stock", "Sold out"),
    }[stock_type]


def sort_choices(filters: Filters) -> list[Choice]:
    """Return the sort orders as links that keep the filters; the first is the default."""
    params = without(params_of(filters), "orderBy", "isAsc")
    best_selling: tuple[str, Params] = (_("Best selling"), [("orderBy", "sales")] if filters.word else [])
    ways: list[tuple[str, Params]] = [
        *([(_("Best match"), [])] if filters.word else []),
        best_selling,
        (_("Price, low to high"), [("orderBy", "price"), ("isAsc", "true")]),
        (_("Price, high to low"), [("orderBy", "price"), ("isAsc", "false")]),
        (pgettext("order of products", "Newest"), [("orderBy", "new")]),
    ]
    now = [pair for pair in params_of(filters) if pair not in params]
    if not filters.word and now == [("orderBy", "sales")]:
        now = []
    return [Choice(label, shop_url([*params, *order]), chosen=order == now) for label, order in ways]


def stock_choices(filters: Filters, counts: Mapping[str, int]) -> list[Choice]:
    """Return the stock types as radio buttons; the first one means any."""
    labels = {kind: stock_label(kind) for kind in STOCK_TYPES}
    return _radios(labels, filters.stock_type, counts)


def storage_choices(filters: Filters, counts: Mapping[str, int]) -> list[Choice]:
    """Return the kinds of storage as radio buttons; the first one means any."""
    return _radios({kind.value: str(kind.label) for kind in Storage}, filters.storage, counts)


def dietary_choices(filters: Filters, counts: Mapping[str, int]) -> list[Choice]:
    """Return a checkbox for each dietary filter that is chosen or has matches."""
    return [
        Choice(str(label), value=name, count=counts.get(name, 0), chosen=name in filters.suits)
        for name, label in DietaryFilter.choices
        if counts.get(name) or name in filters.suits
    ]


def promotion_choices(filters: Filters, running: Iterable[Promotion]) -> list[Choice]:
    """Return running promotions as radio buttons, the first for any; empty if no promotion runs."""
    labels = {str(promotion.pk): promotion.name for promotion in running}
    return _radios(labels, str(filters.promotion_id or ""), None) if labels else []


def _radios(labels: Mapping[str, str], chosen: str, counts: Mapping[str, int] | None) -> list[Choice]:
    """Return a radio button for any value, and one for each value that is chosen or has matches."""
    every = None if counts is None else sum(counts.values())
    return [
        Choice(_("Any"), count=every, chosen=not chosen),
        *(
            Choice(
                label,
                value=value,
                count=None if counts is None else counts.get(value, 0),
                chosen=value == chosen,
            )
            for value, label in labels.items()
            if counts is None or counts.get(value) or value == chosen
        ),
    ]


def price_fields(filters: Filters, faults: set[str]) -> list[PriceField]:
    """Return the two ends of the price range."""
    labels = dict(zip(PRICES, (_("From, A$"), _("To, A$")), strict=True))
    amounts = dict(zip(PRICES, (filters.min_price, filters.max_price), strict=True))
    return [PriceField(name, labels[name], price_text(amounts[name]), name in faults) for name in PRICES]


def _price_label(filters: Filters) -> str:
    minimum, maximum = (f"A${price_text(amount)}" for amount in (filters.min_price, filters.max_price))
    if filters.min_price is None:
        return _("Up to %(price)s") % {"price": maximum}
    return f"{minimum} – {maximum}" if filters.max_price else _("From %(price)s") % {"price": minimum}


def chips(filters: Filters, names: Mapping[tuple[str, str], str]) -> list[Choice]:
    """Return the applied filters, each with the URL that removes it; the search text is not included.

    `names`: the names of brands and promotions in the reader's language, by parameter and value.
    """
    params = params_of(filters)

    def chip(label: str, *taken: str) -> Choice:
        return Choice(label, shop_url(without(params, *taken)))

    found = [
        *([chip(stock_label(filters.stock_type), "stockType")] if filters.stock_type else []),
        *([chip(str(Storage(filters.storage).label), "storage")] if filters.storage else []),
        *([chip(_price_label(filters), *PRICES)] if filters.min_price or filters.max_price else []),
        *([chip(_("Bulk buying"), "bulk")] if filters.bulk else []),
    ]
    if filters.promotion_id:
        pair = ("promotion", str(filters.promotion_id))
        found.append(chip(names.get(pair, _("Promotion")), "promotion"))
    for name in filters.brand_names:
        pair = ("brandName", name)
        rest = [each for each in params if each != pair]
        found.append(Choice(names.get(pair, name), shop_url(rest)))
    for name in filters.suits:
        rest = [each for each in params if each != ("suits", name)]
        found.append(Choice(str(DietaryFilter(name).label), shop_url(rest)))
    return found
