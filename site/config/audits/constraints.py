"""The rule that the database still enforces the constraints of all models (docs/audit.md#constraints)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.apps import apps
from django.db import connection
from django.db.models import CheckConstraint, Model, UniqueConstraint
from django.utils.translation import gettext_noop as _

from core.audit import Difference

# The shop's own apps; packages declare constraints that their migrations never created.
OWN = ("core", "content", "catalog", "commerce", "config")

# Table, name, kind and column, for each column: u is a unique index, f a foreign key, c a check. An invalid
# index, or a constraint that is not validated, enforces nothing.
_POSTGRESQL = """
SELECT tables.relname, indexes.relname, 'u', attname
FROM pg_index
JOIN pg_class AS indexes ON indexes.oid = indexrelid
JOIN pg_class AS tables ON tables.oid = indrelid
LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
WHERE indisunique AND indisvalid AND pg_table_is_visible(indrelid)
UNION ALL
SELECT relname, conname, contype::text, attname
FROM pg_constraint
JOIN pg_class ON pg_class.oid = conrelid
LEFT JOIN pg_attribute ON contype = 'f' AND attrelid = conrelid AND attnum = ANY(conkey)
WHERE contype IN ('c', 'f') AND convalidated AND pg_table_is_visible(conrelid)
"""
_SQLITE = """
SELECT tables.name, indexes.name, 'u', columns.name
FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS indexes,
    pragma_index_info(indexes.name) AS columns
WHERE tables.type = 'table' AND indexes."unique"
UNION ALL
SELECT tables.name, '', 'u', columns.name
FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' AND columns.pk
UNION ALL
SELECT tables.name, keys.id, 'f', keys."from"
FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS keys
WHERE tables.type = 'table'
"""
_SQLITE_TABLES = "SELECT name, sql FROM sqlite_schema WHERE type = 'table'"


@dataclass
class _Held:
    """What the database enforces for a table: names of checks and unique indexes, and columns."""

    names: set[str] = field(default_factory=set)
    unique: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    # The table's SQL on SQLite, which contains its constraints.
    sql: str = ""


def differences() -> Iterator[Difference]:
    """Yield a difference for each check, unique and foreign key that the database does not enforce."""
    held = _held()
    for model in apps.get_models(include_auto_created=True):
        if model.__module__.split(".")[0] in OWN:
            table = model._meta.db_table
            yield from _missing(model, f"table {table}", held.get(table, _Held()))


def _missing(model: type[Model], row: str, held: _Held) -> Iterator[Difference]:
    for constraint in model._meta.constraints:
        if isinstance(constraint, CheckConstraint | UniqueConstraint):
            name = constraint.name
            if name not in held.names and f'CONSTRAINT "{name}"' not in held.sql:
                yield Difference("constraint", row, _("does not hold to %(name)s"), name=name)
    for column in model._meta.local_concrete_fields:
        if column.unique and column.column not in held.unique:
            yield Difference("constraint", row, _("does not keep %(column)s unique"), column=column.column)
        has_key = column.remote_field and getattr(column, "db_constraint", False)
        if has_key and column.column not in held.keys:
            yield Difference("constraint", row, _("has no foreign key for %(column)s"), column=column.column)


def _held() -> dict[str, _Held]:
    """Return what the database enforces for each table; at most two queries."""
    found: dict[str, _Held] = {}
    columns: dict[tuple[str, str], list[str]] = {}
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute(_SQLITE if is_sqlite else _POSTGRESQL)
        for table, name, kind, column in cursor.fetchall():
            held = found.setdefault(table, _Held())
            if kind == "f":
                held.keys.add(column)
            else:
                held.names.add(name)
            if kind == "u":
                columns.setdefault((table, name), []).append(column)
        if is_sqlite:
            cursor.execute(_SQLITE_TABLES)
            for table, sql in cursor.fetchall():
                found.setdefault(table, _Held()).sql = sql
    for (table, _name), together in columns.items():
        if len(together) == 1:
            found[table].unique.update(together)
    return found
