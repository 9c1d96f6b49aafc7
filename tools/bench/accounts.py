"""Accounts of the bench's own, known and unknown ones, to compare how long the shop takes to answer them.

    python -m tools.bench.accounts 620 > {"known": [text, …], "unknown": [text, …], "tickets": [text, …]}

Runs as a process of its own, in the environment of its database.
"""

import json
import sys
from datetime import timedelta

import django

# Of the same length, since a longer text takes longer.
_KNOWN, _UNKNOWN = "bench-known-{:04}@example.com", "bench-other-{:04}@example.com"
_PASSWORD = "888888"  # noqa: S105  of these accounts only
_TICKETS_OF_EACH = 2


def made(number: int) -> dict[str, list[str]]:
    """Make so many known accounts; returns them, as many unknown ones, and tickets for two codes of each."""
    from django.utils import timezone

    from commerce.accounts.models import CaptchaProof, Customer
    from commerce.accounts.passwords import hash_password
    from core.ids import digest, new_secret

    tidy()
    known, unknown = ([name.format(each) for each in range(number)] for name in (_KNOWN, _UNKNOWN))
    password = hash_password(_PASSWORD)
    there = set(Customer.objects.filter(account__in=known).values_list("account", flat=True))
    Customer.objects.bulk_create(
        Customer(account=account, password=password) for account in known if account not in there
    )
    # A change of how passwords are stored shall be measured as well.
    Customer.objects.filter(account__in=known).update(password=password)
    tickets = [new_secret() for _ in range(2 * _TICKETS_OF_EACH * number)]
    CaptchaProof.objects.bulk_create(
        CaptchaProof(
            proof_hash=digest(f"bench {ticket}"),
            ticket_hash=digest(ticket),
            expires_at=timezone.now() + timedelta(hours=1),
        )
        for ticket in tickets
    )
    return {"known": known, "unknown": unknown, "tickets": tickets}


def tidy() -> None:
    """Delete what the bench's calls leave: codes, messages that no task sends, tickets, counted attempts."""
    from commerce.accounts.models import CaptchaProof, VerificationCode
    from commerce.messaging.models import Message
    from commerce.rate_limits.models import RateLimitCounter

    VerificationCode.objects.filter(account__startswith="bench-").delete()
    Message.objects.filter(to__startswith="bench-").delete()
    CaptchaProof.objects.all().delete()
    RateLimitCounter.objects.all().delete()


def main() -> None:
    """Print the accounts and tickets; without a number, only leave the shop in order."""
    django.setup()
    if len(sys.argv) == 1:
        tidy()
    else:
        json.dump(made(int(sys.argv[1])), sys.stdout)


if __name__ == "__main__":
    main()
