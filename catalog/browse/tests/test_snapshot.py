"""Counts of lists are a few seconds old at most; rows of products are always current."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial

import pytest
from django.conf import LazySettings
from pytest_django import DjangoAssertNumQueries

from catalog.browse import snapshot as memory
from catalog.browse.filters import Filters
from catalog.browse.listing import listing
from catalog.browse.snapshot import snapshot
from catalog.goods.models import Product
from catalog.goods.tests.builders import make_category, make_product
from catalog.goods.writing import update_products

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _snapshot_enabled(settings: LazySettings) -> Iterator[None]:
    settings.SNAPSHOT_SECONDS = 5
    memory.invalidate()
    yield
    memory.invalidate()


def made_ago(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + seconds)


def test_a_second_read_takes_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    make_product()
    first = snapshot()
    with django_assert_num_queries(0):
        assert snapshot() is first


@pytest.mark.parametrize(("age", "is_kept"), [(2, True), (4, False), (60, False)])
def test_counts_are_read_again_before_they_are_too_old(
    age: float, is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = snapshot()
    make_product()
    made_ago(monkeypatch, age)
    assert (snapshot() is first) is is_kept
    assert len(listing(Filters())) == (0 if is_kept else 1)


def test_while_one_thread_reads_the_others_use_the_old_snapshot_until_it_expires(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = snapshot()
    made_ago(monkeypatch, 4)
    got = []
    with memory._shared._lock:
        assert snapshot() is first
        monkeypatch.undo()
        made_ago(monkeypatch, 6)
        waiting = threading.Thread(target=lambda: got.append(snapshot()))
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
        memory._shared._value = newest = replace(first, made_at=time.monotonic())
    waiting.join(5)
    assert got == [newest]


def prices_of(filters: Filters) -> list[tuple[int, int]]:
    """Return id and price in whole dollars of the products on a list's first page."""
    return [(product.id, int(product.price)) for product in listing(filters).rows(0, 24)]


def test_a_new_price_and_a_product_no_longer_on_sale_show_immediately() -> None:
    category = make_category()
    cheap, dear = (make_product(category=category, price=Decimal(price)) for price in (2, 3))
    filters = Filters(category_id=category.pk, order_by="price", ascending=True)
    shown = partial(prices_of, filters)
    assert shown() == [(cheap.pk, 2), (dear.pk, 3)]
    update_products(Product.objects.filter(pk=cheap.pk), price=Decimal(4))
    assert shown() == [(dear.pk, 3), (cheap.pk, 4)]
    update_products(Product.objects.filter(pk=dear.pk), on_sale=False)
    assert shown() == [(cheap.pk, 4)]


def test_the_same_search_runs_once(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    rice = make_product(name_en="Jasmine Rice")
    assert listing(Filters(word="jasmine")).ids(0, 24) == [rice.pk]
    with django_assert_num_queries(0):
        assert len(listing(Filters(word="jasmine", stock_type="3"))) == 1


def test_a_repeated_page_of_a_search_reads_only_its_rows_again(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rice, tea = make_product(name_en="Jasmine Rice"), make_product(name_en="Jasmine Tea")
    filters = Filters(word="jasmine")
    shown = partial(prices_of, filters)
    before = shown()
    assert {pk for pk, _price in before} == {rice.pk, tea.pk}
    update_products(Product.objects.filter(pk=rice.pk), price=Decimal(7))
    update_products(Product.objects.filter(pk=tea.pk), on_sale=False)
    with django_assert_num_queries(1):
        assert shown() == [(rice.pk, 7)]
