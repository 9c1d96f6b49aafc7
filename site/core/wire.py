"""The envelope, paging and base schemas of the API (docs/wire.md#envelope)."""

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import attrgetter
from types import EllipsisType
from typing import Annotated, Any, Generic, Literal, TypeVar

import orjson
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.http import HttpResponse
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, PlainSerializer

from core.errors import Err, ShopError
from core.languages import TwoTexts

T = TypeVar("T")

MAX_TEXT = 2_000
MAX_ID = 2**63 - 1
# A number of so many digits is never larger than MAX_ID.
MAX_ID_DIGITS = 18
# No body nests deeper than four; beyond Python's recursion limit the answer would be a 500.
MAX_DEPTH = 32
# What no database stores as text.
_JUNK = re.compile("[\x00\ud800-\udfff]")


class AnswerModel(BaseModel):
    """Base of every answer's schema: written from dictionaries, which are our own."""


@dataclass(frozen=True)
class Source:
    """Where a field of an answer is read.

    `path`: of attributes, such as `product.sku`. `convert`: turns a value other than None into the wire's.
    """

    path: str
    convert: Callable[[Any], Any] | None = None


def reader(schema: type[AnswerModel]) -> Callable[[object], dict[str, Any]]:
    """Return a function that reads from an object those fields of a schema that name their Source.

    All fields are read by one call in C: the 30 of a product in a list take 4 µs, written out 2.6 µs.
    """
    sources = {
        name: source
        for name, field in schema.model_fields.items()
        for source in field.metadata
        if isinstance(source, Source)
    }
    values = attrgetter(*(source.path for source in sources.values()))
    converted = [(name, source.convert) for name, source in sources.items() if source.convert]

    def read(subject: object) -> dict[str, Any]:
        fields = dict(zip(sources, values(subject), strict=True))
        for name, convert in converted:
            if fields[name] is not None:
                fields[name] = convert(fields[name])
        return fields

    return read


class Envelope(AnswerModel, Generic[T]):
    """The shape of every answer; `code` 0 is success."""

    code: int = 0
    msg: str = ""
    result: T


class NotedEnvelope(Envelope[T], Generic[T]):
    """An answer that succeeded with a warning, named by `reason` (docs/wire.md#cart)."""

    reason: str | None = None


class Refusal(AnswerModel):
    """The shape of every refusal: `reason` is a key of the catalogue, `fields` names what was wrong.

    `why` and `whyEn`: a further text for shoppers, in Chinese and English.
    """

    code: Literal[1, 1001, 1002]
    msg: str
    result: None
    reason: str
    fields: dict[str, str] = {}
    why: str = ""
    whyEn: str = ""  # noqa: N815  the wire's name


def envelope(result: Any = None) -> dict[str, Any]:
    """Wrap a result."""
    return {"code": 0, "msg": "", "result": result}


def noted(result: Any, note: Err | None) -> dict[str, Any]:
    """Wrap a result; `note` adds the text and key of a warning."""
    return {"code": 0, "msg": note.zh if note else "", "result": result, "reason": note and note.name}


def answer(result: Any, note: Err | EllipsisType | None = ...) -> HttpResponse:
    """Write a result as `envelope` and its schema would, or with a `note`, which may be None, as `noted`.

    For the busiest calls: it takes a tenth of the time, since no schema reads the result. It has plain values
    only, the schema's fields and no others. The fixture `_answers_keep_their_schemas` holds each answer of a
    test to it.
    """
    whole = envelope(result) if note is ... else noted(result, note)
    body = orjson.dumps(whole, default=_plain, option=orjson.OPT_PASSTHROUGH_DATETIME)
    return HttpResponse(body, content_type="application/json; charset=utf-8")


def refusal(err: Err, fields: dict[str, str] | None = None, why: TwoTexts | None = None) -> dict[str, Any]:
    """Build the body of a refused request; `fields` and `why` only if they are not empty."""
    body: dict[str, Any] = {"code": err.code, "msg": err.zh, "result": None, "reason": err.name}
    if fields:
        body["fields"] = fields
    if why:
        body |= {"why": why.zh, "whyEn": why.en}
    return body


def price_number(value: Decimal) -> float:
    """Return an amount as a JSON number: for the wire only, never for arithmetic."""
    return float(value)


_other_value = DjangoJSONEncoder().default


def _plain(value: Any) -> Any:
    return price_number(value) if isinstance(value, Decimal) else _other_value(value)


_DOLLARS = re.compile(r"\d{1,10}(\.\d{1,2})?", re.ASCII)

