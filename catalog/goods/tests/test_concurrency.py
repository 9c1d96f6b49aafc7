import pytest
from django.db import connection
from django.db.models import QuerySet

from catalog.goods.models import Category, Product
from catalog.goods.tests.builders import make_category, make_product
from catalog.goods.writing import save_category, save_product
from core.tests.threads import before_commit

pytestmark = pytest.mark.django_db(transaction=True)


def move_category_of_a_product_that_is_written() -> tuple[Product, Category]:
    """Put a product into a category that moves meanwhile; returns the product and the new top category."""
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
