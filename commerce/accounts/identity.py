"""Account names: an e-mail address, or a mobile number such as +61412345678 (docs/wire.md#account)."""

import phonenumbers
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType

from commerce.messaging.recipients import is_email

HOME = "AU"
_MOBILE = {PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE_OR_MOBILE}
_MAX_LENGTH = 254


def normalised(text: str, country: str = "") -> str | None:
    """Return an account name in its stored form; None if the text is neither an address nor a mobile number.

    `country`: two letters, for a mobile number without its dial code; Australia by default.
    """
    text = text.strip()
    if len(text) > _MAX_LENGTH:
        return None
    return _email(text) if "@" in text else _mobile(text, country.upper() or HOME)


def can_be_reached(account: str) -> bool:
    """Return True if the shop sends codes to this account (docs/guarantees/customers.md#codes-by-sms)."""
    if is_email(account):
        return True
    return phonenumbers.region_code_for_number(phonenumbers.parse(account)) in settings.SMS_COUNTRIES


def _email(text: str) -> str | None:
    # Letters of other scripts look like ASCII letters, so accounts could imitate each other.
    if not text.isascii():
        return None
    try:
        validate_email(text)
    except ValidationError:
        return None
    return text.lower()


def _mobile(text: str, country: str) -> str | None:
    try:
        number = phonenumbers.parse(text, country)
    except NumberParseException:
        return None
    valid = phonenumbers.is_valid_number(number) and not number.extension
    if not valid or phonenumbers.number_type(number) not in _MOBILE:
        return None
    return str(phonenumbers.format_number(number, PhoneNumberFormat.E164))
