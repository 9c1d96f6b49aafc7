import json
from decimal import Decimal
from typing import Any

import pytest

from core.errors import Err, ShopError
from core.wire import (
    Envelope,
    PageQuery,
    Price,
    WireAmount,
    WireId,
    WireModel,
    WireText,
    paged,
    path_id,
    read_json,
)


class Sample(WireModel):
    id: WireId = 1
    amount: WireAmount = 1
    word: WireText = ""
    tags: list[str] = []


MALFORMED: list[Any] = [
    {"word": "a\x00b"},
    {"word": "\ud800"},
    {"tags": ["ok", "\x00"]},
    {"unknown": {"deep": ["\udfff"]}},
    {"\x00": 1},
    {"id": True},
    {"id": 1.5},
    {"id": float("nan")},
    {"id": float("inf")},
    {"id": 2**63},
    {"id": "١٢"},
    {"id": "1" * 20},
    {"id": 0},
    {"amount": 2**31},
    {"word": "x" * 2001},
    [],
    "text",
    7,
]


def test_malformed_json_is_refused(subtests: pytest.Subtests) -> None:
    for body in MALFORMED:
        # Pydantic's error is a ValueError too.
        with (
            subtests.test(body=body),
            pytest.raises(ValueError),  # noqa: PT011  of which each reason has its own text
        ):
            Sample.model_validate(read_json(json.dumps(body).encode()))


def test_numeric_text_is_a_number_and_unknown_fields_are_ignored() -> None:
    sample = Sample.model_validate({"id": " 12 ", "amount": "-3", "word": " 老干妈 ", "price": "0.01"})
    assert (sample.id, sample.amount, sample.word) == (12, -3, "老干妈")


def test_a_price_is_a_json_number_with_its_cents() -> None:
    body = Envelope[Price](result=Decimal("12.10")).model_dump()
    assert json.loads(json.dumps(body)) == {"code": 0, "msg": "", "result": 12.1}


def test_a_page_past_the_end_is_empty_with_the_true_total() -> None:
    rows = list(range(5))
    assert paged(rows, PageQuery(page=2, size=3)) == {"list": [3, 4], "total": 5, "page": 2, "size": 3}
    assert paged(rows, PageQuery(page=9999, size=3)) == {"list": [], "total": 5, "page": 9999, "size": 3}


def test_an_invalid_id_in_a_path_is_answered_like_a_missing_row() -> None:
    for text in ("", "0", "-1", "1.5", "abc", "１２", "9" * 19, "1 "):
        with pytest.raises(ShopError) as refused:
            path_id(text, Err.goods_error)
        assert refused.value.err is Err.goods_error, text
