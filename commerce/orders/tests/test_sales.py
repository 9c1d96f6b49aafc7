"""Sales are counted after the payment: each order once, on the day it was paid."""

import time
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from catalog.goods.models import Product, SoldDay
from catalog.goods.reindexing import differences
from catalog.goods.sales import record_sales
from catalog.search.index import labelled
from commerce.orders import sales
from commerce.orders.audit import COUNTED_WITHIN
from commerce.orders.audit import differences as differences_of_orders
from commerce.orders.models import Order
from commerce.orders.sales import count_due_sales, count_sales
from commerce.orders.services import cancel_order, mark_paid
from commerce.orders.tests.builders import Buyer, make_order, make_paid, make_stocked, nothing_changes
from core.tests.queries import statements_of
from core.tests.races import SHOWS_RACES
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def paid(buyer: Buyer, *lines: tuple[Product, int], at: datetime | None = None) -> Order:
    """Make an order that was paid, now or at another time."""
    order = make_paid(buyer, *lines)
    if at is not None:
        Order.objects.filter(pk=order.pk).update(paid_at=at)
    return order


def sold(product: Product) -> tuple[int, dict[date, int]]:
    units = Product.objects.get(pk=product.pk).units_sold
    return units, dict(product.sold_days.values_list("day", "units"))


def test_a_payment_reads_and_writes_no_product_and_no_index(buyer: Buyer) -> None:
    rice = make_stocked()
    order = make_order(buyer, (rice, 3))
    statements = statements_of(lambda: mark_paid(order=order, pay_type="5"))
    order.refresh_from_db()
    assert order.paid_at
    assert [sql for sql in statements if "goods_" in sql or "search_" in sql] == []
    assert sold(rice) == (0, {})


def test_the_job_counts_what_was_paid_once(buyer: Buyer) -> None:
    rice, tea = make_stocked(), make_stocked()
    paid(buyer, (rice, 3), (tea, 1))
    unpaid = make_order(buyer, (rice, 2))
    today = timezone.localdate()
    assert count_due_sales() == 1
    assert (sold(rice), sold(tea)) == ((3, {today: 3}), (1, {today: 1}))
    assert rice.pk in labelled("sold:2")
    with nothing_changes():
        assert count_due_sales() == 0
        assert count_sales([unpaid.pk]) == 0
    assert sold(rice) == (3, {today: 3})
    assert list(differences()) == []


def test_sales_count_on_the_day_of_the_payment_in_the_shops_time_zone(buyer: Buyer) -> None:
    rice = make_stocked()
    # 16:00 in London is midnight in Perth.
    paid(buyer, (rice, 1), at=datetime(2026, 3, 9, 15, 59, tzinfo=UTC))
    paid(buyer, (rice, 2), at=datetime(2026, 3, 9, 16, tzinfo=UTC))
    assert count_due_sales() == 2
    assert sold(rice) == (3, {date(2026, 3, 9): 1, date(2026, 3, 10): 2})


def test_an_order_paid_after_it_expired_counts_once(buyer: Buyer) -> None:
    rice = make_stocked()
    order = make_order(buyer, (rice, 3))
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    assert count_due_sales() == 0
    assert mark_paid(order=order, pay_type="5")
    assert count_due_sales() == 1
    assert not mark_paid(order=order, pay_type="5")
    assert count_due_sales() == 0
    assert sold(rice)[0] == 3


def test_the_job_goes_on_past_an_order_that_fails_and_loses_nothing(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    rice, tea = make_stocked(), make_stocked()
    paid(buyer, (rice, 3))
    paid(buyer, (tea, 2))

    def fail_after_counting(*, units_by_product: Mapping[int, int], **kw: Any) -> None:
        record_sales(units_by_product=units_by_product, **kw)
        if rice.pk in units_by_product:
            raise RuntimeError

    monkeypatch.setattr(sales, "record_sales", fail_after_counting)
    assert count_due_sales() == 1
    assert (sold(rice)[0], sold(tea)[0]) == (0, 2)
    monkeypatch.setattr(sales, "record_sales", record_sales)
    assert count_due_sales() == 1
    assert (sold(rice)[0], sold(tea)[0]) == (3, 2)


def test_the_audit_names_orders_that_no_job_has_counted(buyer: Buyer) -> None:
    paid(buyer)
    old = paid(buyer, at=timezone.now() - 2 * COUNTED_WITHIN)
    assert [difference.row for difference in differences_of_orders()] == [f"order {old}"]
    count_due_sales()
    assert list(differences_of_orders()) == []


def test_a_transaction_counts_some_orders_and_the_next_one_goes_on(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sales, "BATCH", 2)
    rice, counted = make_stocked(), []

    def count(order_ids: list[int]) -> int:
        counted.append(count_sales(order_ids))
        return counted[-1]

    monkeypatch.setattr(sales, "count_sales", count)
    for _ in range(3):
        paid(buyer, (rice, 1))
    assert count_due_sales() == 3
    assert counted == [2, 1]
    assert sold(rice)[0] == 3


@pytest.mark.django_db(transaction=True)
def test_concurrent_jobs_count_each_order_once(buyer: Buyer) -> None:
    products = [make_stocked(40) for _ in range(3)]
    for number in range(9):
        paid(buyer, *((product, 1 + number % 2) for product in products))
    counted: list[int] = []

    def run_job(_number: int) -> None:
        counted.append(count_due_sales())

    concurrently(run_job, range(8))
    assert sum(counted) == 9
    assert [sold(product)[0] for product in products] == [13] * 3
    assert set(SoldDay.objects.values_list("units", flat=True)) == {13}
    assert list(differences()) == []


@pytest.mark.django_db(transaction=True)
def test_control_without_the_lock_postgresql_counts_an_order_twice(buyer: Buyer) -> None:
    rice = make_stocked()
    order = paid(buyer, (rice, 3))

    def count_without_lock(_number: int) -> None:
        with transaction.atomic():
            if Order.objects.get(pk=order.pk).sales_counted_at is None:
                time.sleep(0.1)
                Order.objects.filter(pk=order.pk).update(sales_counted_at=timezone.now())
                record_sales(units_by_product={rice.pk: 3}, day=timezone.localdate())

    concurrently(count_without_lock, range(4))
    assert (sold(rice)[0] > 3) is SHOWS_RACES
