"""A member's level at every call that returns or charges a price."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from catalog.goods.models import Product, ProductGroup
from catalog.goods.tests.builders import price_for_level
from commerce.accounts.services import revoke_all_tokens
from commerce.accounts.tests.builders import make_customer
from commerce.cart.models import CartItem
from commerce.orders.tests.builders import Buyer, audit, make_stocked, ordered
from core.tests.queries import statements_of

pytestmark = pytest.mark.django_db

GOLD = 3


@pytest.fixture
def member() -> Buyer:
    return Buyer(make_customer(level_id=GOLD))


def make_rice(**kw: Any) -> Product:
    rice = make_stocked(price=Decimal("10.00"), **kw)
    price_for_level(rice, GOLD, "8.00")
    return rice


def listed(buyer: Buyer) -> list[float]:
    answer = buyer.send("POST", "/goods/list", {"orderBy": "new", "isAsc": True})
    return [product["memberPrice"] for product in answer["result"]["list"]]


def test_lists_and_details_have_the_price_of_the_callers_level(member: Buyer) -> None:
    group = ProductGroup.objects.create(code="sizes", name_en="Size", name_zh="规格")
    rice = make_rice(group=group)
    tea = make_stocked(price=Decimal("3.00"))

    assert listed(member) == [8, 3]
    assert listed(Buyer()) == [10, 3]
    for buyer, price in ((member, 8), (Buyer(), 10)):
        detail = buyer.send("GET", f"/goods/{rice.pk}")["result"]
        assert (detail["memberPrice"], detail["unitPrice"]) == (price, price / 5)
        [spec] = buyer.send("GET", f"/spec/{rice.pk}")["result"]["specs"]
        assert spec["values"][0]["memberPrice"] == price
        assert buyer.send("GET", f"/goods/{tea.pk}")["result"]["memberPrice"] == 3


def test_an_expired_or_unknown_token_gets_the_ordinary_price(member: Buyer) -> None:
    rice = make_rice()
    revoke_all_tokens(member.customer)
    for client in (member.client, Client(headers={"token": "junk"}), Client()):
        assert client.get(f"/api/v1/pc/goods/{rice.pk}").json()["result"]["memberPrice"] == 10


def test_pages_are_the_same_for_every_level(member: Buyer) -> None:
    rice = make_rice()
    for path in ("/shop", f"/shop/shopdetails/{rice.pk}"):
        page = Client().get(path)
        assert page.content == member.client.get(path).content
        assert "10.00" in page.content.decode()


def test_the_number_of_queries_does_not_grow_with_the_list(member: Buyer) -> None:
    make_rice()
    listed(member)
    counts = []
    for _ in range(2):
        make_rice()
        counts.append(len(statements_of(lambda: listed(member))))
    assert counts[0] == counts[1]


def test_the_cart_has_the_price_of_the_level(member: Buyer) -> None:
    rice = make_rice()
    CartItem.objects.create(customer=member.customer, product=rice, amount=2)
    assert member.send("GET", "/shoppingCart")["result"]["list"][0]["memberPrice"] == 8


def test_an_order_is_charged_at_the_price_of_the_level(member: Buyer) -> None:
    rice, tea = make_rice(), make_stocked(price=Decimal("3.00"))
    for buyer, amount in ((member, "19.00"), (Buyer(), "23.00")):
        order = ordered(buyer.order((rice, 2), (tea, 1)))
        assert order.goods_amount == Decimal(amount)
        assert order.pay_amount == order.goods_amount + order.freight
        assert order.lines.get(product=rice).price == rice.price - (2 if buyer is member else 0)
    audit()


def test_a_level_that_changes_after_the_order_does_not_change_it(member: Buyer) -> None:
    rice = make_rice()
    order_no = member.order((rice, 1))["result"]["orderNo"]
    rice.level_prices.update(price=Decimal("1.00"))
    assert member.send("GET", f"/order/detailed/{order_no}")["result"]["orderAmount"] == 8
