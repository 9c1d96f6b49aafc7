"""Makes a password guess take as long for an unknown account, so that its duration reveals nothing.

Hashes of an earlier release take longer to compare, until the account's next login. The same share of
unknown accounts therefore takes that long too.
See docs/adr/0030-what-a-stolen-password-hash-is-worth.md.
"""

import time

from django.db.models import Count, Q
from django.utils.crypto import salted_hmac

from commerce.accounts.models import Customer
from core.snapshots import SharedSnapshot

_FORMER = "argon2$argon2id$v=19$m=102400,t=2,p=8$"
# A hash that no password matches.
_FORMER_DECOY = f"{_FORMER}{'A' * 30}${'A' * 43}"
_COUNTED_FOR_SECONDS = 3600

# The share of accounts with a hash of an earlier release, and the time of the count.
_share: SharedSnapshot[tuple[float, float]] = SharedSnapshot()


def decoy_for(account: str) -> str:
    """Return the hash to compare a password with if the account is unknown; no password matches it.

    The result for one account changes only when the share falls, as if that account had logged in.
    """
    share, _ = _share.get(_count, is_fresh=_is_fresh, is_usable=lambda _: True)
    drawn = int(salted_hmac("accounts.decoy", account, algorithm="sha256").hexdigest()[:8], 16) / 16**8
    return _FORMER_DECOY if drawn < share else ""


def _count(_last: object) -> tuple[float, float]:
    former = Count("pk", filter=Q(password__startswith=_FORMER))
    found = Customer.objects.aggregate(all=Count("pk"), former=former)
    return found["former"] / max(found["all"], 1), time.monotonic()


def _is_fresh(counted: tuple[float, float]) -> bool:
    return time.monotonic() - counted[1] < _COUNTED_FOR_SECONDS
