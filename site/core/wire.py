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
# A number with this many digits never exceeds MAX_ID.
MAX_ID_DIGITS = 18
# No body nests deeper than four levels; beyond Python's recursion limit the answer would be a 500.
MAX_DEPTH = 32
# Characters that no database can store as text.
_JUNK = re.compile("[\x00\ud800-\udfff]")


class AnswerModel(BaseModel):
    """The base of schemas of answers, which are written from the shop's own dictionaries."""


@dataclass(frozen=True)
class Source:
    """The attribute from which a field of an answer is read.

    `path`: attributes, such as `product.sku`. `convert`: converts a value, unless it is None, for the wire.
    """

    path: str
    convert: Callable[[Any], Any] | None = None


def reader(schema: type[AnswerModel]) -> Callable[[object], dict[str, Any]]:
    """Return a function that reads the fields of a schema that have a Source from an object.

    One call in C reads all fields. The 30 fields of a product in a list take 4 µs; code that is written by
    hand for each schema would take 2.6 µs.
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
    """The shape of every answer; `code` 0 means success."""

    code: int = 0
    msg: str = ""
    result: T


class NotedEnvelope(Envelope[T], Generic[T]):
    """A successful answer with a warning, whose key is `reason` (docs/wire.md#cart)."""

    reason: str | None = None


class Refusal(AnswerModel):
    """The shape of every refusal: `reason` is a key of the catalogue, `fields` has the wrong fields.

    `why` and `whyEn`: an additional text for shoppers, in Chinese and English.
    """

    code: Literal[1, 1001, 1002]
    msg: str
    result: None
    reason: str
    fields: dict[str, str] = {}
    why: str = ""
    whyEn: str = ""  # noqa: N815  the wire's name


def envelope(result: Any = None) -> dict[str, Any]:
    """Return a result in the envelope."""
    return {"code": 0, "msg": "", "result": result}


def noted(result: Any, note: Err | None) -> dict[str, Any]:
    """Return a result in the envelope; `note` adds the text and key of a warning."""
    return {"code": 0, "msg": note.zh if note else "", "result": result, "reason": note and note.name}


def answer(result: Any, note: Err | EllipsisType | None = ...) -> HttpResponse:
    """Return a result as a response, like `envelope` or, if `note` is given (it may be None), like `noted`.

    For the busiest calls: it takes a tenth of the time, because no schema reads the result. The result must
    have plain values and exactly the schema's fields; the fixture `_answers_keep_their_schemas` checks this.
    """
    whole = envelope(result) if note is ... else noted(result, note)
    body = orjson.dumps(whole, default=_plain, option=orjson.OPT_PASSTHROUGH_DATETIME)
    return HttpResponse(body, content_type="application/json; charset=utf-8")


def refusal(err: Err, fields: dict[str, str] | None = None, why: TwoTexts | None = None) -> dict[str, Any]:
    """Return the body of a refused request; with `fields` and `why` only if they are not empty."""
    body: dict[str, Any] = {"code": err.code, "msg": err.zh, "result": None, "reason": err.name}
    if fields:
        body["fields"] = fields
    if why:
        body |= {"why": why.zh, "whyEn": why.en}
    return body


def price_number(value: Decimal) -> float:
    """Return an amount as a JSON number; only for the wire, never for calculations."""
    return float(value)


_other_value = DjangoJSONEncoder().default


def _plain(value: Any) -> Any:
    return price_number(value) if isinstance(value, Decimal) else _other_value(value)


_DOLLARS = re.compile(r"\d{1,10}(\.\d{1,2})?", re.ASCII)

# On the wire an amount of dollars is a JSON number with at most two decimals, which a float prints exactly.
Price = Annotated[Decimal, PlainSerializer(price_number, return_type=float)]


def read_json(body: bytes) -> Any:
    """Parse JSON from outside the shop.

    Raises ValueError if it is invalid or `refuse_junk` refuses it, and RecursionError.
    """
    value = json.loads(body)
    refuse_junk(value)
    return value


def refuse_junk(value: Any, depth: int = MAX_DEPTH) -> None:
    """Raise ValueError for text that a database cannot store, NaN, infinity, and nesting that is too deep."""
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
    """Return ASCII digits as a number; refuse booleans, fractions and digits of other scripts."""
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
    """Return an empty text as None, because forms send empty texts."""
    return None if value == "" else value


WireInt = Annotated[int, BeforeValidator(_int_from_text)]
WireId = Annotated[int, BeforeValidator(_int_from_text), Field(ge=1, le=MAX_ID)]
# A wrong amount must reach the rule that refuses it by name, within the limits of a database column.
WireAmount = Annotated[int, BeforeValidator(_int_from_text), Field(ge=-(2**31), le=2**31 - 1)]


def _money_from_wire(value: Any) -> Any:
    """Return a JSON number or ASCII text as an amount; refuse booleans and digits of other scripts."""
    if isinstance(value, str):
        if not _DOLLARS.fullmatch(value.strip()):
            raise ValueError("not an amount of dollars")
        return value.strip()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("not an amount of dollars")
    # The shortest text of a float equals the sent number, down to cents.
    return str(value)


# Dollars, above zero.
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
    """Return a boolean as a Flag."""
    return "1" if value else "0"


class WireModel(BaseModel):
    """The base of schemas of requests; ignores unknown fields.

    NUL, lone surrogates, NaN and deep nesting never reach a schema, because the parser refuses them in the
    whole request (`read_json`, and `WireParser` of `config.api`).
    """


class PageQuery(WireModel):
    """The page of a list: `page` from 1, `size` 1 to 100 (docs/wire.md#lists-and-paging)."""

    page: Annotated[WireInt, Field(ge=1, le=10**9)] = 1
    size: Annotated[WireInt, Field(ge=1, le=100)] = 24


class Page(AnswerModel, Generic[T]):
    """One page of a list, and the total number of rows."""

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
    """Return a positive number that any database can compare with an id; None for other texts."""
    is_short = text.isascii() and text.isdigit() and len(text) <= MAX_ID_DIGITS
    return int(text) or None if is_short else None


def path_id(text: str, missing: Err) -> int:
    """Return the id in a path; raises ShopError(missing) if it is not a positive number."""
    number = positive_number(text)
    if number is None:
        raise ShopError(missing)
    return number
