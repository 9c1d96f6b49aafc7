"""A PostgreSQL server that ends connections during the work (docs/guarantees/operation.md#waiting)."""

import psycopg
import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, OperationalError, connection, transaction

from commerce.accounts.pay_hashes import pays_with
from commerce.accounts.services import check_pay_password, pay_password
from commerce.accounts.tests.builders import PASSWORD, make_customer
from commerce.rate_limits.models import RateLimitCounter
from core.database_errors import refusal_of
from core.errors import Err
from core.transactions import in_transaction

if connection.vendor != "postgresql":
    pytest.skip("SQLite has no connections that end", allow_module_level=True)

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def end_connection() -> None:
    """Let the server end this thread's connection, as an administrator would, and wait until it has."""
    connection.ensure_connection()
    with psycopg.connect(**connection.get_connection_params()) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])


def names() -> list[str]:
    # The migrations have made groups too.
    groups = Group.objects.filter(name__startswith="test ")
    return list(groups.order_by("name").values_list("name", flat=True))


def test_a_read_outside_a_transaction_is_answered_by_a_new_connection() -> None:
    Group.objects.create(name="test kept")
    end_connection()
    assert names() == ["test kept"]
    end_connection()
    assert Group.objects.get(name="test kept")


def test_a_write_outside_a_transaction_is_not_sent_again() -> None:
    Group.objects.create(name="test kept")
    end_connection()
    with pytest.raises(DatabaseError) as caught:
        Group.objects.filter(name="test kept").update(name="test changed")
    refused = refusal_of(caught.value)
    assert refused
    assert refused.err is Err.shop_unavailable
    connection.close()
    assert names() == ["test kept"]


def test_a_read_within_a_transaction_is_not_sent_again() -> None:
    def read_in_vain() -> None:
        with transaction.atomic():
            Group.objects.create(name="test never")
            end_connection()
            names()

    with pytest.raises(OperationalError):
        read_in_vain()
    assert names() == []


class Service:
    """A service that writes a group; in some of its runs the connection ends before or at the commit."""

    def __init__(self, *, ends_in: set[int], reads_then: bool = True) -> None:
        self.runs = 0
        self.ends_in, self.reads_then = ends_in, reads_then

    def work(self) -> None:
        """Write; a read afterwards finds that the connection has ended, else the commit does."""
        self.runs += 1
        Group.objects.create(name=f"test {self.runs}")
        if self.runs in self.ends_in:
            end_connection()
            if self.reads_then:
                names()


def test_a_service_whose_connection_ends_before_the_commit_runs_again() -> None:
    service = Service(ends_in={1})
    in_transaction(service.work)()
    assert (service.runs, names()) == (2, ["test 2"])


def test_a_service_whose_connection_ends_twice_is_refused_and_leaves_nothing() -> None:
    service = Service(ends_in={1, 2})
    with pytest.raises(OperationalError):
        in_transaction(service.work)()
    assert (service.runs, names()) == (2, [])


def test_a_service_whose_commit_gets_no_answer_does_not_run_again() -> None:
    service = Service(ends_in={1}, reads_then=False)
    with pytest.raises(OperationalError):
        in_transaction(service.work)()
    assert service.runs == 1


def test_a_right_pay_password_is_accepted_though_the_connection_ends_while_it_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    customer = make_customer()

    def compare_slowly(password: str, stored: str) -> bool:
        end_connection()
        return pays_with(password, stored)

    monkeypatch.setattr(pay_password, "pays_with", compare_slowly)
    check_pay_password(customer=customer, password=PASSWORD)
    assert RateLimitCounter.objects.get(limit="pay password").count == 0


def test_who_has_waited_long_for_a_connection_that_ended_is_not_kept_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.database_errors.REPLACED_WITHIN", 0.0)
    end_connection()
    with pytest.raises(OperationalError):
        names()
    connection.close()
    assert names() == []
