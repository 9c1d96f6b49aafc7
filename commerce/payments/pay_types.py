"""The pay types, cached in each process: all rows, and their names by code."""

from commerce.payments.models import PayType
from core.languages import TwoTexts
from core.snapshots import SharedRows


def pay_types() -> list[PayType]:
    """Return all pay types in the shop's order, with their pictures; two queries per SNAPSHOT_SECONDS."""
    return _rows.get()


def pay_type_of(code: str) -> PayType | None:
    """Return a pay type by its code, whether switched on or off; None for an unknown code."""
    return next((row for row in pay_types() if row.code == code), None)


def names_by_code() -> dict[str, TwoTexts]:
    """Return the names of all pay types in both languages; queries as `pay_types`."""
    return {row.code: row.names for row in pay_types()}


def _read() -> list[PayType]:
    return list(PayType.objects.select_related("image").prefetch_related("image__renditions"))


_rows = SharedRows(_read, PayType)
