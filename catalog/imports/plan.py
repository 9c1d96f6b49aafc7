"""Compares a batch of rows with the shop's rows and writes the differences."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models
from django.utils import timezone

from catalog.goods.models import Allergen, Diet
from catalog.imports.children import FIELDS as CHILDREN
from catalog.imports.children import children_of, write_children
from catalog.imports.tables import Row, Table

_PLACES = {code: place for place, code in enumerate([*Allergen.values, *Diet.values])}


def _in_order(name: str) -> Callable[[Any], list[str]]:
    return lambda row: sorted(getattr(row, name), key=lambda code: _PLACES.get(code, 0))


# Comparable values of fields that refer to another row or have no order.
_COMPARED: dict[str, Callable[[Any], Any]] = {
    "picture": lambda row: row.picture.file_hash if row.picture else None,
    "group": lambda row: row.group.code if row.group else None,
} | {name: _in_order(name) for name in ("allergens", "may_contain", "diets")}
_RELATED = ("picture", "group")

Resolve = Callable[[str, Any], Any]
# Creates rows; writes the given columns of existing rows.
Create = Callable[[list[Any]], object]
Save = Callable[[list[Any], Collection[str]], object]


@dataclass(frozen=True)
class Change:
    """An existing row and its changed fields, with the values before and after."""

    row: Any
    source: Row
    before: dict[str, Any]
    after: dict[str, Any]


@dataclass
class Plan:
    """Rows of one table to create, rows to change, and the number of unchanged rows.

    `left`: rows that differ from the shop's rows and are not written, each with the reason.
    """

    name: str
    model: type[models.Model]
    new: list[tuple[Row, dict[str, Any]]] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    same: int = 0
    left: list[tuple[Row, str]] = field(default_factory=list)

    def changed_fields(self) -> Counter[str]:
        """Return field → number of rows in which it changed."""
        return Counter(name for change in self.changed for name in change.after)

    def apply(self, resolve: Resolve, create: Create, save: Save) -> None:
        """Write the rows; `resolve`: turns a compared value into the field's value."""
        children: dict[str, dict[int, Any]] = {name: {} for name in CHILDREN}
        self._create(resolve, children, create)
        self._change(resolve, children, save)
        for name, values in children.items():
            if values:
                write_children(name, values)

    def _create(self, resolve: Resolve, children: dict[str, dict[int, Any]], create: Create) -> None:
        if not self.new:
            return
        rows = []
        for _source, values in self.new:
            row = self.model(**{k: resolve(k, v) for k, v in values.items() if k not in CHILDREN})
            for name in values.keys() & CHILDREN:
                if values[name]:
                    children[name][row.pk] = resolve(name, values[name])
            rows.append(row)
        create(rows)
        advance_sequence(self.model)

    def _change(self, resolve: Resolve, children: dict[str, dict[int, Any]], save: Save) -> None:
        fields: set[str] = set()
        for change in self.changed:
            for name, value in change.after.items():
                if name in CHILDREN:
                    children[name][change.row.pk] = resolve(name, value)
                    continue
                setattr(change.row, name, resolve(name, value))
                fields.add(name.removesuffix("_id"))
            if hasattr(change.row, "updated_at"):
                change.row.updated_at = timezone.now()
                fields.add("updated_at")
        if fields:
            save([change.row for change in self.changed], fields)


def plan_rows(
    model: type[models.Model], table: Table, rows: Sequence[Row], hashes: Mapping[str, str] | None
) -> Plan:
    """Compare rows with the shop's rows; nothing is written.

    `hashes`: file name → hash of each picture; None leaves pictures unchanged.
    """
    fields = {column.name: column.field for column in table.columns if column.field}
    key = table.key[0]
    existing = _existing(model, fields[key], [row.values[key] for row in rows])
    children = _children(rows, fields, existing.values())
    plan = Plan(table.name, model)
    for row in rows:
        values = {fields[name]: value for name, value in row.values.items() if name in fields}
        _name_pictures(values, hashes)
        if "group" in values:
            values["group"] = values["group"] or None
        current = existing.get(row.values[key])
        if current is None:
            plan.new.append((row, values))
            continue
        before, after = {}, {}
        for name, value in values.items():
            if name in CHILDREN:
                was = children[name].get(current.pk, ()) if name in children else value
            elif name in _COMPARED:
                was = _COMPARED[name](current)
            else:
                was = getattr(current, name)
            if was != value and not (isinstance(was, str) and _normal(was) == value):
                before[name], after[name] = was, value
        if after:
            plan.changed.append(Change(current, row, before, after))
        else:
            plan.same += 1
    return plan


def _name_pictures(values: dict[str, Any], hashes: Mapping[str, str] | None) -> None:
    """Replace file names of pictures by hashes; without a folder, remove the pictures."""
    if hashes is None:
        values.pop("picture", None)
        values.pop("gallery", None)
        return
    if "picture" in values:
        values["picture"] = hashes[values["picture"]] if values["picture"] else None
    if "gallery" in values:
        values["gallery"] = tuple(hashes[name] for name in values["gallery"])


def _normal(text: str) -> str:
    """Return a text in the form that a file contains."""
    return text.replace("\r\n", "\n").strip()


def _existing(model: type[models.Model], key: str, values: Sequence[Any]) -> dict[Any, Any]:
    related = [name for name in _RELATED if any(f.name == name for f in model._meta.fields)]
    rows = model._default_manager.filter(**{f"{key}__in": values}).order_by()
    return {getattr(row, key): row for row in (rows.select_related(*related) if related else rows)}


def _children(
    rows: Sequence[Row], fields: Mapping[str, str], existing: Any
) -> dict[str, dict[int, tuple[Any, ...]]]:
    given = {fields[name] for name in rows[0].values if name in fields} if rows else set()
    ids = [row.pk for row in existing]
    return {name: children_of(name, ids, "file_hash") for name in sorted(given & CHILDREN)} if ids else {}


def advance_sequence(model: type[models.Model]) -> None:
    """Set the database's sequence to the highest id, because imported rows bring their own ids."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)
