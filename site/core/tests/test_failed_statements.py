import pytest
from django.db import Error, connection

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

if connection.vendor != "sqlite":
    pytest.skip("Only SQLite's cursors wait for their connection", allow_module_level=True)


def test_the_cursor_of_a_failed_statement_is_closed_immediately_and_the_connection_stays_usable() -> None:
    failed = connection.cursor()
    with pytest.raises(Error):
        failed.execute("SELECT 1 FROM missing")
    with pytest.raises(Error, match="closed cursor"):
        failed.fetchone()
    with connection.cursor() as other:
        other.execute("SELECT 1")
        assert other.fetchone() == (1,)


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_is_opened_again_does_so_once_for_each_statement() -> None:
    connection.ensure_connection()
    before = list(connection.execute_wrappers)
    connection.close()
    connection.ensure_connection()
    assert connection.execute_wrappers == before
