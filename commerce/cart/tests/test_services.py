import time
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product, make_products
from catalog.stock.tests.builders import make_stocked, stock_all
from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.accounts.tests.builders import make_customer
from commerce.cart import services
from commerce.cart.items import Contents, read_contents
from commerce.cart.models import CartItem, CartType
from commerce.cart.services import add_to_cart, merge_cart, remove_ordered_items, set_amount
from commerce.cart.tasks import delete_abandoned_items
from core.errors import Err
from core.tests.threads import concurrently
from core.transactions import in_transaction

MINE = CartType.direct_mail


def amounts(customer: Customer) -> dict[int, int]:
    return dict(CartItem.objects.filter(customer=customer).values_list("product_id", "amount"))


@pytest.mark.django_db
def test_ordered_units_are_removed_from_the_cart() -> None:
    customer, other = make_customer(), make_customer()
    part, whole, more, other_product = (make_stocked() for _ in range(4))
    for product, amount in [(part, 5), (whole, 2), (more, 1), (other_product, 4)]:
        set_amount(customer=customer, type=MINE, product_id=product.pk, amount=amount)
        set_amount(customer=other, type=MINE, product_id=product.pk, amount=amount)
        set_amount(customer=customer, type=CartType.bulk, product_id=product.pk, amount=amount)

    remove_ordered_items(
        customer=customer, units_by_product={part.pk: 3, whole.pk: 2, more.pk: 9, make_stocked().pk: 1}
    )

    mine = CartItem.objects.filter(customer=customer, type=MINE)
    assert dict(mine.values_list("product_id", "amount")) == {part.pk: 2, other_product.pk: 4}
    assert amounts(other) == {part.pk: 5, whole.pk: 2, more.pk: 1, other_product.pk: 4}
    bulk = CartItem.objects.filter(customer=customer, type=CartType.bulk)
    assert dict(bulk.values_list("product_id", "amount")) == {part.pk: 5, whole.pk: 2, other_product.pk: 4}


@pytest.mark.django_db
def test_products_of_an_order_that_fails_stay_in_the_cart(customer: Customer) -> None:
    tea = make_stocked()
    set_amount(customer=customer, type=MINE, product_id=tea.pk, amount=2)

    @transaction.atomic
    def fail_after() -> None:
        remove_ordered_items(customer=customer, units_by_product={tea.pk: 2})
        raise LookupError

    with pytest.raises(LookupError):
        fail_after()
    assert amounts(customer) == {tea.pk: 2}


def add_one(customer: Customer, product: Product) -> Err | None:
    return add_to_cart(customer=customer, type=MINE, product_id=product.pk, amount=1).note


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("units", [32, 20])
def test_concurrent_additions_add_up_in_one_row_within_the_stock_with_a_warning(
    customer: Customer, units: int
) -> None:
    tea = make_stocked(units)
    outcomes = concurrently(lambda _: add_one(customer, tea), range(32))
    assert Counter(outcomes) == Counter({None: units, Err.amount_above_limit: 32 - units})
    assert amounts(customer) == {tea.pk: units}


@pytest.mark.django_db(transaction=True)
def test_control_reading_and_then_saving_loses_additions(customer: Customer) -> None:
    tea = make_stocked()
    set_amount(customer=customer, type=MINE, product_id=tea.pk, amount=1)

    def add(_: int) -> None:
        row = CartItem.objects.get(customer=customer, product=tea)
        row.amount += 1
        time.sleep(0.002)
        row.save()

    concurrently(add, range(32))
    assert amounts(customer)[tea.pk] < 33


@pytest.mark.django_db(transaction=True)
def test_control_without_the_lock_of_the_customer_additions_are_lost(
    customer: Customer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite needs no lock: there a transaction is the only writer from its start."""
    tea = make_stocked(16)

    def read_slowly(**asked: Any) -> Contents:
        contents = read_contents(**asked)
        time.sleep(0.005)
        return contents

    monkeypatch.setattr(services, "lock_customer", lambda _customer: None)
    monkeypatch.setattr(services, "read_contents", read_slowly)
    concurrently(lambda _: add_one(customer, tea), range(16))
    assert (amounts(customer)[tea.pk] < 16) is (connection.vendor == "postgresql")


@pytest.mark.django_db(transaction=True)
def test_concurrent_additions_do_not_exceed_the_maximum_of_items(customer: Customer) -> None:
    products = make_products(210)
    stock_all(products, 1000)
    merge_cart(customer=customer, type=MINE, pushed=[(product.pk, 1) for product in products[:190]])
    outcomes = concurrently(lambda product: add_one(customer, product), products[190:])
    assert outcomes.count(Err.amount_above_limit) == 10
    assert len(amounts(customer)) == 200


@pytest.mark.django_db(transaction=True)
def test_concurrent_pushes_orders_and_changes_neither_fail_nor_get_lost(customer: Customer) -> None:
    products = [make_stocked(100) for _ in range(6)]
    pushed = [(product.pk, 5) for product in products]

    @in_transaction
    def remove(units_by_product: dict[int, int]) -> None:
        lock_customer(customer)
        remove_ordered_items(customer=customer, units_by_product=units_by_product)

    def change(number: int) -> None:
        if number % 3 == 0:
            merge_cart(customer=customer, type=MINE, pushed=pushed if number % 2 else pushed[::-1])
        elif number % 3 == 1:
            remove(dict(pushed[::-1]))
        else:
            add_one(customer, products[number % 6])

    assert concurrently(change, range(30)) == [None] * 30
    merge_cart(customer=customer, type=MINE, pushed=pushed)
    assert amounts(customer) == dict(pushed)


@pytest.mark.django_db
def test_carts_of_customers_who_were_away_for_a_year_are_emptied() -> None:
    long_ago = timezone.now() - timedelta(days=366)
    gone = make_customer(last_login_at=long_ago)
    never_back = make_customer()
    regular = make_customer(last_login_at=timezone.now())
    Customer.objects.filter(pk__in=[never_back.pk, regular.pk]).update(created_at=long_ago)
    for customer in (gone, never_back, regular, make_customer()):
        CartItem.objects.create(customer=customer, product=make_product(), amount=1)
    delete_abandoned_items()
    assert not CartItem.objects.filter(customer__in=[gone, never_back]).exists()
    assert CartItem.objects.count() == 2
