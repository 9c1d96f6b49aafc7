"""Editors save a promotion while shoppers take units of it."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection
from django.test import Client
from django.urls import reverse

from catalog.goods.tests.builders import make_product
from catalog.promotions import offers, wagtail_hooks
from catalog.promotions.forms import PromotionForm
from catalog.promotions.models import PromotionItem
from catalog.promotions.services import take_quota
from catalog.promotions.tests.builders import make_promotion
from catalog.promotions.tests.test_backoffice import form
from core.errors import Err
from core.tests.threads import between_check_and_save, concurrently

pytestmark = pytest.mark.django_db(transaction=True)

REMOVED = {"DELETE": "on"}


@pytest.fixture
def item() -> PromotionItem:
    return make_promotion((make_product(), "3.50")).items.get()


@pytest.fixture
def save(item: PromotionItem) -> Callable[..., int]:
    """Return what saves the promotion in the back office, with changes of its row; it returns the status."""
    editor = User.objects.create_superuser("manager")
    row = {"id": item.pk, "product": item.product_id, "price": item.price}

    def post(**changes: Any) -> int:
        client = Client()
        client.force_login(editor)
        # Switched off, or its last row could not be removed.
        data = form(row | changes, initial=1, is_active="")
        return client.post(reverse("promotions:edit", args=[item.promotion_id]), data).status_code

    return post


@pytest.fixture
def sale(monkeypatch: pytest.MonkeyPatch, item: PromotionItem) -> Callable[[], None]:
    """Return the sale of five units after the editor's form is checked and before it is saved.

    Nothing locks the promotion, or the sale would wait for the form.
    """
    monkeypatch.setattr(wagtail_hooks, "locking_promotion", lambda _pk: nullcontext())

    def take_five() -> None:
        take_quota({item.pk: 5})

    return between_check_and_save(monkeypatch, PromotionForm, take_five)


def test_units_taken_while_an_editor_saves_stay_taken(
    save: Callable[..., int], sale: Callable[[], None]
) -> None:
    assert concurrently(lambda work: work(), [lambda: save(quota=60), sale]) == [302, None]
    assert list(PromotionItem.objects.values_list("quota", "taken")) == [(60, 5)]


def test_control_a_row_that_is_saved_whole_loses_the_units_taken(
    monkeypatch: pytest.MonkeyPatch, save: Callable[..., int], sale: Callable[[], None]
) -> None:
    monkeypatch.setattr(PromotionItem, "UPDATE_ONLY", frozenset())
    assert concurrently(lambda work: work(), [lambda: save(quota=60), sale]) == [302, None]
    assert list(PromotionItem.objects.values_list("quota", "taken")) == [(60, 0)]


@pytest.mark.parametrize("change", [{"quota": 60}, {"quota": 4}, REMOVED], ids=["more", "fewer", "removed"])
def test_what_shoppers_take_in_the_meantime_is_counted_or_refused(
    item: PromotionItem, save: Callable[..., int], change: dict[str, Any]
) -> None:
    def take() -> None:
        take_quota({item.pk: 1})

    works: list[Callable[[], object]] = [take] * 9
    works[3:3] = [lambda: save(**change)] * 2
    outcomes = concurrently(lambda work: work(), works)
    assert set(outcomes) <= {None, 200, 302, 404, Err.stock_insufficient}
    left = list(PromotionItem.objects.values_list("taken", flat=True))
    assert left == [outcomes.count(None)] or (left == [] and change == REMOVED and None not in outcomes)


def test_control_without_locking_the_promotion_a_lower_quota_fails(
    monkeypatch: pytest.MonkeyPatch, save: Callable[..., int], sale: Callable[[], None]
) -> None:
    # The form is not checked once more after the database has refused it.
    monkeypatch.setattr("config.middleware.back_office_conflicts.IntegrityError", ())
    with pytest.raises(IntegrityError):
        concurrently(lambda work: work(), [lambda: save(quota=4), sale])


def test_control_without_locking_the_promotion_a_row_with_sales_is_removed(
    save: Callable[..., int], sale: Callable[[], None]
) -> None:
    assert concurrently(lambda work: work(), [lambda: save(**REMOVED), sale]) == [302, None]
    assert not PromotionItem.objects.exists()


def test_offers_are_read_again_only_after_a_change_is_there_for_all(
    monkeypatch: pytest.MonkeyPatch, item: PromotionItem, save: Callable[..., int]
) -> None:
    within: list[bool] = []
    monkeypatch.setattr(offers, "invalidate", lambda: within.append(connection.in_atomic_block))
    assert save(quota=60) == 302
    client = Client()
    client.force_login(User.objects.get())
    assert client.post(reverse("promotions:delete", args=[item.promotion_id])).status_code == 302
    assert not PromotionItem.objects.exists()
    assert within == [False, False]
