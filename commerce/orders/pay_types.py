"""Names of pay types; other apps register them, since orders and invoices cannot import payments."""

from collections.abc import Mapping

from django.db.models import Case, CharField, F, Value, When
from wagtail import hooks

from catalog.goods.models import is_chinese
from core.languages import TwoTexts

# Functions of this Wagtail hook return pay type code → names in both languages.
PAY_TYPE_NAMES = "names_of_pay_types"


def pay_type_names(code: str) -> TwoTexts:
    """Return the names of a pay type; an unknown or empty code is returned as its own name."""
    return _names_by_code().get(code, TwoTexts(code, code))


def pay_type_name(code: str) -> str:
    """Return the name of a pay type in the reader's language."""
    return _read_by(pay_type_names(code))


def pay_type_name_of_row() -> Case:
    """Return an SQL expression for the name of a row's `pay_type` in the reader's language, for lists."""
    named = [When(pay_type=code, then=Value(_read_by(names))) for code, names in _names_by_code().items()]
    return Case(*named, default=F("pay_type"), output_field=CharField())


def pay_type_choices() -> list[tuple[str, str]]:
    """Return the code and name of each pay type, in the reader's language."""
    return [(code, _read_by(names)) for code, names in _names_by_code().items()]


def _names_by_code() -> Mapping[str, TwoTexts]:
    sources = hooks.get_hooks(PAY_TYPE_NAMES)
    return {code: names for names_of in sources for code, names in names_of().items()}


def _read_by(names: TwoTexts) -> str:
    return names.zh if is_chinese() else names.en
