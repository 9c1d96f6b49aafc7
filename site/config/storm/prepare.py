"""Makes customers and products for a storm: python -m config.storm.prepare '{"customers": 9, …}'.

Prints {"buyers": [{"token", "address"}], "products": [id]}.
"""

import json
import sys
from uuid import uuid4

import django


def main() -> None:
    """Make what is asked for.

    `customers`, each with an address in Perth and `dollars` in the wallet; `products`, each with `units`.
    """
    django.setup()
    from catalog.goods.tests.builders import make_product
    from catalog.goods.writing import writing_catalogue
    from catalog.stock.tests.builders import stock_all
    from commerce.accounts.services import issue_token
    from commerce.accounts.tests.builders import make_address, make_customer
    from commerce.orders.tests.builders import top_up

    wanted: dict[str, int] = json.loads(sys.argv[1])
    buyers = []
    for _ in range(wanted.get("customers", 0)):
        customer = make_customer(account=f"{uuid4().hex}@example.com")
        if wanted.get("dollars"):
            top_up(customer, wanted["dollars"])
        buyers.append({"token": issue_token(customer), "address": make_address(customer).pk})
    with writing_catalogue():
        skus = [f"S{uuid4().hex[:12]}" for _ in range(wanted.get("products", 0))]
        products = [make_product(sku=sku, limit_amount=100_000) for sku in skus]
    if wanted.get("units"):
        stock_all(products, wanted["units"])
    json.dump({"buyers": buyers, "products": [product.pk for product in products]}, sys.stdout)


if __name__ == "__main__":
    main()
