from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from catalog.goods.models import Product
from catalog.goods.tests.builders import charge, make_product
from catalog.imports.tests.files import product_row, write_catalogue, write_csv
from catalog.imports.tests.importing import everything, load, refused
from core.tests.rows import rolled_back, stored

pytestmark = pytest.mark.django_db


def prices(tmp_path: Path, **kw: Any) -> Path:
    path = tmp_path / "today.csv"
    write_csv(path, [{"sku": "A", "price_aud": "4.00"} | kw])
    return path


def test_a_file_of_prices_changes_prices_and_nothing_else(tmp_path: Path) -> None:
    product = make_product(sku="A", price=Decimal("5.00"))
    before = Product.objects.values().get(pk=product.pk)
    assert "prices: 0 new, 1 changed (price 1), 0 the same" in load(prices(tmp_path))
    after = Product.objects.values().get(pk=product.pk)
    assert after | {"updated_at": None} == before | {"price": Decimal("4.00"), "updated_at": None}
    assert product.price_changes.count() == 2
    unchanged = everything()
    assert "prices: 0 new, 0 changed, 1 the same" in load(prices(tmp_path))
    assert everything() == unchanged


def test_a_price_of_an_unknown_product_is_refused(tmp_path: Path) -> None:
    make_product(sku="A")
    write_csv(tmp_path / "today.csv", [{"sku": "A", "price_aud": "1.00"}, {"sku": "B", "price_aud": "1.00"}])
    assert "today.csv, row 3, sku: there is no product with the SKU B" in refused(tmp_path / "today.csv")


def test_a_was_price_must_have_been_charged(tmp_path: Path) -> None:
    product = make_product(sku="A", price=Decimal("5.00"))
    charge(product, ("5.00", timedelta(days=3)))
    assert "row 2, market_price: A$5.00 was not charged" in refused(prices(tmp_path, market_price="5.00"))
    charge(product, ("5.00", timedelta(days=30)))
    load(prices(tmp_path, market_price="5.00"))
    assert stored(product, "price", "market_price") == (Decimal("4.00"), Decimal("5.00"))
    load(prices(tmp_path, market_price=""))
    assert stored(product, "market_price") is None


def test_tiers_and_prices_for_levels_are_replaced(tmp_path: Path) -> None:
    product = make_product(sku="A", price=Decimal("4.00"))
    columns = {"tiers": "50:3.50|10:3.90", "level_prices": "2:3.80"}
    assert "level_prices 1, tiers 1" in load(prices(tmp_path, **columns))
    tiers = [(tier.from_amount, str(tier.price)) for tier in product.price_tiers.all()]
    assert tiers == [(10, "3.90"), (50, "3.50")]
    assert "1 the same" in load(prices(tmp_path, **columns))
    load(prices(tmp_path, tiers="", level_prices="3:3.00"))
    product = Product.objects.get()
    assert not product.price_tiers.exists()
    assert [(each.level, str(each.price)) for each in product.level_prices.all()] == [(3, "3.00")]


def test_prices_without_a_column_stay(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for gone in ["tiers", "level_prices"]:
        with subtests.test(gone=gone), rolled_back():
            product = make_product(sku="A", price=Decimal("4.00"))
            columns = {"tiers": "10:3.90", "level_prices": "2:3.80"}
            load(prices(tmp_path, **columns))
            del columns[gone]
            load(prices(tmp_path, **columns))
            assert (product.price_tiers.count(), product.level_prices.count()) == (1, 1)


def test_a_new_products_was_price_is_imported_with_its_history(tmp_path: Path) -> None:
    folder = write_catalogue(tmp_path)
    row = product_row(1, market_price="5.99", market_since="-60d")
    write_csv(folder / "goods.csv", [row])
    load(folder)
    product = Product.objects.get()
    assert (product.price, product.market_price) == (Decimal("4.49"), Decimal("5.99"))
    assert [str(change.price) for change in product.price_changes.all()] == ["4.49", "5.99"]
    assert "goods: 0 new, 0 changed, 1 the same" in load(folder)
    assert product.price_changes.count() == 2


def test_an_invalid_was_price_of_a_new_product_is_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    folder = write_catalogue(tmp_path)
    for change, expected in [
        ({"market_since": ""}, "row 2, market_since: a was-price of new products needs"),
        ({"market_since": "-3d"}, "row 2, market_price: A$5.99 was not charged"),
        ({"market_price": "4.00"}, "row 2, market_price: A was-price must be above"),
    ]:
        with subtests.test(change=change, expected=expected):
            was = {"market_price": "5.99", "market_since": "-60d"} | change
            write_csv(folder / "goods.csv", [product_row(1, **was)])
            assert expected in refused(folder)
