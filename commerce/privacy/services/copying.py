"""Writes a copy of all stored data about a customer, as JSON or as a page (docs/wire.md#mydata)."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from itertools import islice
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext

from commerce.accounts.models import Customer
from commerce.accounts.personal import Row, Section
from commerce.accounts.services import check_login_password, lock_customer
from commerce.privacy.messages import notify_data_copy
from commerce.privacy.models import DataCopy
from commerce.privacy.personal_data import HOLDINGS
from commerce.rate_limits.services import RateLimit, consume, refunded_if_busy
from core.clock import moment_text, shop_zone
from core.due_rows import monotonic
from core.errors import Err, ShopError
from core.languages import HTML_LANGUAGE
from core.shop import contact, shop_name
from core.wire import price_number

A_DAY = timedelta(days=1)
PER_CUSTOMER = RateLimit("data copy", maximum=5, window=A_DAY)
# A longer call would occupy its thread too long; staff have more time.
MAX_SECONDS, MAX_SECONDS_OF_STAFF = 20, 120
# The maximum of one section; staff can read more in the lists of the back office.
MAX_ROWS = 100_000


class CopyFormat(StrEnum):
    """The format of a copy: JSON for programs, HTML for people."""

    json = "json"
    html = "html"


@dataclass(frozen=True)
class DataFile:
    """A copy of a customer's data as a file."""

    name: str
    content_type: str
    content: str


def give_copy(
    *, customer: Customer, password: str, format: CopyFormat, language: str, token: str
) -> DataFile:
    """Write a copy for a customer who gives the login password, record it and notify them; five a day.

    Call it outside any transaction. Raises ShopError(password_wrong) for the field `password`. Raises
    ShopError(too_frequent), also as `check_login_password` does; copy_too_large if it takes too long; and as
    `note_copy` does.
    """
    check_login_password(customer=customer, password=password, token=token)
    attempt = (PER_CUSTOMER, str(customer.pk))
    consume(attempt)
    with refunded_if_busy(attempt):
        file = copy_of_data(customer, format, language)
        note_copy(customer=customer, language=language)
    return file


@transaction.atomic
def note_copy(*, customer: Customer, language: str, staff: Any = None) -> None:
    """Record that a copy is given out, and notify the customer; call it before giving the copy out.

    `staff`: the member of staff who gives it out. Locks: the customer's row. Raises ShopError(login_invalid)
    if the account was deleted while the copy was written; then nothing is recorded or sent.
    """
    lock_customer(customer)
    DataCopy.objects.create(customer=customer, staff=staff)
    notify_data_copy(customer.account, language)


def copy_of_data(
    customer: Customer, format: CopyFormat, language: str, *, seconds: float = MAX_SECONDS
) -> DataFile:
    """Return a copy of all data about a customer in a language; some queries for each section.

    Rows are read page by page, so no statement takes long. Raises ShopError(copy_too_large) after `seconds`.
    """
    until = monotonic() + seconds
    day = timezone.localdate(timezone=shop_zone())
    name = f"{day:%Y-%m-%d}-my-data.{format.value}"
    with translation.override(language):
        parts = [(section, _in_time(section.rows(customer), until)) for section in _sections()]
        if format is CopyFormat.json:
            return DataFile(name, "application/json", _as_json(customer, parts))
        return DataFile(name, "text/html", _as_page(parts, language))


def _sections() -> Iterator[Section]:
    for holding in HOLDINGS:
        yield from holding.sections


def _in_time(rows: Iterable[Row], until: float) -> list[Row]:
    read = []
    for row in islice(rows, MAX_ROWS):
        read.append(row)
        if monotonic() > until:
            raise ShopError(Err.copy_too_large)
    return read


def _as_json(customer: Customer, parts: list[tuple[Section, list[Row]]]) -> str:
    document = {
        "shop": shop_name(),
        "account": customer.account,
        "writtenAt": timezone.now(),
        "data": {section.key: rows for section, rows in parts},
    }
    return json.dumps(document, default=_plain, ensure_ascii=False, indent=1)


def _plain(value: Any) -> Any:
    return price_number(value) if isinstance(value, Decimal) else DjangoJSONEncoder().default(value)


def _as_page(parts: list[tuple[Section, list[Row]]], language: str) -> str:
    tables = [
        {
            "title": capfirst(str(section.title)),
            "columns": [capfirst(str(label)) for label in section.columns.values()],
            "rows": [[_cell(section, key, row) for key in section.columns] for row in rows],
        }
        for section, rows in parts
    ]
    context = {
        "tables": tables,
        "html_lang": HTML_LANGUAGE[language],
        "shop": shop_name(),
        "contact": contact(),
        "written": moment_text(timezone.now()),
    }
    return render_to_string("privacy/my_data.html", context)


def _cell(section: Section, key: str, row: Row) -> str:
    in_words = section.words.get(key)
    return _for_readers(in_words(row[key]) if in_words else row[key])


def _for_readers(value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    if isinstance(value, datetime):
        return moment_text(value)
    return date_format(value, "SHORT_DATE_FORMAT") if isinstance(value, date) else str(value)
