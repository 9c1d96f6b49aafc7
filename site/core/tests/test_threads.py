import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper

from core.tests.threads import concurrently


@pytest.mark.django_db(transaction=True)
def test_a_thread_without_a_connection_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    connect, tries = BaseDatabaseWrapper.connect, iter(range(3))
    done = list[int]()

    def connect_all_but_one(self: BaseDatabaseWrapper) -> None:
        if next(tries) == 1:
            raise OperationalError("too many clients")
        connect(self)

    monkeypatch.setattr(BaseDatabaseWrapper, "connect", connect_all_but_one)
    with pytest.raises(OperationalError, match="too many clients"):
        concurrently(done.append, range(3))
    assert len(done) == 2
