"""The page of categories: all groups, and subcategories and products of one (docs/product.md#categories)."""

from dataclasses import dataclass

from django.http import QueryDict

from catalog.browse.choices import Choice
from catalog.browse.facetpanel import category_branches
from catalog.browse.filters import Filters
from catalog.browse.listing import Listing, facets, listing
from catalog.browse.listpage import Params, params_of
from catalog.browse.showcases import category_tree
from catalog.goods.models import Category
from core.wire import positive_number

PATH = "/categories"


@dataclass(frozen=True)
class CategoryPage:
    """The groups (top categories) that have products, and the chosen category with its products."""

    groups: list[Choice]
    subcategories: list[Choice]
    chosen: Category
    found: Listing
    params: Params


def category_page(query: QueryDict) -> CategoryPage | None:
    """Return the page for a query string; the first group if it names no category, None without products."""
    counts = facets(Filters())
    tree = [(top, children) for top, children in category_tree() if counts.categories.get(top.pk)]
    if not tree:
        return None
    top, child = _chosen(query, tree)
    filters = Filters(category_id=child.pk) if child else Filters(first_category_id=top.pk)
    branches = category_branches(tree, counts, open_top=top, open_child=child, path=PATH)
    return CategoryPage(
        groups=[
            Choice(branch.top.label, branch.top.url, chosen=group is top)
            for branch, (group, _children) in zip(branches, tree, strict=True)
        ],
        subcategories=next((each.chips for each in branches if each.children), []),
        chosen=child or top,
        found=listing(filters),
        params=params_of(filters),
    )


def _chosen(
    query: QueryDict, tree: list[tuple[Category, list[Category]]]
) -> tuple[Category, Category | None]:
    """Return the chosen group and subcategory; the first group for an unknown id."""
    wanted = positive_number(query.get("goodsTypeId", ""))
    for top, children in tree:
        child = next((child for child in children if child.pk == wanted), None)
        if child:
            return top, child
    group = positive_number(query.get("firstCategoryId", ""))
    return next((top for top, _children in tree if top.pk == group), tree[0][0]), None
