"""The six-digit pay password of the wallet, and its lock after wrong attempts.

See docs/guarantees/customers.md#passwords.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from commerce.accounts.models import CodePurpose, Customer
from commerce.accounts.passwords import is_six_digits
from commerce.accounts.pay_hashes import hash_pay_password, is_up_to_date, pays_with
from commerce.accounts.services.codes import spend_code, try_code
from commerce.rate_limits.services import RateLimit, consume, refunded_if_busy, refunded_if_refused, reset
from core.clock import moment_in_zone_text
from core.errors import Err, ShopError
from core.languages import TwoTexts, in_both_languages

A_DAY = timedelta(days=1)
GUESSES = RateLimit("pay password", maximum=5, window=A_DAY, lock=A_DAY)


def check_pay_password(*, customer: Customer, password: str) -> None:
    """Check the pay password for a payment; five wrong passwords lock it for a day.

    A code sent to the customer unlocks it immediately. Call it outside any transaction, since a guess counts
    even if the payment fails. Raises ShopError(password_wrong), and ShopError(password_format), which is not
    counted. While the password is locked, raises ShopError(too_frequent) with the seconds to wait; its `why`
    contains the time of the unlock.
    """
    _check_format(password)
    _guess(customer, password, Err.password_wrong, "password")
    if not is_up_to_date(customer.pay_password):
        # If another call has rehashed or changed the password, that value stays.
        same = Customer.objects.filter(pk=customer.pk, pay_password=customer.pay_password)
        same.update(pay_password=hash_pay_password(password))


def change_pay_password(*, customer: Customer, old_password: str, password: str) -> None:
    """Replace a pay password; the customer must know the old one.

    Call it outside any transaction. Raises ShopError(password_format, old_password_wrong,
    too_frequent).
    """
    _check_format(password)
    _guess(customer, old_password, Err.old_password_wrong, "oldPassword")
    same = Customer.objects.filter(pk=customer.pk, pay_password=customer.pay_password)
    if not same.update(pay_password=hash_pay_password(password)):
        raise ShopError(Err.old_password_wrong)


def set_pay_password(*, customer: Customer, code: str, password: str) -> None:
    """Set the first or a new pay password and unlock it; a code proves that the account is the customer's.

    Call it outside any transaction. Raises ShopError(password_format, verification_code_error).
    """
    _check_format(password)
    proof = try_code(account=customer.account, purpose=CodePurpose.pay, code=code)
    with transaction.atomic():
        if not spend_code(proof):
            raise ShopError(Err.verification_code_error, fields={"code": Err.verification_code_error.name})
        Customer.objects.filter(pk=customer.pk).update(pay_password=hash_pay_password(password))
        reset((GUESSES, str(customer.pk)))


def _guess(customer: Customer, password: str, wrong: Err, field: str) -> None:
    guess = (GUESSES, str(customer.pk))
    try:
        consume(guess)
    except ShopError as refusal:
        if refusal.err is not Err.too_frequent or refusal.retry_after is None:
            raise
        # The text shows no seconds, so the time is rounded up to a full minute.
        until = timezone.now() + timedelta(seconds=refusal.retry_after + 59)
        raise ShopError(refusal.err, retry_after=refusal.retry_after, why=_why_locked(until)) from refusal
    with refunded_if_refused(guess):
        is_right = pays_with(password, customer.pay_password)
    if not is_right:
        raise ShopError(wrong, fields={field: wrong.name})
    with refunded_if_busy(guess):
        reset(guess)


def _why_locked(until: datetime) -> TwoTexts:
    def text() -> str:
        text = gettext(
            "Your pay password is locked until %(moment)s after too many wrong attempts. Set a new one "
            "with a code to unlock it now."
        )
        return text % {"moment": moment_in_zone_text(until)}

    return in_both_languages(text)


def _check_format(password: str) -> None:
    if not is_six_digits(password):
        raise ShopError(Err.password_format, fields={"password": Err.password_format.name})
