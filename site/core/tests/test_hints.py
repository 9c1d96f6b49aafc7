import pytest
from django.db import transaction

from core.gateways import MAX_FAILURES
from core.hints import hint_after_commit


class QueueGoneError(Exception):
    pass


def no_queue(_row_id: int) -> None:
    raise QueueGoneError


@pytest.mark.django_db(transaction=True)
def test_a_hint_that_is_lost_is_logged_and_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with transaction.atomic():
        hint_after_commit(no_queue, 1)
    hint_after_commit(no_queue, 2)
    assert [record.getMessage() for record in caplog.records] == ["a hint was lost"] * 2


@pytest.mark.django_db(transaction=True)
def test_a_hint_waits_for_the_commit_and_is_not_given_without_one() -> None:
    given: list[int] = []
    with transaction.atomic():
        hint_after_commit(given.append, 1)
        assert not given
    assert given == [1]
    with transaction.atomic():
        hint_after_commit(given.append, 2)
        transaction.set_rollback(True)
    assert given == [1]


@pytest.mark.django_db(transaction=True)
def test_queues_that_fail_again_and_again_are_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    for number in range(MAX_FAILURES + 2):
        hint_after_commit(no_queue, number)
    messages = [record.getMessage() for record in caplog.records]
    assert messages.count("a hint was lost") == MAX_FAILURES
