"""The list's filters: the category tree as links, brands and stock as checks of one form, with counts."""

from dataclasses import dataclass
from typing import Any

from catalog.browse.listing import Filters, facets
from catalog.browse.listpage import Choice, Params, params_of, shop_url, stock_choices, without
from catalog.browse.shelves import category_tree
from catalog.goods.models import Brand, Category

BRANDS_SHOWN = 8


@dataclass(frozen=True)
class Branch:
    """A top category of the tree; only the chosen one shows its subcategories."""

    top: Choice
    children: list[Choice]


def facet_panel(filters: Filters) -> dict[str, Any]:
    """Build what the template of the filters needs, and which category is open.

    Four queries: the categories and one for each facet of `facets`.
    """
    counts = facets(filters)
    params = params_of(filters)
    rest = without(params, "goodsTypeId", "firstCategoryId")
    tree: list[Branch] = []
    open_top: Category | None = None
    open_child: Category | None = None
    for top, children in category_tree():
        chosen_child = next((child for child in children if child.pk == filters.category_id), None)
        is_open = chosen_child is not None or (
            top.pk == filters.first_category_id and not filters.category_id
        )
        if is_open:
            open_top, open_child = top, chosen_child
        tree.append(
            Branch(
                _branch_choice(
                    top, "firstCategoryId", rest, counts.categories, chosen_child is None and is_open
                ),
                [
                    _branch_choice(child, "goodsTypeId", rest, counts.categories, child is chosen_child)
                    for child in children
                    if is_open
                ],
            )
        )
    brands = sorted(
        (_brand_choice(brand, count, filters) for brand, count in counts.brands),
        key=lambda choice: not choice.chosen,
    )
    return {
        "brand_labels": {choice.value: choice.label for choice in brands if choice.chosen},
        "tree": tree,
        "all_goods": shop_url(rest),
        "brands": brands[:BRANDS_SHOWN],
        "more_brands": brands[BRANDS_SHOWN:],
        "stocks": stock_choices(filters, counts.stock_types),
        "kept": without(params, "brandName", "stockType"),
        "top": open_top,
        "category": open_child or open_top,
    }


def _branch_choice(
    category: Category, name: str, rest: Params, counts: dict[int, int], chosen: bool
) -> Choice:
    return Choice(
        category.name,
        shop_url([(name, str(category.pk)), *rest]),
        count=counts.get(category.pk, 0),
        chosen=chosen,
    )


def _brand_choice(brand: Brand, count: int, filters: Filters) -> Choice:
    chosen = bool({brand.name_en, brand.name_zh} & set(filters.brand_names))
    return Choice(brand.name, value=brand.name_en, count=count, chosen=chosen)
