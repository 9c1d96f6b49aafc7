import csv
from itertools import islice
from pathlib import Path

import pytest

from catalog.goods.demo.synthetic import FIRST_ID, product_rows, write_products

DEMO = Path(__file__).parents[1] / "demo" / "goods.csv"


def test_the_same_seed_gives_the_same_products_and_another_one_others() -> None:
    assert list(product_rows(200, seed=3)) == list(product_rows(200, seed=3))
    names = {row["name_en"] for row in product_rows(200, seed=3)}
    assert len(names & {row["name_en"] for row in product_rows(200, seed=4)}) < 20


def test_a_larger_catalogue_begins_with_the_smaller_one() -> None:
    assert list(islice(product_rows(1_000_000), 100)) == list(product_rows(100))


def test_no_product_and_no_name_comes_twice() -> None:
    rows = list(product_rows(20_000))
    assert [row["goods_id"] for row in rows] == list(range(FIRST_ID, FIRST_ID + 20_000))
    assert len({row["sku"] for row in rows}) == 20_000
    assert len({row["name_en"] for row in rows}) == 20_000
    assert len({row["name_zh"] for row in rows}) == 20_000


def test_a_file_has_the_columns_of_the_demonstration(tmp_path: Path) -> None:
    write_products(tmp_path / "goods.csv", 5)
    with (tmp_path / "goods.csv").open(encoding="utf-8") as file, DEMO.open(encoding="utf-8") as demo:
        written, shown = csv.DictReader(file), csv.DictReader(demo)
        assert written.fieldnames == shown.fieldnames
        assert [row["sku"] for row in written] == [f"S{FIRST_ID + n}" for n in range(5)]


def test_more_products_than_can_be_made_are_refused() -> None:
    with pytest.raises(ValueError, match="products at most"):
        next(product_rows(10**9))
