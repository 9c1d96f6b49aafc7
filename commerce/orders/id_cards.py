"""Validates numbers of Chinese identity cards by GB 11643."""

import re
from datetime import date

from core.errors import Err, ShopError

# The only country whose customs require an ID card.
COUNTRY = "China"
SHOWN_DIGITS = 4
# The first digits: provinces of mainland China, and Taiwan, Hong Kong and Macao, also for residence permits.
_PROVINCE = "1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]"
_FORM = re.compile(rf"(?:{_PROVINCE})[0-9]{{4}}([0-9]{{4}})([0-9]{{2}})([0-9]{{2}})[0-9]{{3}}[0-9X]")
_CHECKS = "10X98765432"


def normal_form(text: str) -> str:
    """Return a number in normal form: with a capital X, without spaces."""
    return "".join(text.split()).upper()


def check_id_card(number: str, *, today: date) -> None:
    """Check the province, date of birth and check digit of a number in normal form.

    The date of birth may be `today` at the latest. Raises ShopError(id_card_error), which does not contain
    the number.
    """
    found = _FORM.fullmatch(number)
    if not found or not _is_birth(*found.groups(), today=today):
        raise _refusal()
    # MOD 11-2 of ISO 7064.
    total = sum(int(digit) * pow(2, 17 - place, 11) for place, digit in enumerate(number[:17]))
    if _CHECKS[total % 11] != number[17]:
        raise _refusal()


def masked(number: str) -> str:
    """Return a number with only its last digits visible."""
    return "*" * (len(number) - SHOWN_DIGITS) + number[-SHOWN_DIGITS:]


def _refusal() -> ShopError:
    return ShopError(Err.id_card_error, fields={"idCard": Err.id_card_error.name})


def _is_birth(year: str, month: str, day: str, *, today: date) -> bool:
    try:
        return date(int(year), int(month), int(day)) <= today
    except ValueError:
        return False
