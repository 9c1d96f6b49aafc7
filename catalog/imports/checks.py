"""Checks rows against each other and against the shop's rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.goods.models import Brand, Category, PriceChange, Product
from catalog.goods.wasprices import CHARGED_FOR, charged_prices, was_price_fault
from catalog.imports.plan import Plan
from catalog.imports.problems import Problems
from catalog.imports.tables import Row
from core.clock import shop_zone

_PRICED = frozenset({"price", "market_price"})


@dataclass
class Known:
    """The shop's categories and brands and the rows read so far, against which rows are checked.

    `seen`: table → key → row number. `ids` and `groups`: the ids and product groups in rows of products.
    """

    parents: dict[int, int | None]
    brands: set[int]
    seen: dict[str, dict[Any, int]] = field(default_factory=dict)
    ids: dict[int, int] = field(default_factory=dict)
    groups: dict[str, tuple[str, str]] = field(default_factory=dict)
    # False if an earlier file has a problem; then products' categories and brands are not checked.
    is_sound: bool = True

    @classmethod
    def from_shop(cls) -> "Known":
        """Read the shop's categories and brands."""
        parents: dict[int, int | None] = dict(Category.objects.order_by().values_list("pk", "parent_id"))
        return cls(parents, set(Brand.objects.order_by().values_list("pk", flat=True)))

    def of(self, table: str) -> dict[Any, int]:
        """Return the numbers of a table's rows by key."""
        return self.seen.setdefault(table, {})


def check_categories(rows: Sequence[Row], known: Known, problems: Problems) -> None:
    """Record a problem for categories with an unknown parent and for a third level."""
    known.parents |= {row.values["classify_id"]: row.values["classify_pid"] for row in rows}
    with_children = set(known.parents.values())
    for row in rows:
        parent = row.values["classify_pid"]
        if parent is None:
            continue
        if parent not in known.parents:
            text = _("there is no category %(id)s") % {"id": parent}
        elif known.parents[parent] is not None:
            text = _("category %(id)s must be a top category: there are only two levels") % {"id": parent}
        elif row.values["classify_id"] in with_children:
            text = _("a category with others below it must be a top one")
        else:
            continue
        problems.add(row.file, row.number, "classify_pid", text)


def check_products(rows: Sequence[Row], known: Known, problems: Problems) -> None:
    """Record a problem for unknown categories or brands, used ids, and inconsistent product groups."""
    if known.is_sound:
        for row in rows:
            _check_category_and_brand(row, known, problems)
    _check_ids(rows, known, problems)
    for row in rows:
        _check_group(row, known, problems)


def _check_category_and_brand(row: Row, known: Known, problems: Problems) -> None:
    category, brand = row.values["classify_id"], row.values["brand_id"]
    if category not in known.parents:
        text = _("there is no category %(id)s") % {"id": category}
        problems.add(row.file, row.number, "classify_id", text)
    elif row.values.get("first_classify_id", category) not in (known.parents[category], category):
        text = _("the category above %(id)s is another one") % {"id": category}
        problems.add(row.file, row.number, "first_classify_id", text)
    if brand not in known.brands:
        problems.add(row.file, row.number, "brand_id", _("there is no brand %(id)s") % {"id": brand})


def _check_ids(rows: Sequence[Row], known: Known, problems: Problems) -> None:
    """Record a problem for ids of another SKU, because orders refer to the id and files to the SKU."""
    pks, skus = [row.values["goods_id"] for row in rows], [row.values["sku"] for row in rows]
    sku_of = dict(Product.objects.filter(Q(pk__in=pks) | Q(sku__in=skus)).order_by().values_list("pk", "sku"))
    id_of = {sku: pk for pk, sku in sku_of.items()}
    for row in rows:
        pk, sku = row.values["goods_id"], row.values["sku"]
        if (first := known.ids.setdefault(pk, row.number)) != row.number:
            text = _("“%(what)s” is already in row %(row)s") % {"what": pk, "row": first}
        elif id_of.get(sku, pk) != pk:
            text = _("the product with the SKU %(sku)s has the id %(id)s") % {"sku": sku, "id": id_of[sku]}
        elif sku_of.get(pk, sku) != sku:
            text = _("this id belongs to the product with the SKU %(sku)s") % {"sku": sku_of[pk]}
        else:
            continue
        problems.add(row.file, row.number, "goods_id", text)


def _check_group(row: Row, known: Known, problems: Problems) -> None:
    group = row.values.get("spec_group")
    if not group:
        return
    names = row.values.get("spec_en", ""), row.values.get("spec_zh", "")
    if not all(names):
        problems.add(row.file, row.number, "spec_en", _("a product group needs both its names"))
    elif known.groups.setdefault(group, names) != names:
        text = _("group “%(group)s” has other names further up") % {"group": group}
        problems.add(row.file, row.number, "spec_en", text)


def check_was_prices(plan: Plan, problems: Problems) -> None:
    """Record a problem for was-prices that were not charged or lack their date; one query."""
    given = [
        change
        for change in plan.changed
        if change.source.values.get("market_price") and not change.after.keys().isdisjoint(_PRICED)
    ]
    histories = PriceChange.histories(change.row.pk for change in given) if given else {}
    now = timezone.now()
    for change in given:
        values = change.source.values
        charged = charged_prices(histories.get(change.row.pk, []), now)
        if fault := was_price_fault(values["price_aud"], values["market_price"], charged):
            problems.add(change.source.file, change.source.number, "market_price", fault)
    for row, values in plan.new:
        was, since = values.get("market_price"), row.values.get("market_since")
        if was is None:
            continue
        if since is None:
            text = _("a was-price of new products needs market_since, the day from which it was charged")
            problems.add(row.file, row.number, "market_since", text)
        elif fault := was_price_fault(values["price"], was, {was} if _is_long(since) else set()):
            problems.add(row.file, row.number, "market_price", fault)


def _is_long(since: date) -> bool:
    return timezone.localdate(timezone=shop_zone()) - since >= CHARGED_FOR
