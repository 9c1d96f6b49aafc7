"""The snapshot for all lists: sets of product ids, brands and categories; at most two seconds old."""

import json
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db.models import Aggregate, QuerySet, TextField, Value
from django.db.models.functions import Cast
from pyroaring import BitMap

from catalog.goods.listed import ADVANCE, IN_STOCK, SOLD_OUT
from catalog.goods.models import Brand, Category, Product
from catalog.goods.sellable import sellable_products
from catalog.search.finding import Found, find
from catalog.search.index import Labels, all_labels
from catalog.search.thesaurus import Thesaurus, read_thesaurus
from core.snapshots import SharedSnapshot

NOTHING = BitMap()
# From this share of the maximum age, one thread renews the snapshot while others use the old one.
_FRESH = 0.6
# The most searches and pages that a snapshot caches, and the most products of a cached search.
_SEARCHES, _PAGES, _LONGEST = 256, 512, 20_000


@dataclass(frozen=True)
class Snapshot:
    """The products on sale by label (`catalog.goods.indexing`), brands, categories, synonyms and more."""

    labels: Labels
    sold_out: BitMap
    brands: Mapping[int, Brand]
    categories: Mapping[int, Category]
    thesaurus: Thesaurus
    made_at: float
    # Cached counts and searches of this snapshot.
    counted: dict[Any, Any] = field(default_factory=dict, compare=False)
    searched: dict[str, Found] = field(default_factory=dict, compare=False)
    ranked: dict[Any, list[int]] = field(default_factory=dict, compare=False)

    @property
    def age(self) -> float:
        """Seconds since the snapshot was read."""
        return time.monotonic() - self.made_at

    @property
    def products(self) -> BitMap:
        """All products on sale."""
        return self.labelled("all")

    def labelled(self, label: str) -> BitMap:
        """Return the products with a label."""
        return self.labels.products.get(label, NOTHING)

    def found(self, word: str) -> Found:
        """Return the result of a search, cached with the snapshot."""
        found = self.searched.get(word)
        if found is None:
            found = find(word, self.thesaurus)
            # Long results are rare, and would use memory in proportion to the catalogue.
            if len(self.searched) < _SEARCHES and sum(map(len, found.tiers)) <= _LONGEST:
                self.searched[word] = found
        return found

    def page(self, key: Hashable, rank: Callable[[], list[int]]) -> list[int]:
        """Return a page of a search, cached with the snapshot."""
        ids = self.ranked.get(key)
        if ids is None:
            ids = rank()
            if len(self.ranked) < _PAGES:
                self.ranked[key] = ids
        return ids

    @cached_property
    def stock_types(self) -> dict[str, BitMap]:
        """The products of each stock type."""
        advance = self.labelled("advance")
        return {
            IN_STOCK: self.products - self.sold_out - advance,
            ADVANCE: advance - self.sold_out,
            SOLD_OUT: self.sold_out & self.products,
        }

    @cached_property
    def groups(self) -> dict[str, list[tuple[int, BitMap]]]:
        """Products of numbered labels by the label's name: `price`, `sold`, `brand`; lowest number first."""
        groups: dict[str, list[tuple[int, BitMap]]] = {}
        for label, ids in self.labels.products.items():
            name, _, number = label.partition(":")
            if number.isdigit():
                groups.setdefault(name, []).append((int(number), ids))
        for found in groups.values():
            found.sort(key=lambda pair: pair[0])
        return groups

    @cached_property
    def brand_ids(self) -> dict[str, set[int]]:
        """The ids of brands by name, in either language."""
        found: dict[str, set[int]] = {}
        for brand in self.brands.values():
            for name in (brand.name_en, brand.name_zh):
                found.setdefault(name, set()).add(brand.pk)
        return found


class _Joined(Aggregate):
    """Joins values into one text with commas; rows would take Python ten times as long."""

    function = "STRING_AGG"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="GROUP_CONCAT", **context)


def all_ids(products: QuerySet[Product]) -> BitMap:
    """Return the ids of any number of products; one query."""
    joined = products.order_by().aggregate(ids=_Joined(Cast("pk", TextField()), Value(",")))["ids"]
    return BitMap(json.loads(f"[{joined or ''}]"))


_shared: SharedSnapshot[Snapshot] = SharedSnapshot()


def snapshot() -> Snapshot:
    """Return the snapshot, at most `SNAPSHOT_SECONDS` old; six queries if it is renewed."""
    return _shared.get(
        _read,
        is_fresh=lambda found: found.age < settings.SNAPSHOT_SECONDS * _FRESH,
        is_usable=lambda found: found.age < settings.SNAPSHOT_SECONDS,
    )


def invalidate() -> None:
    """Make the next call renew the snapshot."""
    _shared.invalidate()


def _read(before: Snapshot | None) -> Snapshot:
    made_at = time.monotonic()
    categories = Category.objects.in_bulk()
    for category in categories.values():
        if category.parent_id:
            category.parent = categories[category.parent_id]
    return Snapshot(
        labels=all_labels(before.labels if before else None),
        sold_out=all_ids(sellable_products().filter(sold_out=True)),
        brands=Brand.objects.in_bulk(),
        categories=categories,
        thesaurus=read_thesaurus(),
        made_at=made_at,
    )
