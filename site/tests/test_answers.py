"""Answers that are written without a schema keep to it (docs/wire.md#envelope)."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import timezone
from ninja import Router, Schema

from catalog.goods.models import Storage
from config.api import api
from core.errors import Err
from core.wire import Envelope, NotedEnvelope, Price, answer, envelope, noted
from tests.declared_answers import check_answer


class Shown(Schema):
    name: str
    price: Price
    storage: str
    at: datetime
    until: datetime | None = None


SHOWN = {
    "name": "老干妈 \u2028",
    "price": Decimal("12.10"),
    "storage": Storage.frozen,
    "at": datetime(2026, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC),
    "until": timezone.make_aware(datetime(2026, 1, 2, 3, 4)),
}


@pytest.mark.parametrize("note", [..., None, Err.amount_above_limit])
def test_an_answer_without_a_schema_is_written_as_with_it(note: Any) -> None:
    plain = note is ...

    def call(request: Any) -> Any:
        return envelope(SHOWN) if plain else noted(SHOWN, note)

    router = Router()
    declared: Any = Envelope[Shown] if plain else NotedEnvelope[Shown]
    router.get("/call", response=declared)(call)
    [operation] = router.path_operations["/call"].operations
    operation.api = api
    request = RequestFactory().get("/call")
    written: Any = operation.run(request)
    short = answer(SHOWN) if plain else answer(SHOWN, note)
    assert short.headers == written.headers
    assert json.loads(short.content) == json.loads(written.content)
    check_answer(operation, request, short)


CHANGES: list[dict[str, Any]] = [
    {"more": 1},
    {"name": 7},
    {"price": "12.10"},
    {"at": "2026-01-02T03:04:05.678901+00:00"},
    {"until": "tomorrow"},
]


def declared(written: Any) -> Any:
    """Return a call that writes an answer itself and declares the schema of what is shown."""
    router = Router()
    router.get("/call", response=Envelope[Shown])(lambda request: written)
    [operation] = router.path_operations["/call"].operations
    operation.api = api
    return operation


def test_a_test_fails_with_an_answer_that_its_schema_would_not_have_written(
    subtests: pytest.Subtests,
) -> None:
    for change in CHANGES:
        with subtests.test(change=change), pytest.raises(pytest.fail.Exception):
            declared(answer(SHOWN | change)).run(RequestFactory().get("/call"))
