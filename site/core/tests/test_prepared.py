"""Prepared queries are planned once by PostgreSQL, and counted like any other."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from core.prepared import prepared_cursor, prepared_statements

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
QUERY = "SELECT %s + 1"


def ask(number: int) -> int:
    with prepared_cursor() as cursor:
        cursor.execute(QUERY, [number])
        return int(cursor.fetchone()[0])


def kept_plans() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [row[0] for row in cursor.fetchall()]


def test_a_frequent_query_is_prepared_with_its_plan() -> None:
    assert [ask(number) for number in range(8)] == [number + 1 for number in range(8)]
    if connection.vendor == "postgresql":
        assert QUERY.replace("%s", "$1") in kept_plans()


def test_prepared_queries_are_counted(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        ask(1)


def test_within_the_block_statements_of_the_orm_are_prepared_too_and_after_it_none() -> None:
    def ask_model(name: str) -> int:
        return Permission.objects.filter(**{name: "x"}).count()

    with prepared_statements():
        assert [ask_model("codename") for _ in range(8)] == [0] * 8
    assert [ask_model("name") for _ in range(8)] == [0] * 8
    if connection.vendor == "postgresql":
        [plan] = [text for text in kept_plans() if "auth_permission" in text]
        assert '"codename" = $1' in plan


def test_the_block_ends_with_an_error_too() -> None:
    with pytest.raises(RuntimeError), prepared_statements(), prepared_statements():
        raise RuntimeError
    assert not getattr(connection, "prepares", False)