# On the wire an amount of dollars is a JSON number with at most two decimals; a float prints those exactly.
Price = Annotated[Decimal, PlainSerializer(price_number, return_type=float)]


def read_json(body: bytes) -> Any:
    """Read JSON that comes from outside.

    Raises ValueError for what is none, or for what `refuse_junk` refuses, and RecursionError.
    """
    value = json.loads(body)
    refuse_junk(value)
    return value


def refuse_junk(value: Any, depth: int = MAX_DEPTH) -> None:
    """Raise ValueError for text a database cannot store, NaN and infinity, and too deep nesting."""
    if not depth:
        raise ValueError("nested too deep")
    if isinstance(value, str):
        if _JUNK.search(value):
            raise ValueError("text with NUL or a lone surrogate")
        if len(value) > MAX_TEXT * 10:
            raise ValueError("text too long")
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("number is not finite")
    elif isinstance(value, dict):
        for key, item in value.items():
            refuse_junk(key)
            refuse_junk(item, depth - 1)
    elif isinstance(value, list | tuple):
        for item in value:
            refuse_junk(item, depth - 1)


def _int_from_text(value: Any) -> Any:
    """Read ASCII digits as a number; refuse booleans, fractions and other scripts' digits."""
    if isinstance(value, bool):
        raise ValueError("a truth value is no number")
    if isinstance(value, float) and not value.is_integer():
        raise ValueError("not a whole number")
    if isinstance(value, str):
        text = value.strip()
        digits = text[1:] if text[:1] in "+-" else text
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 19:
            raise ValueError("not a whole number")
        return int(text)
    return value


def blank_as_none(value: Any) -> Any:
    """Read empty text as None, since forms send it."""
    return None if value == "" else value


WireInt = Annotated[int, BeforeValidator(_int_from_text)]
WireId = Annotated[int, BeforeValidator(_int_from_text), Field(ge=1, le=MAX_ID)]
# A wrong amount must reach the rule that names it, within the bounds of a database column.
WireAmount = Annotated[int, BeforeValidator(_int_from_text), Field(ge=-(2**31), le=2**31 - 1)]


def _money_from_wire(value: Any) -> Any:
    """Read a JSON number, or the same as ASCII text; refuse booleans and other scripts' digits."""
    if isinstance(value, str):
        if not _DOLLARS.fullmatch(value.strip()):
            raise ValueError("not an amount of dollars")
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("not an amount of dollars")
    # The shortest text of a float is what was sent, as far as cents go.
    return str(value)


# Dollars, more than nothing.
WireMoney = Annotated[
    Decimal, BeforeValidator(_money_from_wire), Field(gt=0, max_digits=12, decimal_places=2)
]


def _to_text(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value


WireText = Annotated[str, BeforeValidator(_to_text), AfterValidator(str.strip), Field(max_length=MAX_TEXT)]
Flag = Literal["0", "1"]


def flag(value: bool) -> str:
    """Write yes or no as a Flag."""
    return "1" if value else "0"


class WireModel(BaseModel):
    """Base of every request's schema; ignores unknown fields.

    NUL, lone surrogates, NaN and endless nesting never reach it: the reader of a request refuses them, once
    and in all of it (`read_json`, and `WireParser` of `config.api`).
    """


class PageQuery(WireModel):
    """Which part of a list: `page` from 1, `size` 1 to 100 (docs/wire.md#lists-and-paging)."""

    page: Annotated[WireInt, Field(ge=1, le=10**9)] = 1
    size: Annotated[WireInt, Field(ge=1, le=100)] = 24


class Page(AnswerModel, Generic[T]):
    """One page of a list, with the total of all rows."""

    list: Sequence[T]
    total: int
    page: int
    size: int


def paged(
    rows: "models.QuerySet[Any] | Sequence[Any]", query: PageQuery, total: int | None = None
) -> dict[str, Any]:
    """Return one page of rows; a page past the end is empty with the true total."""
    if total is None:
        total = rows.count() if isinstance(rows, models.QuerySet) else len(rows)
    start = (query.page - 1) * query.size
    part = list(rows[start : start + query.size]) if start < total else []
    return {"list": part, "total": total, "page": query.page, "size": query.size}


def positive_number(text: str) -> int | None:
    """Read a positive number that any database can compare with an id; None for other text."""
    is_short = text.isascii() and text.isdigit() and len(text) <= MAX_ID_DIGITS
    return int(text) or None if is_short else None


def path_id(text: str, missing: Err) -> int:
    """Read an id from a path; raises ShopError(missing) for anything but a positive number."""
    number = positive_number(text)
    if number is None:
        raise ShopError(missing)
    return number
