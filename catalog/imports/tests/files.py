"""A small catalogue as files, for tests of the import."""

import csv
from pathlib import Path
from typing import Any

from core.tests.pictures import picture

Rows = list[dict[str, Any]]

CATEGORIES: Rows = [
    {
        "classify_id": 1,
        "classify_pid": 0,
        "name_en": "Vegetables",
        "name_zh": "蔬菜",
        "picture": "leaf.webp",
        "tint": "#E6F4E1",
        "sort": 1,
    },
    {
        "classify_id": 101,
        "classify_pid": 1,
        "name_en": "Leafy Greens",
        "name_zh": "叶菜类",
        "picture": "leaf.webp",
        "tint": "#E6F4E1",
        "sort": 2,
    },
]
BRANDS: Rows = [
    {
        "brand_id": 1001,
        "name_en": "Market Fresh",
        "name_zh": "鲜市集",
        "origin": "AU",
        "house": 1,
        "zh_kind": "invented",
    }
]


def product_row(number: int, **kw: Any) -> dict[str, Any]:
    """Make a product row of goods.csv."""
    return {
        "goods_id": 10100 + number,
        "sku": f"G{number}",
        "classify_id": 101,
        "first_classify_id": 1,
        "brand_id": 1001,
        "name_en": f"Greens {number}",
        "name_zh": f"青菜{number}",
        "pack": "500 g",
        "net_weight_g": 500,
        "unit_en": "bag",
        "unit_zh": "袋",
        "price_aud": "4.49",
        "gst": "free",
        "storage": "chilled",
        "origin": "AU",
        "picture": "leaf.webp",
        "desc_en": "Tender.",
        "desc_zh": "鲜嫩。",
        **kw,
    }


def write_csv(path: Path, rows: Rows) -> None:
    """Write rows with the columns of the first."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def write_catalogue(folder: Path, *, products: Rows | None = None) -> Path:
    """Write two categories, a brand, two products and their one picture into a folder."""
    write_csv(folder / "categories.csv", CATEGORIES)
    write_csv(folder / "brands.csv", BRANDS)
    write_csv(folder / "goods.csv", products or [product_row(1), product_row(2)])
    (folder / "pictures").mkdir(exist_ok=True)
    (folder / "pictures" / "leaf.webp").write_bytes(picture())
    return folder
