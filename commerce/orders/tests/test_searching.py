from collections.abc import Iterable

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from commerce.accounts.tests.builders import make_customer
from commerce.orders.models import Order
from commerce.orders.searching import search_orders
from commerce.orders.tests.builders import Buyer, make_order
from core.tests.queries import statements_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def order() -> Order:
    """Make orders of two customers; return that of the customer with a mobile number."""
    make_order(Buyer(make_customer(account="other@example.com")))
    return make_order(Buyer(make_customer(account="+61412345678")))


def found(text: str) -> Iterable[Order]:
    return list(search_orders(Order.objects.all(), text))


def test_staff_find_an_order_by_its_number_or_the_beginning_of_it(order: Order) -> None:
    assert found(order.order_no) == found(f" {order.order_no.lower()} ") == [order]
    assert order in found(order.order_no[:5])
    assert not found(order.order_no[3:])


def test_staff_find_an_order_by_the_telephone_of_its_customer(
    order: Order, subtests: pytest.Subtests
) -> None:
    for typed in (
        *("+61412345678", "0412 345 678", "+61 412 345 678", "+614123", "+61412345678 "),
        *("0412", "0412 345", "(0412) 345-6", "0061 412 345 678", "006141"),
    ):
        with subtests.test(typed=typed):
            assert found(typed) == [order]


def test_staff_find_an_order_by_the_e_mail_address_of_its_customer(order: Order) -> None:
    [of_other] = found("Other@Example.com")
    assert [of_other] == found("other@") == list(Order.objects.exclude(pk=order.pk))
    assert not found("%")
    assert not found("noone@example.com")


def test_the_list_of_orders_shows_what_is_found(order: Order, boss: Client) -> None:
    page = boss.get(reverse("orders:index"), {"q": "0412 345 678"}).content.decode()
    assert order.order_no in page
    assert Order.objects.exclude(pk=order.pk).get().order_no not in page


def test_a_search_for_orders_reads_no_table_whole(order: Order) -> None:
    searched = statements_of(lambda: (found("0412 345 678"), found(order.order_no)))
    # No account begins as the number does.
    assert len(searched) == 9
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A few rows are quicker read without an index.
            cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in searched:
            cursor.execute(f"EXPLAIN {'' if connection.vendor == 'postgresql' else 'QUERY PLAN '}{sql}")
            plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
            assert "Seq Scan" not in plan
            assert "SCAN" not in plan
