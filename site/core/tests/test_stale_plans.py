"""Plans that a connection keeps, when a migration changes a column's type under a shop that runs."""

from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.contrib.auth.models import Group
from django.db import connection

from core.prepared import fetch
from core.transactions import in_transaction

if connection.vendor != "postgresql":
    pytest.skip("SQLite replans its statements automatically", allow_module_level=True)

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]
OFTEN = 10


def execute(*statements: str) -> None:
    """Let another connection change the schema, as a migration does: one's own forgets its plans then."""
    with psycopg.connect(**connection.get_connection_params()) as other:
        for sql in statements:
            other.execute(sql.encode())


def read() -> list[str]:
    return [name for (name,) in fetch("SELECT name FROM changing WHERE name <> %s", ["other"], {})]


@pytest.fixture
def change() -> Iterator[Callable[[], None]]:
    """Read a table until its plan is kept; let its column get longer when the test calls this."""
    # A new connection, since the tests before may have let this one keep no plans.
    connection.close()
    connection.ensure_connection()
    execute("CREATE TABLE changing (name varchar(5))", "INSERT INTO changing VALUES ('rice')")
    for _ in range(OFTEN):
        read()
    yield lambda: execute("ALTER TABLE changing ALTER name TYPE varchar(9)")
    connection.close()
    execute("DROP TABLE changing")


def test_a_column_that_gets_longer_fails_no_read(change: Callable[[], None]) -> None:
    change()
    for _ in range(OFTEN):
        assert read() == ["rice"]


def test_a_column_that_gets_longer_lets_a_transaction_run_again(change: Callable[[], None]) -> None:
    tries: list[int] = []

    @in_transaction
    def work() -> list[str]:
        tries.append(1)
        Group.objects.create(name=f"try {len(tries)}")
        return read()

    change()
    assert work() == ["rice"]
    assert [group.name for group in Group.objects.filter(name__startswith="try")] == ["try 2"]
    assert work() == ["rice"]
    assert len(tries) == 3
