from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from core import purging
from core.purging import delete_in_batches

pytestmark = pytest.mark.django_db


def make_sessions(count: int) -> QuerySet[Session]:
    now = timezone.now()
    Session.objects.bulk_create(Session(session_key=f"{n:040}", expire_date=now) for n in range(count))
    Session.objects.create(session_key="living", expire_date=now + timedelta(days=1))
    return Session.objects.filter(expire_date__lte=now)


def test_rows_are_deleted_in_batches_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purging, "BATCH", 3)
    assert delete_in_batches(make_sessions(8)) == 8
    assert [row.session_key for row in Session.objects.all()] == ["living"]


@pytest.mark.parametrize(("name", "value"), [("MAX_ROWS", 6), ("MAX_SECONDS", 0)])
def test_a_night_ends_and_the_next_one_goes_on(
    monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    monkeypatch.setattr(purging, "BATCH", 3)
    monkeypatch.setattr(purging, name, value)
    due = make_sessions(8)
    nights = []
    while deleted := delete_in_batches(due):
        nights.append(deleted)
    assert sum(nights) == 8
    assert len(nights) == (2 if name == "MAX_ROWS" else 3)
    assert Session.objects.count() == 1
