"""Registers, logs in and logs out customers (docs/wire.md#account)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from catalog.goods.models import BASE_LEVEL
from commerce.accounts.decoys import decoy_for
from commerce.accounts.devices import Device
from commerce.accounts.models import CodePurpose, Customer, MemberLevel
from commerce.accounts.passwords import MIN_LENGTH, hash_password, is_up_to_date, matches, may_log_in_with
from commerce.accounts.personal import note_consent_of_newcomer
from commerce.accounts.services.captcha import returned_if_refused, spend_ticket
from commerce.accounts.services.codes import attempt_returned_if_refused, spend_code, try_code
from commerce.accounts.services.tokens import UNKNOWN_DEVICE, issue_token, revoke_all_tokens
from commerce.rate_limits.services import (
    Count,
    RateLimit,
    consume_in_transaction,
    refunded_if_busy,
    refunded_if_refused,
    reset,
)
from core.errors import Err, ShopError
from core.ids import digest
from core.languages import TwoTexts, in_both_languages
from core.transactions import in_durable_transaction

A_DAY, LOCK = timedelta(days=1), timedelta(minutes=15)
# The lock counts by account and network, so that an attacker elsewhere cannot easily lock out the owner.
LOGIN_HERE = RateLimit("login here", maximum=10, window=A_DAY, lock=LOCK, free_attempts=3, by_network=True)
LOGIN_ACCOUNT = RateLimit("login account", maximum=30, window=A_DAY, lock=LOCK, free_attempts=3)
# Many customers may share one network.
LOGIN_NETWORK = RateLimit(
    "login network",
    maximum=100,
    window=timedelta(hours=1),
    lock=LOCK,
    free_attempts=30,
    by_network=True,
)
# A browser or login that the account has used before counts alone, so that failures elsewhere cannot lock
# the owner out of it.
LOGIN_KNOWN = RateLimit("login known", maximum=10, window=A_DAY, lock=LOCK, free_attempts=3)


@dataclass(frozen=True)
class Login:
    """A customer who has just authenticated, and their new token."""

    customer: Customer
    token: str


def register(
    *,
    account: str,
    password: str,
    code: str,
    nickname: str,
    language: str = "",
    device: Device = UNKNOWN_DEVICE,
    marketing: bool = False,
) -> Login:
    """Create a customer who has the code that was sent to a normalised account.

    `language`: a code of LANGUAGES, empty for none; `marketing`: True if the customer consents to marketing
    messages. Call it outside any transaction. Raises ShopError(parameter_error, verification_code_error,
    level_missing); ShopError(phone_registered) only after a correct code.
    """
    _check_new_password(password)
    if not MemberLevel.objects.filter(pk=BASE_LEVEL).exists():
        raise ShopError(Err.level_missing)
    proof = try_code(account=account, purpose=CodePurpose.register, code=code)
    with attempt_returned_if_refused(proof):
        password_hash = hash_password(password)
    try:
        with transaction.atomic():
            fresh = spend_code(proof)
            customer = Customer.objects.create(
                account=account,
                password=password_hash,
                nickname=nickname,
                language=language,
                level_id=BASE_LEVEL,
                last_login_at=timezone.now(),
            )
            if not fresh:
                raise ShopError(Err.verification_code_error)
            if marketing:
                note_consent_of_newcomer(customer, customer.message_language)
            return Login(customer, issue_token(customer, device))
    except IntegrityError as taken:
        # A duplicate of this request may have created the customer simultaneously.
        raise ShopError(Err.phone_registered) from taken


def log_in(
    *,
    account: str,
    password: str,
    ticket: str,
    network: str,
    browser: str = "",
    language: str = "",
    device: Device = UNKNOWN_DEVICE,
) -> Login:
    """Log a customer in by password; neither the answer nor its duration reveals whether an account exists.

    `account`: normalised, or as typed if it is no account name; `network`: the rate limit's key; `browser`:
    the id of a browser that is known to the account, empty for any other; `language`: a code of LANGUAGES,
    stored if the account has none. After three failures a ticket is required; after ten, all attempts are
    refused for a while. Call it outside any transaction. Raises ShopError(account_or_password_wrong,
    captcha_required, too_frequent), and ShopError(account_abnormal) only after the correct password.
    """
    counts = _counts_of_known(account, browser) if browser else _counts(account, network)
    spent = _count_guess(counts, ticket)
    customer = Customer.objects.select_related("level").filter(account=account).first()
    stored = customer.password if customer else decoy_for(account)
    with refunded_if_refused(*counts), returned_if_refused(spent):
        is_right = matches(password, stored)
    if not is_right or customer is None:
        raise ShopError(Err.account_or_password_wrong)
    _forget_guess(counts)
    if not customer.is_active:
        raise ShopError(Err.account_abnormal)
    if not is_up_to_date(stored):
        _rehash(customer, password)
    return _begin_login(customer, language, device)


def log_in_with_code(
    *,
    account: str,
    code: str,
    is_owner: bool = False,
    language: str = "",
    device: Device = UNKNOWN_DEVICE,
) -> Login:
    """Log a customer in by a code that was sent to a normalised account, once.

    An unknown account is refused as a wrong code is. `is_owner`: True for a known browser, as in `try_code`;
    `language`: a code of LANGUAGES, stored if the account has none. Call it outside any transaction. Raises
    ShopError(verification_code_error), and ShopError(account_abnormal) only after the correct code.
    """
    proof = try_code(account=account, purpose=CodePurpose.login, code=code, is_owner=is_owner)
    with transaction.atomic():
        customer = Customer.objects.select_related("level").filter(account=account).first()
        if customer is None or not spend_code(proof):
            raise ShopError(Err.verification_code_error, fields={"code": Err.verification_code_error.name})
        if not customer.is_active:
            raise ShopError(Err.account_abnormal)
        return _begin_login(customer, language, device)


def reset_password(
    *, account: str, password: str, code: str, network: str, is_owner: bool = False
) -> Customer:
    """Set a login password by code, end all logins and reset the failure counts; return the customer.

    `is_owner`: True for a known browser, as in `try_code`. Call it outside any transaction. Raises
    ShopError(parameter_error, verification_code_error); an unknown account raises verification_code_error
    too.
    """
    _check_new_password(password)
    proof = try_code(account=account, purpose=CodePurpose.reset, code=code, is_owner=is_owner)
    with attempt_returned_if_refused(proof, is_owner=is_owner):
        password_hash = hash_password(password)
    with transaction.atomic():
        customer = Customer.objects.filter(account=account).first()
        if customer is None or not spend_code(proof):
            raise ShopError(Err.verification_code_error)
        Customer.objects.filter(pk=customer.pk).update(password=password_hash)
        revoke_all_tokens(customer)
        reset(*_of_account(account, network))
    customer.password = password_hash
    return customer


def change_login_password(*, customer: Customer, old_password: str, password: str, token: str) -> None:
    """Replace the login password of a customer who knows the old one, and end all logins except `token`'s.

    Call it outside any transaction. Raises ShopError(parameter_error, old_password_wrong), and
    ShopError(too_frequent) after ten guesses with the same token.
    """
    _check_new_password(password)
    if not _knows_password(customer, old_password, token):
        raise ShopError(Err.old_password_wrong, fields={"oldPassword": Err.old_password_wrong.name})
    password_hash = hash_password(password)
    with transaction.atomic():
        same = Customer.objects.filter(pk=customer.pk, password=customer.password)
        if not same.update(password=password_hash):
            raise ShopError(Err.old_password_wrong, fields={"oldPassword": Err.old_password_wrong.name})
        revoke_all_tokens(customer, except_token=token)
    customer.password = password_hash


def check_login_password(*, customer: Customer, password: str, token: str) -> None:
    """Check that the customer of a token knows the login password; guesses count per token.

    Call it outside any transaction. Raises ShopError(password_wrong) with the field `password`, and
    ShopError(too_frequent) after ten guesses.
    """
    if not _knows_password(customer, password, token):
        raise ShopError(Err.password_wrong, fields={"password": Err.password_wrong.name})


def _knows_password(customer: Customer, password: str, token: str) -> bool:
    counts = _counts_of_known(customer.account, digest(token))
    _count_guess(counts)
    with refunded_if_refused(*counts):
        is_right = matches(password, customer.password)
    if is_right:
        _forget_guess(counts)
    return is_right


def _begin_login(customer: Customer, language: str, device: Device) -> Login:
    with transaction.atomic():
        if not _note_login(customer):
            raise ShopError(Err.account_or_password_wrong)
        if language and not customer.language:
            # Another tab may have set a language in the meantime.
            Customer.objects.filter(pk=customer.pk, language="").update(language=language)
        return Login(customer, issue_token(customer, device))


def _rehash(customer: Customer, password: str) -> None:
    """Replace a hash with the cost of an earlier release when its customer logs in."""
    before = customer.password
    with suppress(ShopError):
        # If hashing is busy for too long, the next login replaces the hash.
        customer.password = hash_password(password)
    same = Customer.objects.filter(pk=customer.pk, password=before)
    if not same.update(password=customer.password):
        # Another login may have replaced the hash in the meantime; otherwise the password has changed.
        customer.refresh_from_db(fields=["password"])
        if not matches(password, customer.password):
            raise ShopError(Err.account_or_password_wrong)


def _note_login(customer: Customer) -> bool:
    # A simultaneous password change has ended all logins, so the old password must not start a new one. The
    # row stays locked, so a later change ends this login too.
    same = Customer.objects.filter(pk=customer.pk, password=customer.password)
    return same.update(last_login_at=timezone.now()) == 1


@in_durable_transaction
def _count_guess(counts: Sequence[Count], ticket: str | None = None) -> str:
    """Count a guess before the comparison; return the ticket that it spent, empty for none."""
    # A logged-in customer needs no ticket. If a limit refuses the guess, the rollback keeps the ticket valid.
    spent = ticket if ticket and spend_ticket(ticket) else ""
    consume_in_transaction(*counts, proven=ticket is None or bool(spent))
    return spent


def _forget_guess(counts: Sequence[Count]) -> None:
    """Uncount a correct guess, and reset the failure counts of the account or of its known browser."""
    of_network = [count for count in counts if count[0] == LOGIN_NETWORK]
    with refunded_if_busy(*counts):
        reset(*(count for count in counts if count not in of_network), refunded=of_network)


def _counts(account: str, network: str) -> tuple[Count, ...]:
    return (*_of_account(account, network), (LOGIN_NETWORK, network))


def _counts_of_known(account: str, browser: str) -> tuple[Count, ...]:
    return ((LOGIN_KNOWN, f"{account} {browser}"),)


def _of_account(account: str, network: str) -> tuple[Count, Count]:
    return (LOGIN_HERE, f"{account} {network}"), (LOGIN_ACCOUNT, account)


def _check_new_password(password: str) -> None:
    if not may_log_in_with(password):
        raise ShopError(
            Err.parameter_error,
            fields={"password": Err.parameter_error.name},
            why=_why_too_short() if len(password) < MIN_LENGTH else None,
        )


def _why_too_short() -> TwoTexts:
    return in_both_languages(
        lambda: (
            gettext("The password is too short: use 6 digits, or at least %(count)d characters.")
            % {"count": MIN_LENGTH}
        )
    )
