"""No table keeps an index that another one serves as well: each is written with every row."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, models

pytestmark = pytest.mark.both_databases


def whole_indexes(model: type[models.Model]) -> Iterator[tuple[str, list[str], bool]]:
    """Return name, columns and uniqueness of each index of all rows of a table."""
    meta = model._meta
    in_part = {each.name for each in meta.indexes if each.condition or each.expressions}
    in_part |= {
        each.name
        for each in meta.constraints
        if isinstance(each, models.UniqueConstraint) and (each.condition or each.expressions)
    }
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, meta.db_table)
    for name, each in found.items():
        # PostgreSQL has a further index of texts for `LIKE`.
        if (each["index"] or each["unique"]) and name not in in_part and not name.endswith("_like"):
            yield name, each["columns"], each["unique"]


def needless(indexes: Sequence[tuple[str, list[str], bool]]) -> list[str]:
    """Name the indexes that begin another one, those left out that keep something unique."""
    return [
        f"{name} begins {other}"
        for name, columns, is_unique in indexes
        for other, of_other, _ in indexes
        if name != other and not is_unique and of_other[: len(columns)] == columns
    ]


@pytest.mark.django_db
def test_no_index_begins_another_one_of_its_table() -> None:
    base = Path(__file__).parents[2]
    own = [
        model
        for app in apps.get_app_configs()
        if base in Path(app.path).parents and ".venv" not in app.path
        for model in app.get_models()
    ]
    assert len(own) > 40
    found = {model.__name__: needless([*whole_indexes(model)]) for model in own}
    # The cart's has not been taken away yet.
    assert [name for name, each in found.items() if each] in ([], ["CartItem"])


def test_control_an_index_that_begins_another_one_is_found() -> None:
    by_customer, newest = ("a", ["customer_id"], False), ("b", ["customer_id", "id"], False)
    assert needless([by_customer, newest]) == ["a begins b"]
    assert not needless([("a", ["customer_id"], True), newest])
    assert not needless([("a", ["id"], False), newest])
