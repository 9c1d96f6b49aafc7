"""Indexes of migrations that are made while the shop goes on writing (CONTRIBUTING.md#migrations)."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import IntegrityError, NotSupportedError, connection, models, transaction
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from core.migration_operations import (
    AddIndexConcurrently,
    AddUniqueConstraintConcurrently,
    RemoveColumnIndexConcurrently,
)

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]
TABLE = "core_sample"
OPERATIONS: dict[str, Callable[[], Operation]] = {
    "index": lambda: AddIndexConcurrently("sample", models.Index(fields=["color"], name="of_color")),
    "unique": lambda: AddUniqueConstraintConcurrently(
        "sample", models.UniqueConstraint(fields=["color"], name="of_color")
    ),
    "unique in part": lambda: AddUniqueConstraintConcurrently(
        "sample", models.UniqueConstraint(fields=["color"], condition=Q(size__gt=1), name="of_color")
    ),
}
UNIQUE = ["unique", "unique in part"]


@pytest.fixture
def before() -> Iterator[ProjectState]:
    """A table with three rows, which exists before the migration."""
    state = ProjectState()
    fields: list[tuple[str, models.Field[Any, Any]]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("color", models.CharField(max_length=9)),
        ("size", models.IntegerField(db_index=True)),
    ]
    state.add_model(ModelState("core", "Sample", fields))
    sample = state.apps.get_model("core", "Sample")
    with connection.schema_editor() as editor:
        editor.create_model(sample)
    for color, size in [("red", 1), ("green", 2), ("blue", 3)]:
        sample.objects.create(color=color, size=size)
    yield state
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {TABLE}")


def after(operation: Operation, before: ProjectState) -> ProjectState:
    state = before.clone()
    operation.state_forwards("core", state)
    return state


def forwards(operation: Operation, before: ProjectState) -> None:
    with connection.schema_editor(atomic=False) as editor:
        operation.database_forwards("core", editor, before, after(operation, before))


def indexes() -> dict[str, bool]:
    """Return whether each index of ours is unique."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, TABLE)
    return {name: each["unique"] for name, each in found.items() if name.startswith("of_color")}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_index_is_made_and_removed(before: ProjectState, name: str) -> None:
    operation = OPERATIONS[name]()
    with CaptureQueriesContext(connection) as made:
        forwards(operation, before)
    assert indexes() == {"of_color": name in UNIQUE}
    if connection.vendor == "postgresql":
        assert any("INDEX CONCURRENTLY" in query["sql"] for query in made if "CREATE" in query["sql"])
    with connection.schema_editor(atomic=False) as editor:
        operation.database_backwards("core", editor, after(operation, before), before)
    assert not indexes()


def columns_with_an_index() -> list[list[str]]:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, TABLE)
    return [each["columns"] for each in found.values() if each["index"] and not each["unique"]]


def test_a_columns_own_index_is_removed_and_made_again(before: ProjectState) -> None:
    operation = RemoveColumnIndexConcurrently("sample", "size", models.IntegerField(db_index=False))
    assert columns_with_an_index() == [["size"]]
    with CaptureQueriesContext(connection) as made:
        forwards(operation, before)
        assert not columns_with_an_index()
        # Once more, as after a failure.
        forwards(operation, before)
        with connection.schema_editor(atomic=False) as editor:
            operation.database_backwards("core", editor, after(operation, before), before)
    assert columns_with_an_index() == [["size"]]
    assert before.apps.get_model("core", "Sample").objects.count() == 3
    written = [query["sql"] for query in made if " INDEX " in query["sql"]]
    if connection.vendor == "postgresql":
        assert all("INDEX CONCURRENTLY" in sql for sql in written)
    # The table itself is not made again.
    assert not any("CREATE TABLE" in query["sql"] for query in made)


@pytest.mark.parametrize("name", UNIQUE)
def test_what_could_not_be_finished_is_made_at_the_next_try(before: ProjectState, name: str) -> None:
    sample = before.apps.get_model("core", "Sample")
    duplicate = sample.objects.create(color="green", size=4)
    with pytest.raises(IntegrityError):
        forwards(OPERATIONS[name](), before)
    assert sample.objects.count() == 4
    duplicate.delete()
    forwards(OPERATIONS[name](), before)
    assert indexes() == {"of_color": True}
    with pytest.raises(IntegrityError):
        sample.objects.create(color="green", size=4)
    assert sample.objects.count() == 3


@pytest.mark.parametrize("name", OPERATIONS)
def test_within_a_transaction_the_index_would_lock_the_table(before: ProjectState, name: str) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite locks the whole database anyway")
    with pytest.raises(NotSupportedError, match="atomic = False"), transaction.atomic():
        forwards(OPERATIONS[name](), before)
    assert not indexes()
