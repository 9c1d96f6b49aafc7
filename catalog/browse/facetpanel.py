"""The filters of a list: the category tree as links, the others as a form with counts."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace

from django.utils.translation import pgettext

from catalog.browse.choices import (
    Choice,
    PriceField,
    dietary_choices,
    price_fields,
    promotion_choices,
    stock_choices,
    storage_choices,
)
from catalog.browse.filters import Filters
from catalog.browse.listing import Facets
from catalog.browse.listpage import NARROWING, Params, page_url, params_of, shop_url, without
from catalog.browse.showcases import category_tree
from catalog.goods.models import Brand, Category
from catalog.promotions.models import Promotion

BRANDS_SHOWN = 8
# The most brands behind “Show more”; the brand page has all.
MORE_BRANDS = 40


@dataclass(frozen=True)
class Branch:
    """A top category of the tree; only the chosen one has its subcategories."""

    top: Choice
    children: list[Choice] = field(default_factory=list)

    @property
    def chips(self) -> list[Choice]:
        """The whole category and its subcategories that have products; empty without subcategories."""
        children = [child for child in self.children if child.count or child.chosen]
        return [replace(self.top, label=pgettext("category", "All")), *children] if children else []


@dataclass(frozen=True)
class FacetPanel:
    """The context of the filters' template, and the names of the chosen values."""

    tree: list[Branch]
    all_products: str
    prices: list[PriceField]
    stocks: list[Choice]
    storages: list[Choice]
    dietary: list[Choice]
    promotions: list[Choice]
    brands: list[Choice]
    more_brands: list[Choice]
    # Parameters that the form repeats.
    other_params: Params
    names: dict[tuple[str, str], str]
    top: Category | None
    category: Category | None
    # Set only if the list is filtered by one brand and nothing else.
    brand: Brand | None

    @property
    def shows(self) -> Hashable:
        """Every fact that the template can read, as plain values: see `core.pages.blocks`."""
        choices = tuple(self.stocks), tuple(self.storages), tuple(self.dietary), tuple(self.promotions)
        return (
            tuple([(branch.top, tuple(branch.children)) for branch in self.tree]),
            tuple(self.prices),
            choices,
            (tuple(self.brands), tuple(self.more_brands)),
            tuple(self.other_params),
            self.all_products,
            self.category is None,
        )

    @property
    def subcategories(self) -> list[Choice]:
        """The chips of the open category; empty without one."""
        return next((branch.chips for branch in self.tree if branch.children), [])

    @property
    def has_price_fault(self) -> bool:
        """Whether a price in the query is not an amount."""
        return any(price.fault for price in self.prices)


def facet_panel(filters: Filters, counts: Facets, faults: set[str]) -> FacetPanel:
    """Return the filters' context; `faults`: the names of prices that are not amounts. Two queries."""
    params = params_of(filters)
    rest = without(params, "goodsTypeId", "firstCategoryId")
    categories = category_tree()
    top, child = _opened(filters, categories)
    promotions = promotion_choices(filters, Promotion.objects.running())
    chosen = [brand for brand, _count in counts.brands if _is_chosen(brand, filters)]
    brands = sorted(
        (_brand_choice(brand, count, filters) for brand, count in counts.brands),
        key=lambda choice: not choice.chosen,
    )
    shown = max(BRANDS_SHOWN, len(chosen))
    return FacetPanel(
        tree=category_branches(categories, counts, open_top=top, open_child=child, rest=rest),
        all_products=shop_url(rest),
        prices=price_fields(filters, faults),
        stocks=stock_choices(filters, counts.stock_types),
        storages=storage_choices(filters, counts.storages),
        dietary=dietary_choices(filters, counts.suits),
        promotions=promotions,
        brands=brands[:shown],
        more_brands=brands[shown : shown + MORE_BRANDS],
        other_params=[pair for pair in params if pair[0] not in NARROWING],
        names={("brandName", name): brand.name for brand in chosen for name in (brand.name_en, brand.name_zh)}
        | {("promotion", choice.value): choice.label for choice in promotions},
        top=top,
        category=child or top,
        brand=chosen[0] if len(filters.brand_names) == len(params) == len(chosen) == 1 else None,
    )


def _opened(
    filters: Filters, categories: Iterable[tuple[Category, list[Category]]]
) -> tuple[Category | None, Category | None]:
    """Return the open top category and the chosen subcategory."""
    for top, children in categories:
        child = next((child for child in children if child.pk == filters.category_id), None)
        if child or (top.pk == filters.first_category_id and not filters.category_id):
            return top, child
    return None, None


def category_branches(
    categories: Iterable[tuple[Category, list[Category]]],
    counts: Facets,
    *,
    open_top: Category | None,
    open_child: Category | None,
    rest: Params = (),
    path: str = "/shop",
) -> list[Branch]:
    """Return the branches of a category tree, as links to the page at `path` that keep the parameters `rest`.

    `open_top`: the category whose subcategories are included; `open_child`: the chosen one of these.
    """

    def choice(category: Category, chosen: bool) -> Choice:
        name = "goodsTypeId" if category.parent_id else "firstCategoryId"
        url = page_url(path, [(name, str(category.pk)), *rest])
        return Choice(category.name, url, count=counts.categories.get(category.pk, 0), chosen=chosen)

    return [
        Branch(
            choice(top, top is open_top and open_child is None),
            [choice(child, child is open_child) for child in children] if top is open_top else [],
        )
        for top, children in categories
    ]


def _is_chosen(brand: Brand, filters: Filters) -> bool:
    return bool({brand.name_en, brand.name_zh} & set(filters.brand_names))


def _brand_choice(brand: Brand, count: int, filters: Filters) -> Choice:
    return Choice(brand.name, value=brand.name_en, count=count, chosen=_is_chosen(brand, filters))
