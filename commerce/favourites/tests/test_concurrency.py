"""Changes of one customer's lists that meet; on SQLite writers queue, on PostgreSQL they truly meet."""

import pytest
from django.db import IntegrityError, connection

from catalog.goods.tests.builders import make_products
from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import make_customer
from commerce.favourites import services
from commerce.favourites.models import Favourite, FavouriteList
from core.errors import Err
from core.tests.threads import before_commit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def without_customers_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let changes of one customer's lists meet."""
    monkeypatch.setattr(services, "lock_customer", lambda _customer: None)


def make_two_lists_where_one_may_be(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    monkeypatch.setattr(services, "MAX_LISTS", 2)
    customer = make_customer()

    def make(name: str) -> None:
        services.make_list(customer=customer, name=name)

    return before_commit(lambda: make("Hotpot"), lambda: make("Party"))


def test_lists_made_at_the_same_time_keep_to_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_two_lists_where_one_may_be(monkeypatch) == [None, Err.lists_full]
    assert FavouriteList.objects.count() == 1


def test_control_without_the_customers_lock_postgresql_makes_a_list_too_many(
    monkeypatch: pytest.MonkeyPatch, without_customers_lock: None
) -> None:
    make_two_lists_where_one_may_be(monkeypatch)
    # SQLite has one writer at a time, so it cannot show the race.
    assert FavouriteList.objects.count() == (2 if connection.vendor == "postgresql" else 1)


def mark(customer: Customer, product_id: int) -> None:
    services.add_favourite(customer=customer, list_id=0, product_id=product_id)


def mark_two_where_one_may_be(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    monkeypatch.setattr(services, "MAX_FAVOURITES", 2)
    customer, [first, second, third] = make_customer(), make_products(3)
    mark(customer, first.pk)
    return before_commit(lambda: mark(customer, second.pk), lambda: mark(customer, third.pk))


def test_products_marked_at_the_same_time_keep_to_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mark_two_where_one_may_be(monkeypatch) == [None, Err.lists_full]
    assert Favourite.objects.count() == 2


def test_control_without_the_customers_lock_postgresql_marks_a_product_too_many(
    monkeypatch: pytest.MonkeyPatch, without_customers_lock: None
) -> None:
    mark_two_where_one_may_be(monkeypatch)
    # SQLite has one writer at a time, so it cannot show the race.
    assert Favourite.objects.count() == (3 if connection.vendor == "postgresql" else 2)


def mark_first_product_twice() -> list[object]:
    customer, [product] = make_customer(), make_products(1)
    return before_commit(lambda: mark(customer, product.pk), lambda: mark(customer, product.pk))


def test_a_first_product_marked_twice_at_the_same_time_is_in_one_default_list_once() -> None:
    assert mark_first_product_twice() == [None, None]
    assert (FavouriteList.objects.count(), Favourite.objects.count()) == (1, 1)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_control_without_the_customers_lock_only_the_constraint_refuses_a_second_default_list(
    without_customers_lock: None,
) -> None:
    with pytest.raises(IntegrityError):
        mark_first_product_twice()
