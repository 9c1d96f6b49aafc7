"""Read the exchange rate from Australia's central bank, Frankfurter or Europe's central bank, in this order.

The responses are not trusted: settings fix the hosts, redirects are not followed, time and size are limited.
Nothing here may be called within a transaction.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any
from xml.etree.ElementTree import Element, ParseError
from zoneinfo import ZoneInfo

import httpx
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.conf import settings
from django.utils import timezone
from pybreaker import CircuitBreakerError

from core.gateways import gateway, open_http, read_body

TIMEOUT = httpx.Timeout(4.0, connect=2.0)
# The limit for a whole response.
MAX_SECONDS = 8
MAX_BYTES = 256 * 1024
# Banks pause over Easter and New Year, but never longer.
OLDEST = timedelta(days=10)
_PLACES = Decimal("0.000001")
# Fits the column, and is far above any real rate.
_MAX_RATE = Decimal(10_000)


class SourceError(Exception):
    """Raised when a source has no usable rate."""


@dataclass(frozen=True)
class Quote:
    """CNY for one AUD with at most six decimals, and the time for which it applies."""

    source: str
    rate: Decimal
    as_of: datetime


def ask(name: str) -> Quote:
    """Read the rate from one of `configured()`, within MAX_SECONDS. Raises SourceError."""
    try:
        body = gateway(f"exchange rate {name}").call(partial(_read, name), seconds=MAX_SECONDS)
    except (TimeoutError, CircuitBreakerError) as error:
        raise SourceError(str(error) or "the answer takes too long") from error
    rate, as_of = _READERS[name](body)
    if not timezone.now() - OLDEST < as_of < timezone.now() + timedelta(days=1):
        raise SourceError(f"it is of {as_of:%Y-%m-%d}")
    return Quote(name, rate, as_of)


def configured() -> Iterator[str]:
    """Yield the names of the configured sources, in the order in which they are tried."""
    return (name for name in _READERS if settings.RATE_SOURCES.get(name))


def _read(name: str) -> bytes:
    name_of_client = f"shop-exchange-rate (+{settings.SITE_URL})"
    try:
        with (
            open_http(TIMEOUT, User_Agent=name_of_client) as client,
            client.stream("GET", settings.RATE_SOURCES[name]) as response,
        ):
            if response.status_code != httpx.codes.OK:
                raise SourceError(f"status {response.status_code}")
            return read_body(response, max_bytes=MAX_BYTES, failure=SourceError)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise SourceError(str(error) or type(error).__name__) from error


def _rba(body: bytes) -> tuple[Decimal, datetime]:
    """Read the feed of the Reserve Bank of Australia: CNY for one AUD, published at 4 pm in Sydney."""
    for found in _xml(body).iter():
        if _name(found) == "exchangeRate" and _text(found, "targetCurrency") == "CNY":
            if _text(found, "baseCurrency") != "AUD":
                raise SourceError("its base is not AUD")
            day = _text(found, "observationPeriod/{*}period")
            return _number(_text(found, "observation/{*}value")), _moment(day, 16, "Australia/Sydney")
    raise SourceError("it has no CNY")


def _frankfurter(body: bytes) -> tuple[Decimal, datetime]:
    """Read Frankfurter's response for one pair: `{date, base, quote, rate}`."""
    try:
        payload = json.loads(body, parse_float=Decimal, parse_int=Decimal)
    except (ValueError, RecursionError) as error:
        raise SourceError("it is no JSON") from error
    if not isinstance(payload, dict) or (payload.get("base"), payload.get("quote")) != ("AUD", "CNY"):
        raise SourceError("it is of other currencies")
    return _number(payload.get("rate")), _moment(payload.get("date"), 0, "UTC")


def _ecb(body: bytes) -> tuple[Decimal, datetime]:
    """Read the reference rates of the European Central Bank: units for one EUR, published at 4 pm."""
    days = [(day, found) for found in _xml(body).iter() if (day := found.get("time"))]
    if not days:
        raise SourceError("it has no day")
    day, cube = days[0]
    of_euro = {row.get("currency"): row.get("rate") for row in cube}
    crossed = _number(of_euro.get("CNY")) / _number(of_euro.get("AUD"))
    return _number(crossed), _moment(day, 16, "Europe/Berlin")


_READERS: dict[str, Callable[[bytes], tuple[Decimal, datetime]]] = {
    "RBA": _rba,
    "Frankfurter": _frankfurter,
    "ECB": _ecb,
}


def _xml(body: bytes) -> Element:
    try:
        root: Element = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, LookupError, ValueError) as error:
        raise SourceError("it is no XML that may be read") from error
    return root


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _text(element: Element, path: str) -> str:
    # The namespace contains the version of the specification, so any namespace matches.
    return (element.findtext(f"{{*}}{path}") or "").strip()


def _number(payload: Any) -> Decimal:
    try:
        number = Decimal(payload or 0)
    except (InvalidOperation, TypeError, ValueError) as error:
        raise SourceError("its rate is no number") from error
    if not number.is_finite() or not _PLACES <= number < _MAX_RATE:
        raise SourceError("its rate is out of all bounds")
    return number.quantize(_PLACES)


def _moment(day: Any, hour: int, zone: str) -> datetime:
    try:
        of_day = datetime.strptime(day, "%Y-%m-%d")
    except (TypeError, ValueError) as error:
        raise SourceError("its day is none") from error
    return of_day.replace(hour=hour, tzinfo=ZoneInfo(zone)).astimezone(UTC)
