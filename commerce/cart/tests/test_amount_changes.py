"""The amounts of a cart after a change, by the table that islands/stores/cart-rules.test.ts reads too."""

import json
from typing import Any

import pytest
from django.conf import settings

from catalog.goods.tests.builders import make_product
from catalog.stock.tests.builders import stock
from commerce.accounts.tests.builders import make_customer
from commerce.cart.models import CartItem, CartType
from commerce.cart.tests.test_api import CART, Caller
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

TABLE = settings.BASE_DIR / "islands" / "stores" / "amount-changes.json"
CASES: list[dict[str, Any]] = json.loads(TABLE.read_text("utf-8"))


def test_the_api_changes_an_amount_as_the_browser_does(subtests: pytest.Subtests) -> None:
    customer = make_customer()
    for case in CASES:
        with subtests.test(case=case), rolled_back():
            kind = CartType.bulk if case["carton"] else CartType.direct_mail
            product = make_product(
                limit_amount=case["limit"],
                min_amount=case["minimum"],
                is_bulk=case["carton"] is not None,
                carton_size=case["carton"] or 1,
            )
            stock(product, case["stock"])
            if case["before"]:
                CartItem.objects.create(customer=customer, type=kind, product=product, amount=case["before"])

            # What islands/stores/server-cart.ts sends: a removal, an addition, or the amount that is wanted.
            change, wanted = case["change"], case["before"] + case["change"]
            caller, line = Caller(customer), {"goodsId": product.pk, "goodsAmount": wanted}
            if change <= 0 and case["amount"] == 0:
                body = caller.send("DELETE", f"{CART}/{product.pk}?type={kind}")
            elif change > 0:
                body = caller.send("POST", f"{CART}?type={kind}", line | {"goodsAmount": change})
            else:
                body = caller.send("PUT", f"{CART}?type={kind}", line)

            amounts = list(CartItem.objects.values_list("amount", flat=True))
            found = (amounts, body.get("reason"))
            assert found == ([case["amount"]] if case["amount"] else [], case["reason"])
