"""Prepared queries are planned once by PostgreSQL, and counted like any other."""

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from core.prepared import prepared_cursor

pytestmark = pytest.mark.django_db
QUERY = "SELECT %s + 1"


def ask(number: int) -> int:
    with prepared_cursor() as cursor:
        cursor.execute(QUERY, [number])
        return int(cursor.fetchone()[0])


def prepared_statements() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [row[0] for row in cursor.fetchall()]


def test_a_frequent_query_is_prepared_with_its_plan() -> None:
    assert [ask(number) for number in range(8)] == [number + 1 for number in range(8)]
    if connection.vendor == "postgresql":
        assert QUERY.replace("%s", "$1") in prepared_statements()


def test_prepared_queries_are_counted(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        ask(1)
