"""The demonstration's customers (docs/product.md#the-demonstration)."""

from decimal import Decimal

from django.db import transaction

from commerce.accounts.models import Customer
from commerce.accounts.passwords import hash_password
from commerce.accounts.pay_hashes import hash_pay_password
from commerce.accounts.services import add_address
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post

# The login and pay password of all demonstration customers.
PASSWORD = "888888"  # noqa: S105 - everyone is meant to know it
OPENING = Decimal("500.00")
CUSTOMERS = [
    (
        "demo@example.com",
        "Demo 小东",
        {
            "contacts": "Mei Chen",
            "contact_phone": "+61 412 345 678",
            "country_name": "Australia",
            "province_name": "WA",
            "city_name": "",
            "area_name": "Northbridge",
            "address_detail": "18 Demonstration Street",
            "zip_code": "6003",
        },
    ),
    (
        "demo2@example.com",
        "Demo 小碗",
        {
            "contacts": "Jack Wong",
            "contact_phone": "+61 423 456 789",
            "country_name": "Australia",
            "province_name": "VIC",
            "city_name": "",
            "area_name": "Box Hill",
            "address_detail": "5 Example Road",
            "zip_code": "3128",
        },
    ),
]


@transaction.atomic
def load_customers() -> None:
    """Create missing customers, each with an address and 500.00 AUD in the wallet."""
    there = set(
        Customer.objects.values_list("account", flat=True).filter(account__in=[c[0] for c in CUSTOMERS])
    )
    for account, nickname, address in CUSTOMERS:
        if account in there:
            continue
        customer = Customer.objects.create(
            account=account,
            nickname=nickname,
            password=hash_password(PASSWORD),
            pay_password=hash_pay_password(PASSWORD),
        )
        add_address(customer=customer, values=address, make_default=True)
        post(
            customer=customer,
            kind=LedgerAccount.Kind.wallet,
            amount=OPENING,
            reason=LedgerEntry.Reason.opening,
            reference="demo",
        )
