"""The statements that work sends to the database."""

from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext


def statements_of(work: Callable[[], object]) -> list[str]:
    """Do work; returns the SQL of its statements."""
    with CaptureQueriesContext(connection) as captured:
        work()
    return [query["sql"] for query in captured]
