"""The bench's customers: their purchases, how they are counted, and orders that are copied."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.db import connection

from catalog.goods.models import BASE_LEVEL, Storage
from commerce.accounts.models import MemberLevel
from commerce.cart.models import CartItem
from commerce.delivery.tests.builders import make_freight_rule, make_windows
from commerce.ledger.models import LedgerAccount
from commerce.orders.models import Order, OrderLine
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import audit, make_stocked
from commerce.payments.models import PayType
from tools.bench import customers, orders
from tools.bench.purchases import costs
from tools.bench.statements import counting_statements
from tools.bench.steps import ADD, PURCHASE, PURCHASE_BY_VAN, with_each_product
from tools.chaos.many_orders import copy_orders


@pytest.fixture
def shop(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shop with a few products, whose bench has few customers."""
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    monkeypatch.setattr(customers, "BUYERS", 2)
    for storage in (Storage.ambient, Storage.frozen):
        make_freight_rule(storage=storage)
    make_windows()
    # A test that commits has emptied the tables.
    MemberLevel.objects.get_or_create(number=BASE_LEVEL)
    if not PayType.objects.exists():
        import_module("commerce.payments.migrations.0001_initial").add_pay_types(apps, None)
    for _ in range(4):
        make_stocked(units=5)
    make_stocked(units=5, storage=Storage.frozen)


@pytest.mark.django_db
@pytest.mark.usefixtures("shop")
def test_each_run_has_the_same_customers_with_money_stock_and_carts() -> None:
    first, again = customers.make_shoppers(3), customers.make_shoppers(3)
    assert {shopper["id"] for shopper in first} == {shopper["id"] for shopper in again}
    assert not {shopper["token"] for shopper in first} & {shopper["token"] for shopper in again}
    filled = set(CartItem.objects.values_list("customer", flat=True))
    assert filled == {shopper["id"] for shopper in again[:2]}
    wallets = LedgerAccount.objects.values_list("balance", flat=True)
    assert list(wallets) == [customers.DOLLARS] * 3
    audit()


def test_each_shopper_comes_once_for_each_of_their_products() -> None:
    shoppers: list[dict[str, Any]] = [
        {"token": "a", "lines": '[{"goodsId": 1}, {"goodsId": 2}]'},
        {"token": "b", "lines": '[{"goodsId": 3}, {"goodsId": 4}]'},
    ]
    turns = [(each["token"], each["goods"]) for each in with_each_product(shoppers)]
    assert turns == [("a", 1), ("b", 3), ("a", 2), ("b", 4)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shop")
@pytest.mark.slow
def test_each_call_of_a_purchase_is_paid_and_counted() -> None:
    found = costs(customers.make_shoppers(7)[2:], counted=1)
    for step in (ADD, *PURCHASE, *PURCHASE_BY_VAN):
        assert 2 <= found[step.name]["statements"] < 100
        assert found[step.name]["server_ms"] > 0
    assert set(Order.objects.values_list("status", flat=True)) == {OrderStatus.paid}
    customers.tidy()
    assert not Order.objects.filter(sales_counted_at=None).exists()
    audit()


@pytest.mark.django_db(transaction=True)
def test_statements_of_transactions_are_counted() -> None:
    from django.db import transaction

    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    with counting_statements() as found, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        with transaction.atomic():
            cursor.execute("SELECT 2")
    # BEGIN, SELECT, SAVEPOINT, SELECT, RELEASE, COMMIT.
    assert (found.count, found.of_transactions) == (6, 4)


@pytest.mark.django_db
@pytest.mark.usefixtures("shop")
def test_copies_of_orders_keep_the_books_in_agreement() -> None:
    shoppers = customers.make_shoppers(2)
    order_nos = [orders.buy(shopper) for shopper in shoppers]
    customers.tidy()
    copy_orders(order_nos, 3)
    audit()
    assert [Order.objects.filter(customer=shopper["id"]).count() for shopper in shoppers] == [4, 4]
    assert OrderLine.objects.count() == 8 * customers.LINES
    # The next order finds free numbers.
    orders.buy(shoppers[0])
    audit()
