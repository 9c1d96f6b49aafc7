"""Removes cells with spreadsheet formulas from all exports of the back office, including Wagtail's own."""

from typing import Any

from wagtail.admin.views.mixins import SpreadsheetExportMixin

from catalog.imports.formulas import without_formula

_preprocess = SpreadsheetExportMixin.preprocess_field_value


def protect_exports() -> None:
    """Make every list and report export plain cells; see docs/guarantees/back-office.md#exports."""
    SpreadsheetExportMixin.preprocess_field_value = _plain_value


def _plain_value(view: Any, field: str, value: Any, export_format: str) -> Any:
    cell = _preprocess(view, field, value, export_format)
    return without_formula(cell) if isinstance(cell, str) else cell
