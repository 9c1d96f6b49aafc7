"""A was-price is shown only if it was charged for long enough, not long ago, and is higher."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries

from catalog.goods import services
from catalog.goods.models import PriceChange, Product
from catalog.goods.services import clear_expired_was_prices
from catalog.goods.tests.builders import charge, make_product
from catalog.goods.wasprices import CHARGED_FOR, CHARGED_WITHIN, ChargedPrice, charged_prices
from catalog.goods.writing import save_product, save_products, update_products

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def cheaper(was: str = "10.00", *, days: int = 30, since: timedelta = DAY) -> Product:
    """A product that cost `was` for `days` days, and 8.00 since."""
    product = make_product(price=Decimal("8.00"))
    charge(product, (was, since + timedelta(days=days)), ("8.00", since))
    return product


def with_was_price() -> Product:
    """A product that cost 10.00, which it shows, and costs 8.00."""
    product = cheaper()
    product.market_price = Decimal("10.00")
    save_product(product)
    return product


def was_price_of(product: Product) -> Decimal | None:
    return Product.objects.get(pk=product.pk).market_price


def test_a_price_that_was_charged_may_be_shown() -> None:
    product = cheaper()
    product.market_price = Decimal("10.00")
    product.full_clean()
    save_product(product)
    assert was_price_of(product) == Decimal("10.00")


def test_the_price_of_today_becomes_a_was_price_with_the_very_save_that_lowers_it() -> None:
    product = make_product(price=Decimal("10.00"))
    charge(product, ("10.00", 30 * DAY))
    product.price, product.market_price = Decimal("8.00"), Decimal("10.00")
    product.full_clean()
    save_product(product)
    assert was_price_of(product) == Decimal("10.00")


OTHERS: dict[str, tuple[Callable[[], Product], str]] = {
    "never charged": (lambda: cheaper(), "12.00"),
    "the price itself": (lambda: cheaper(), "8.00"),
    "lower": (lambda: cheaper(), "7.00"),
    "too short": (lambda: cheaper(days=CHARGED_FOR.days - 1), "10.00"),
    "too long ago": (lambda: cheaper(since=CHARGED_WITHIN + DAY), "10.00"),
    "no history": (lambda: make_product(price=Decimal("8.00")), "10.00"),
}


def test_any_other_was_price_is_refused_and_never_saved(subtests: pytest.Subtests) -> None:
    for case, (product_of, was) in OTHERS.items():
        with subtests.test(msg=case):
            product = product_of()
            product.market_price = Decimal(was)
            with pytest.raises(ValidationError) as refusal:
                product.full_clean()
            assert list(refusal.value.message_dict) == ["market_price"]
            save_product(product)
            assert product.market_price is None
            assert was_price_of(product) is None
            update_products(Product.objects.filter(pk=product.pk), market_price=Decimal(was))
            assert was_price_of(product) is None
            product.market_price = Decimal(was)
            save_products([product], ["market_price"])
            assert was_price_of(product) is None


def test_the_refusal_names_the_allowed_was_price_in_the_editors_language() -> None:
    product = cheaper()
    product.market_price = Decimal("12.00")
    for language, words in (("en", "A$12.00 was not charged"), ("zh-hans", "A$12.00")):
        with translation.override(language), pytest.raises(ValidationError) as refusal:
            product.full_clean()
        [text] = refusal.value.message_dict["market_price"]
        assert words in text
        assert "A$10.00" in text
        assert ("charged" in text) == (language == "en")


def test_a_was_price_is_removed_when_the_price_rises_above_it() -> None:
    product = with_was_price()
    update_products(Product.objects.filter(pk=product.pk), price=Decimal("11.00"))
    assert was_price_of(product) is None


def test_a_was_price_stays_when_something_else_changes() -> None:
    product = with_was_price()
    update_products(Product.objects.filter(pk=product.pk), price=Decimal("7.00"))
    update_products(Product.objects.filter(pk=product.pk), name_en="Brown rice")
    assert was_price_of(product) == Decimal("10.00")


def with_old_was_price() -> Product:
    """A product whose was-price may not be shown any more."""
    product = with_was_price()
    prices = PriceChange.objects.filter(product=product)
    prices.update(charged_from=timezone.now() - 2 * CHARGED_WITHIN)
    prices.filter(price=8).update(charged_from=timezone.now() - CHARGED_WITHIN - DAY)
    return product


def test_a_was_price_that_is_too_old_is_removed(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    old, young = [with_old_was_price() for _ in range(3)], with_was_price()
    with django_assert_max_num_queries(20):
        assert clear_expired_was_prices() == 3
    assert [was_price_of(product) for product in old] == [None] * 3
    assert was_price_of(young) == Decimal("10.00")


def test_prices_count_by_each_continuous_period_of_being_charged() -> None:
    now = timezone.now()
    ago = {40: "10.00", 36: "9.00", 33: "10.00", 30: "8.00"}
    history = [ChargedPrice(Decimal(price), now - days * DAY) for days, price in ago.items()]
    assert charged_prices(history, now) == {Decimal("8.00")}


def test_a_was_price_that_an_editor_sets_while_old_ones_are_cleared_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    product = with_old_was_price()

    def batches_after_the_editor(ids: list[int]) -> list[list[int]]:
        product.price, product.market_price = Decimal("7.00"), Decimal("8.00")
        save_product(product)
        return [ids]

    monkeypatch.setattr(services, "short_batches", batches_after_the_editor)
    assert clear_expired_was_prices() == 0
    assert was_price_of(product) == Decimal("8.00")


def test_a_was_price_that_cannot_be_cleared_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = with_old_was_price(), with_old_was_price()

    def update(rows: QuerySet[Product], **values: Any) -> int:
        if bad in rows:
            raise RuntimeError
        return update_products(rows, **values)

    monkeypatch.setattr(services, "update_products", update)
    assert clear_expired_was_prices() == 1
    assert (was_price_of(bad), was_price_of(good)) == (Decimal("10.00"), None)
