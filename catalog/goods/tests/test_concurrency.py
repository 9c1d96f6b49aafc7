from datetime import date

import pytest
from django.db import IntegrityError, connection
from django.db.models import QuerySet

from catalog.goods import sales
from catalog.goods.models import Category, Product
from catalog.goods.reindexing import differences
from catalog.goods.sales import record_sales
from catalog.goods.tests.builders import make_category, make_product
from catalog.goods.writing import save_category, save_product
from core.tests.threads import before_commit

pytestmark = pytest.mark.django_db(transaction=True)


def move_category_of_a_product_that_is_written() -> tuple[Product, Category]:
    """Put a product into a category that moves in the meantime; returns both with the new top category."""
    category, new_parent = make_category(parent=make_category()), make_category()
    product = make_product()
    product.category = category

    def move_category() -> None:
        category.parent = new_parent
        save_category(category)

    assert before_commit(lambda: save_product(product), move_category) == [None, None]
    product.refresh_from_db()
    return product, new_parent


def test_a_product_follows_its_category_that_moves_while_the_product_is_written() -> None:
    product, top = move_category_of_a_product_that_is_written()
    assert product.top_category == top


def test_control_without_locking_the_category_postgresql_leaves_a_product_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)
    product, top = move_category_of_a_product_that_is_written()
    # SQLite has one writer at a time, so it cannot show the race.
    assert (product.top_category == top) is (connection.vendor != "postgresql")


def sell_twice_concurrently() -> Product:
    """Count a product's second sale of a day when the first is written and not yet committed."""
    product = make_product()

    def sell() -> None:
        record_sales(units_by_product={product.pk: 3}, day=date(2026, 3, 9))

    assert before_commit(sell, sell) == [None, None]
    product.refresh_from_db()
    return product


def test_a_days_first_sales_that_are_counted_at_the_same_time_all_count() -> None:
    product = sell_twice_concurrently()
    assert product.units_sold == product.sold_days.get().units == 6
    assert list(differences()) == []


def test_control_without_row_locks_postgresql_leaves_what_was_sold_before_in_the_index(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)
    sell_twice_concurrently()
    # SQLite has one writer at a time, so it cannot show the race.
    assert (list(differences()) != []) is (connection.vendor == "postgresql")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_control_without_locking_the_product_postgresql_makes_a_days_row_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sales, "update_products", lambda _products, **_: 0)
    # Only the constraint behind the lock refuses the second row, which is a fault.
    with pytest.raises(IntegrityError):
        sell_twice_concurrently()
