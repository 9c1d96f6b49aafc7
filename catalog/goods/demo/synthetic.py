"""A synthetic catalogue of any size for benchmarks, reproducible from its seed.

Each product is a point of a grid: real product × brand of its top category × variant × size. So names are
unique and plausible. A step that is coprime with the grid's size visits the points in mixed order without
storing them.
"""

import csv
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import accumulate
from math import gcd
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).parent
# Real products have lower ids.
FIRST_ID = 10_000_000

_Words = tuple[tuple[str, str], ...]


def _words(text: str) -> _Words:
    pairs = (pair.partition("/") for pair in text.split("|"))
    return tuple((english, chinese) for english, _slash, chinese in pairs)


_FOOD = _words(
    "Original/原味|Spicy/香辣|Numb & Spicy/麻辣|Garlic/蒜香|Sesame/芝麻|Seaweed/海苔|Tomato/番茄|"
    "Mushroom/菌菇|Honey/蜂蜜|Lychee/荔枝|Mango/芒果|Peach/白桃|Grape/葡萄|Matcha/抹茶|"
    "Black Sugar/黑糖|Salted Egg/咸蛋黄|Lime/青柠|Coconut/椰香|Less Sugar/低糖|Less Salt/减盐|"
    "Pandan/斑斓|Sour Plum/酸梅|Black Pepper/黑椒|Curry/咖喱|Pepper & Salt/椒盐|Sweet Chilli/甜辣|"
    "Red Bean/红豆|Taro/芋头|Ginger/姜汁|Chestnut/栗子|Osmanthus/桂花|Cheese/芝士"
)
_FRESH = _words(
    "Manjimup/曼吉马普|Carnarvon/卡那封|Gingin/金金|Wanneroo/旺纳鲁|Swan Valley/天鹅谷|"
    "Donnybrook/唐尼布鲁克|Albany/奥尔巴尼|Queensland/昆士兰|Tasmanian/塔州|Victorian/维州|"
    "South Australian/南澳|Organic/有机|Premium/特级|Value/实惠|Jumbo/特大|Small/小号|Hydroponic/水培|"
    "Loose/散装|Gift/礼盒|Imported/进口|Hand Picked/手选|New Season/当季|Family/家庭|Chef/厨师|"
    "Margaret River/玛格丽特河|Geraldton/杰拉尔顿|Broome/布鲁姆|Esperance/埃斯佩兰斯|"
    "Kununurra/库努纳拉|New Zealand/新西兰|Market/市集|Selected/精选"
)
_THINGS = _words(
    "Classic/经典|Lavender/薰衣草|Rose/玫瑰|Unscented/无香|Sensitive/敏感|Sakura/樱花|Green Tea/绿茶|"
    "Citrus/柑橘|White/白色|Black/黑色|Grey/灰色|Blue/蓝色|Pink/粉色|Red/红色|Beige/米色|Kids/儿童|"
    "Travel/旅行|Gentle/温和|Extra/加强|Eco/环保|Soft/柔软|Premium/高级|Basic/基础|Limited/限定|"
    "Peach/蜜桃|Jasmine/茉莉|Aloe/芦荟|Charcoal/竹炭|Navy/藏青|Green/绿色|Purple/紫色|Refill/补充"
)
_VARIANTS = len(_FOOD)
# Words by top category; all other categories are food.
_WORDS_OF = dict.fromkeys(("1", "2", "5", "20"), _FRESH) | dict.fromkeys(
    ("11", "12", "13", "14", "15"), _THINGS
)
# Columns that are true only of the real product's pack, price or picture.
_NOT_SHARED = ("pack_zh", "market_price", "tiers", "level_prices", "gallery")


class _Size(NamedTuple):
    """Another pack size: its factors of weight and price, and its words."""

    weight: float
    price: Decimal
    english: str
    chinese: str


_SIZES = (
    _Size(0.25, Decimal("0.35"), "Mini", "迷你"),
    _Size(0.5, Decimal("0.62"), "Small", "小份"),
    _Size(1, Decimal("1"), "", ""),
    _Size(1.5, Decimal("1.4"), "Large", "大份"),
    _Size(2, Decimal("1.8"), "Twin", "双份"),
    _Size(3, Decimal("2.6"), "Family", "家庭装"),
    _Size(6, Decimal("5"), "Carton", "整箱"),
    _Size(12, Decimal("9.5"), "Wholesale", "批发"),
)


