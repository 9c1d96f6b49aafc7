"""Posts money to wallets beside a running shop: python -m config.storm.topups '{"customers": [id], …}'.

Prints how many entries it has posted.
"""

import json
import sys
import time
from decimal import Decimal
from uuid import uuid4

import django

# Between two entries, so that they meet many payments.
PAUSE_SECONDS = 0.05


def main() -> None:
    """Post so many `times` a top-up and a refund of a dollar to each of the `customers`, each sent twice."""
    django.setup()
    from commerce.accounts.models import Customer
    from commerce.ledger.models import LedgerAccount, LedgerEntry
    from commerce.ledger.services import post

    wanted = json.loads(sys.argv[1])
    customers = list(Customer.objects.filter(pk__in=wanted["customers"]))
    posted = set()
    for _ in range(wanted["times"]):
        for customer in customers:
            for reason in (LedgerEntry.Reason.recharge, LedgerEntry.Reason.refund):
                reference = uuid4().hex
                # A repeat posts nothing.
                for _copy in range(2):
                    entry = post(
                        customer=customer,
                        kind=LedgerAccount.Kind.wallet,
                        amount=Decimal(1),
                        reason=reason,
                        reference=reference,
                    )
                    posted.add(entry.pk)
        time.sleep(PAUSE_SECONDS)
    json.dump(len(posted), sys.stdout)


if __name__ == "__main__":
    main()
