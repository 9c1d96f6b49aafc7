"""Makes customers and products for a scenario: python -m tools.chaos.prepare '{"customers": 9, …}'.

Prints {"buyers": [{"id", "account", "token", "address", "codes"}], "products": [id], "tickets": [ticket]}.
"""

import json
import sys
from datetime import timedelta
from typing import Any
from uuid import uuid4

import django


def main() -> None:
    """Make what is asked for.

    `customers`, each with an address in Perth, `dollars` in the wallet and the `codes` of so many orders;
    `products`, each with `units` in the warehouse and in every shop; `tickets` of a solved captcha, each for
    one `sendCode`.
    """
    django.setup()
    wanted: dict[str, int] = json.loads(sys.argv[1])
    made = {"buyers": _buyers(wanted), "products": _products(wanted), "tickets": _tickets(wanted)}
    json.dump(made, sys.stdout)


def _buyers(wanted: dict[str, int]) -> list[dict[str, Any]]:
    from django.utils import timezone

    from commerce.accounts.services import issue_token
    from commerce.accounts.tests.builders import make_address, make_customer
    from commerce.orders.models import Trade
    from commerce.orders.services.trade import VALID
    from commerce.orders.tests.builders import top_up
    from core.ids import new_secret

    buyers = []
    for _ in range(wanted.get("customers", 0)):
        customer = make_customer(account=f"{uuid4().hex}@example.com")
        if wanted.get("dollars"):
            top_up(customer, wanted["dollars"])
        # The API gives a customer sixty codes in two hours.
        codes = [new_secret() for _ in range(wanted.get("codes", 0))]
        expires_at = timezone.now() + VALID
        Trade.objects.bulk_create(
            Trade(customer=customer, code=code, expires_at=expires_at) for code in codes
        )
        buyers.append(
            {
                "id": customer.pk,
                "account": customer.account,
                "token": issue_token(customer),
                "address": make_address(customer).pk,
                "codes": codes,
            }
        )
    return buyers


def _products(wanted: dict[str, int]) -> list[int]:
    from catalog.goods.tests.builders import make_product
    from catalog.goods.writing import writing_catalogue
    from catalog.stock.tests.builders import stock_all
    from commerce.delivery.models import PickupShop

    with writing_catalogue():
        skus = [f"S{uuid4().hex[:12]}" for _ in range(wanted.get("products", 0))]
        products = [make_product(sku=sku, limit_amount=100_000) for sku in skus]
    if wanted.get("units"):
        stock_all(products, wanted["units"])
        for shop in PickupShop.objects.select_related("location"):
            stock_all(products, wanted["units"], shop.location)
    return [product.pk for product in products]


def _tickets(wanted: dict[str, int]) -> list[str]:
    from django.utils import timezone

    from commerce.accounts.models import CaptchaProof
    from core.ids import digest, new_secret

    tickets = [new_secret() for _ in range(wanted.get("tickets", 0))]
    CaptchaProof.objects.bulk_create(
        CaptchaProof(
            proof_hash=digest(f"proof of {ticket}"),
            ticket_hash=digest(ticket),
            expires_at=timezone.now() + timedelta(days=1),
        )
        for ticket in tickets
    )
    return tickets


if __name__ == "__main__":
    main()