@dataclass(frozen=True)
class _Base:
    """A real product, and its names without the brand."""

    row: dict[str, str]
    english: str
    chinese: str

    @property
    def top(self) -> str:
        return self.row["first_classify_id"]


class _Grid:
    """All combinations of product, brand, variant and size."""

    def __init__(self) -> None:
        self.brands = {row["brand_id"]: row for row in _rows("brands")}
        rows = _rows("goods")
        self.sold_in: dict[str, list[str]] = {}
        for row in rows:
            brands = self.sold_in.setdefault(row["first_classify_id"], [])
            if row["brand_id"] not in brands:
                brands.append(row["brand_id"])
        self.bases: list[_Base] = []
        taken: set[str] = set()
        for row in rows:
            base = _Base(row, self._bare_name(row, "name_en"), self._bare_name(row, "name_zh"))
            if taken.isdisjoint((base.english, base.chinese)):
                taken |= {base.english, base.chinese}
                self.bases.append(base)

    def _bare_name(self, row: dict[str, str], column: str) -> str:
        name, brand = row[column], self.brands[row["brand_id"]][column]
        return name.removeprefix(brand).strip() or name

    @cached_property
    def ends(self) -> list[int]:
        """The end of the range of points of each real product."""
        return list(accumulate(len(self.sold_in[base.top]) * _VARIANTS * len(_SIZES) for base in self.bases))

    def product(self, point: int, pk: int) -> dict[str, Any]:
        """Return the row of the product at a point."""
        place = bisect_right(self.ends, point)
        base = self.bases[place]
        point -= self.ends[place - 1] if place else 0
        point, variant = divmod(point, _VARIANTS)
        brand_place, size_place = divmod(point, len(_SIZES))
        brand, size = self.brands[self.sold_in[base.top][brand_place]], _SIZES[size_place]
        english, chinese = _WORDS_OF.get(base.top, _FOOD)[variant]
        weight = max(1, round(int(base.row["net_weight_g"]) * size.weight))
        factor = size.price * (90 + (variant * 7 + brand_place * 3 + place) % 21) / 100
        price = max(Decimal("0.60"), round(Decimal(base.row["price_aud"]) * factor, 1)) - Decimal("0.01")
        row: dict[str, Any] = base.row | {name: "" for name in _NOT_SHARED if name in base.row}
        # The group's products stay variants of each other in each combination of brand, variant and size.
        group = row["spec_group"] and f"{row['spec_group']}-{brand_place}-{variant}-{size_place}"
        return row | {
            "goods_id": pk,
            "sku": f"S{pk}",
            "brand_id": brand["brand_id"],
            "name_en": " ".join(filter(None, (brand["name_en"], english, base.english, size.english))),
            "name_zh": f"{brand['name_zh']} {chinese} {base.chinese} {size.chinese}".strip(),
            "pack": f"{weight / 1000:g} kg" if weight >= 1000 else f"{weight} g",
            "net_weight_g": weight,
            "price_aud": f"{price:.2f}",
            "spec_group": group,
        }


def product_rows(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield rows with the columns of goods.csv; raises ValueError if `count` exceeds the combinations."""
    grid = _Grid()
    size = grid.ends[-1]
    if count > size:
        raise ValueError(f"there can be {size} products at most")
    step = (seed * 2654435761 + 40503) % size or 1
    while gcd(step, size) != 1:
        step += 1
    for number in range(count):
        yield grid.product((seed * 7919 + number * step) % size, FIRST_ID + number)


def write_products(path: Path, count: int, seed: int = 1) -> None:
    """Write products as a CSV file for `manage.py import_goods`; raises ValueError as `product_rows` does."""
    rows = product_rows(count, seed)
    first = next(rows, None)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(first or _rows("goods")[0]), lineterminator="\n")
        writer.writeheader()
        if first:
            writer.writerow(first)
        writer.writerows(rows)


def _rows(name: str) -> list[dict[str, str]]:
    with (_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
