"""What rows must be true of together, and beside what the shop has already."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from catalog.goods.importer.problems import Problems
from catalog.goods.importer.tables import Row
from catalog.goods.models import Brand, Category, Product


def check_categories(rows: Sequence[Row], problems: Problems) -> None:
    """Note categories whose parent is unknown, or that would make a third level."""
    parents = dict(Category.objects.values_list("pk", "parent_id"))
    parents |= {row.values["classify_id"]: row.values["classify_pid"] for row in rows}
    with_children = set(parents.values())
    for row in rows:
        parent = row.values["classify_pid"]
        if parent is None:
            continue
        if parent not in parents:
            text = _("there is no category %(id)s") % {"id": parent}
        elif parents[parent] is not None:
            text = _("category %(id)s is no top category: there are two levels only") % {"id": parent}
        elif row.values["classify_id"] in with_children:
            text = _("a category with others below it must be a top one")
        else:
            continue
        problems.add(row.file, row.number, "classify_pid", text)


def check_goods(
    rows: Sequence[Row], categories: Sequence[Row], brands: Sequence[Row], problems: Problems
) -> None:
    """Note goods of unknown categories or brands, with ids that are taken, or with spec groups at odds."""
    parents = dict(Category.objects.values_list("pk", "parent_id"))
    parents |= {row.values["classify_id"]: row.values["classify_pid"] for row in categories}
    brand_ids = set(Brand.objects.values_list("pk", flat=True))
    brand_ids |= {row.values["brand_id"] for row in brands}
    for row in rows:
        category, brand = row.values["classify_id"], row.values["brand_id"]
        if category not in parents:
            text = _("there is no category %(id)s") % {"id": category}
            problems.add(row.file, row.number, "classify_id", text)
        elif row.values.get("first_classify_id", category) not in (parents[category], category):
            text = _("the category above %(id)s is another one") % {"id": category}
            problems.add(row.file, row.number, "first_classify_id", text)
        if brand not in brand_ids:
            problems.add(row.file, row.number, "brand_id", _("there is no brand %(id)s") % {"id": brand})
    _check_ids(rows, problems)
    _check_groups(rows, problems)


def _check_ids(rows: Sequence[Row], problems: Problems) -> None:
    """Note ids that do not go with their SKU: orders and links hold the one, the shop's files the other."""
    sku_of = dict(Product.objects.values_list("pk", "sku"))
    id_of = {sku: pk for pk, sku in sku_of.items()}
    seen: dict[int, int] = {}
    for row in rows:
        pk, sku = row.values["goods_id"], row.values["sku"]
        if pk in seen:
            text = _("“%(what)s” stands in row %(row)s already") % {"what": pk, "row": seen[pk]}
        elif id_of.get(sku, pk) != pk:
            text = _("the good with the SKU %(sku)s has the id %(id)s") % {"sku": sku, "id": id_of[sku]}
        elif sku_of.get(pk, sku) != sku:
            text = _("this id belongs to the good with the SKU %(sku)s") % {"sku": sku_of[pk]}
        else:
            seen[pk] = row.number
            continue
        problems.add(row.file, row.number, "goods_id", text)


def _check_groups(rows: Sequence[Row], problems: Problems) -> None:
    first: dict[str, tuple[str, str]] = {}
    for row in rows:
        group = row.values.get("spec_group")
        if not group:
            continue
        names = row.values.get("spec_en", ""), row.values.get("spec_zh", "")
        if not all(names):
            problems.add(row.file, row.number, "spec_en", _("a spec group needs both its names"))
        elif first.setdefault(group, names) != names:
            text = _("group “%(group)s” has other names further up") % {"group": group}
            problems.add(row.file, row.number, "spec_en", text)
