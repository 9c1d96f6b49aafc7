"""Six-digit verification codes: stored as a hash, valid once, for ten minutes and five attempts.

See docs/guarantees/customers.md#secrets, docs/guarantees/customers.md#codes-by-sms.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db.models import F
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext

from commerce.accounts.models import CodePurpose, Customer, VerificationCode
from commerce.accounts.services.captcha import spend_ticket
from commerce.messaging.services import write_message
from commerce.messaging.tasks import send_message
from commerce.rate_limits.services import RateLimit, consume, consume_in_transaction, refund, reset
from core.enqueue import enqueue_after_commit
from core.errors import Err, ShopError
from core.languages import ENGLISH
from core.shop import shop_name
from core.transactions import in_durable_transaction, in_transaction

VALID_FOR = timedelta(minutes=10)
A_DAY = timedelta(days=1)
PER_ACCOUNT_SOON = RateLimit("code soon", maximum=1, window=timedelta(minutes=1))
PER_ACCOUNT = RateLimit("code account", maximum=5, window=A_DAY)
# Codes that other people request cannot use up the owner's.
PER_OWNER = RateLimit("code owner", maximum=5, window=A_DAY)
PER_NETWORK = RateLimit("code network", maximum=20, window=A_DAY, by_network=True)
# Wrong codes that other people enter cannot use up the owner's tries.
OWNER_TRIES = RateLimit("code owner tries", maximum=5, window=VALID_FOR)


@in_transaction
def send_code(
    *,
    account: str,
    purpose: CodePurpose,
    ticket: str,
    network: str,
    language: str,
    is_owner: bool = False,
) -> None:
    """Send a code to a normalised account if it may use one; take as long for any other account.

    If a known account asks for a registration code, it receives an explanation instead. `network`: the rate
    limit's key; `language`: a code of LANGUAGES, empty for the account's language; `is_owner`: True for a
    login or known browser of the account, which has codes of its own. An error undoes the use of the ticket
    and the count. Raises ShopError(captcha_required), ShopError(too_frequent) with the seconds to
    wait.
    """
    if not spend_ticket(ticket):
        raise ShopError(Err.captcha_required)
    per_shop = RateLimit("code shop", maximum=settings.CODES_PER_DAY, window=A_DAY)
    per_account = PER_OWNER if is_owner else PER_ACCOUNT
    consume_in_transaction(
        (PER_ACCOUNT_SOON, account), (per_account, account), (PER_NETWORK, network), (per_shop, "")
    )
    code = f"{secrets.randbelow(10**6):06}"
    customer = Customer.objects.filter(account=account).only("language").first()
    known = customer is not None
    newcomer = purpose == CodePurpose.register
    sent_code = code if known != newcomer else ""
    with translation.override(language or (customer.message_language if customer else ENGLISH)):
        shop = shop_name()
        if sent_code:
            subject, text = _code_text(code, shop)
        else:
            subject, text = _known_text(shop) if known else ("", "")
    expires_at = timezone.now() + VALID_FOR
    VerificationCode.objects.create(
        account=account,
        purpose=purpose,
        code_hash=_hash(account, purpose, code),
        expires_at=expires_at,
    )
    message = write_message(to=account, subject=subject, text=text, code=sent_code, expires_at=expires_at)
    # If the queue is unreachable, a periodic job sends the message.
    enqueue_after_commit(send_message, message.pk)


@in_durable_transaction
def _use_attempt(row: VerificationCode) -> bool:
    left = VerificationCode.objects.filter(pk=row.pk, tries_left__gt=0)
    return left.update(tries_left=F("tries_left") - 1) == 1


def _use_owners_attempt(row: VerificationCode) -> bool:
    try:
        consume((OWNER_TRIES, str(row.pk)))
    except ShopError:
        return False
    return True


def try_code(*, account: str, purpose: CodePurpose, code: str, is_owner: bool = False) -> VerificationCode:
    """Compare a code with the newest valid code, using one of its attempts; then call `spend_code`.

    `is_owner`: True for a known browser of the account, which has attempts of its own. Call it outside any
    transaction, since the attempt counts even if the request fails. Raises
    ShopError(verification_code_error).
    """
    live = VerificationCode.objects.filter(account=account, purpose=purpose, expires_at__gt=timezone.now())
    row = live.order_by("-id").first()
    right = row is not None and constant_time_compare(row.code_hash, _hash(account, purpose, code))
    use_attempt = _use_owners_attempt if is_owner else _use_attempt
    if row is None or not use_attempt(row) or not right:
        raise ShopError(Err.verification_code_error, fields={"code": Err.verification_code_error.name})
    return row


@contextmanager
def attempt_returned_if_refused(row: VerificationCode, *, is_owner: bool = False) -> Iterator[None]:
    """Give back the attempt of a correct code if the block raises ShopError; `is_owner` as in `try_code`."""
    try:
        yield
    except ShopError:
        if is_owner:
            refund((OWNER_TRIES, str(row.pk)))
        else:
            VerificationCode.objects.filter(pk=row.pk).update(tries_left=F("tries_left") + 1)
        raise


def spend_code(row: VerificationCode) -> bool:
    """Mark a code as used, within the caller's transaction; return True if it was unused.

    The next code may then be sent immediately, since this code has reached its recipient.
    """
    was_unused = VerificationCode.objects.filter(pk=row.pk, used=False).update(used=True) == 1
    if was_unused:
        reset((PER_ACCOUNT_SOON, row.account))
    return was_unused


def _hash(account: str, purpose: str, code: str) -> str:
    # Keyed, since an unkeyed hash of six digits can be reversed by trying all of them.
    return salted_hmac("accounts.code", f"{account} {purpose} {code}", algorithm="sha256").hexdigest()


def _code_text(code: str, shop: str) -> tuple[str, str]:
    text = gettext(
        "%(code)s is your %(shop)s verification code. It is valid for %(minutes)d minutes. "
        "Never give it to anyone."
    )
    return (
        gettext("Your %(shop)s verification code") % {"shop": shop},
        text % {"code": code, "shop": shop, "minutes": VALID_FOR.seconds // 60},
    )


def _known_text(shop: str) -> tuple[str, str]:
    text = gettext(
        "You already have an account at %(shop)s. Log in with it, or choose a new password if you have "
        "forgotten it. If you did not ask for this message, please ignore it."
    )
    return gettext("You already have an account at %(shop)s") % {"shop": shop}, text % {"shop": shop}
