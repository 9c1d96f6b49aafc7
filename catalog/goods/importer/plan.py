"""What an import would do to one kind of row, and the doing of it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models
from django.utils import timezone

from catalog.goods.importer.tables import Row, Table

BATCH = 500

# What a field is compared by where its value is another row: the hash of a picture, the code of a group.
_COMPARED: dict[str, Callable[[Any], Any]] = {
    "picture": lambda row: row.picture.file_hash if row.picture else None,
    "group": lambda row: row.group.code if row.group else None,
}


@dataclass
class Plan:
    """The rows of one table to make, to change (with the fields that change), and to leave alone."""

    model: type[models.Model]
    new: list[dict[str, Any]] = field(default_factory=list)
    changed: list[tuple[Any, dict[str, Any]]] = field(default_factory=list)
    same: int = 0

    def changed_fields(self) -> Counter[str]:
        """Count the rows that change by field."""
        return Counter(name for _row, values in self.changed for name in values)

    def apply(self, resolve: Callable[[str, Any], Any]) -> None:
        """Write the rows; `resolve` turns a value that was compared into what the field holds."""
        self._make(resolve)
        self._change(resolve)

    def _make(self, resolve: Callable[[str, Any], Any]) -> None:
        self.model._default_manager.bulk_create(
            [self.model(**{k: resolve(k, v) for k, v in values.items()}) for values in self.new],
            batch_size=BATCH,
        )

    def _change(self, resolve: Callable[[str, Any], Any]) -> None:
        for row, values in self.changed:
            for name, value in values.items():
                setattr(row, name, resolve(name, value))
            if hasattr(row, "updated_at"):
                row.updated_at = timezone.now()
        fields = {name.removesuffix("_id") for name in self.changed_fields()}
        if fields and hasattr(self.model, "updated_at"):
            fields.add("updated_at")
        if fields:
            rows = [row for row, _values in self.changed]
            self.model._default_manager.bulk_update(rows, sorted(fields), batch_size=BATCH)


def plan_table(
    model: type[models.Model], table: Table, rows: Sequence[Row], hashes: Mapping[str, str] | None
) -> Plan:
    """Compare rows with what the shop has; nothing is written.

    `hashes`: the hash of every picture by its file name; None leaves pictures as they are.
    """
    fields = {column.name: column.field for column in table.columns if column.field}
    key = table.key[0]
    existing = _existing(model, fields[key], [row.values[key] for row in rows])
    plan = Plan(model)
    for row in rows:
        values = {fields[name]: value for name, value in row.values.items() if name in fields}
        if "group" in values:
            values["group"] = values["group"] or None
        if "picture" in values:
            name = values.pop("picture")
            if hashes is not None:
                values["picture"] = hashes[name] if name else None
        current = existing.get(row.values[key])
        if current is None:
            plan.new.append(values)
            continue
        changes = {name: value for name, value in values.items() if _current(current, name) != value}
        if changes:
            plan.changed.append((current, changes))
        else:
            plan.same += 1
    return plan


def _existing(model: type[models.Model], key: str, values: Sequence[Any]) -> dict[Any, Any]:
    related = [name for name in _COMPARED if any(f.name == name for f in model._meta.fields)]
    found: dict[Any, Any] = {}
    for start in range(0, len(values), BATCH):
        part = {f"{key}__in": values[start : start + BATCH]}
        rows = model._default_manager.filter(**part).select_related(*related) if related else None
        for row in rows if rows is not None else model._default_manager.filter(**part):
            found[getattr(row, key)] = row
    return found


def _current(row: Any, name: str) -> Any:
    compared = _COMPARED.get(name)
    return compared(row) if compared else getattr(row, name)


def advance_sequences(*tables: type[models.Model]) -> None:
    """Let the database count on from the highest id: rows brought their own ids."""
    statements = connection.ops.sequence_reset_sql(no_style(), list(tables))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
