"""What every list needs to know of all goods: sets of ids, brands, categories; a few seconds old at most."""

import json
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db.models import Aggregate, QuerySet, TextField, Value
from django.db.models.functions import Cast
from pyroaring import BitMap

from catalog.goods.models import Brand, Category, Product
from catalog.search.finding import Found, find
from catalog.search.index import Labels, all_labels
from catalog.search.query import Synonyms, synonyms_of

NOTHING = BitMap()
# From this part of the greatest age on one thread reads anew, while the others go on with what is there.
_FRESH = 0.6
# Searches and pages of them that one snapshot remembers, and the most goods of one search.
_SEARCHES, _PAGES, _LONGEST = 256, 512, 20_000


@dataclass(frozen=True)
class Snapshot:
    """Goods on the shelves by label (`catalog.goods.indexing`), those sold out; what else lists look up."""

    labels: Labels
    sold_out: BitMap
    brands: Mapping[int, Brand]
    categories: Mapping[int, Category]
    synonyms: Synonyms
    made_at: float
    # What has been counted and searched on it: whoever asks the same again need not wait.
    counted: dict[Any, Any] = field(default_factory=dict, compare=False)
    searched: dict[str, Found] = field(default_factory=dict, compare=False)
    ranked: dict[Any, list[int]] = field(default_factory=dict, compare=False)

    @property
    def goods(self) -> BitMap:
        """All goods on the shelves."""
        return self.labelled("all")

    def labelled(self, label: str) -> BitMap:
        """Return the goods with a label."""
        return self.labels.goods.get(label, NOTHING)

    def found(self, word: str) -> Found:
        """Search, or return what the same search has found before."""
        found = self.searched.get(word)
        if found is None:
            found = find(word, self.synonyms)
            # Long results are rare, and would take the more memory the more goods there are.
            if len(self.searched) < _SEARCHES and sum(map(len, found.tiers)) <= _LONGEST:
                self.searched[word] = found
        return found

    def page(self, key: Hashable, rank: Callable[[], list[int]]) -> list[int]:
        """Rank a page of a search, or return what the same page has held before."""
        ids = self.ranked.get(key)
        if ids is None:
            ids = rank()
            if len(self.ranked) < _PAGES:
                self.ranked[key] = ids
        return ids

    @cached_property
    def groups(self) -> dict[str, list[tuple[int, BitMap]]]:
        """The goods of labels with a number, by the label's name: `price`, `sold`, `brand`; lowest first."""
        groups: dict[str, list[tuple[int, BitMap]]] = {}
        for label, ids in self.labels.goods.items():
            name, _, number = label.partition(":")
            if number.isdigit():
                groups.setdefault(name, []).append((int(number), ids))
        for found in groups.values():
            found.sort(key=lambda pair: pair[0])
        return groups

    @cached_property
    def brand_ids(self) -> dict[str, set[int]]:
        """The brands of each name, in either language."""
        found: dict[str, set[int]] = {}
        for brand in self.brands.values():
            for name in (brand.name_en, brand.name_zh):
                found.setdefault(name, set()).add(brand.pk)
        return found


class _Joined(Aggregate):
    """Values as one text with commas between: a row each would take Python ten times as long."""

    function = "STRING_AGG"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, function="GROUP_CONCAT", **context)


def all_ids(products: QuerySet[Product]) -> BitMap:
    """Return the ids of however many goods; one query."""
    joined = products.order_by().aggregate(ids=_Joined(Cast("pk", TextField()), Value(",")))["ids"]
    return BitMap(json.loads(f"[{joined or ''}]"))


_lock = threading.Lock()
_kept: Snapshot | None = None


def snapshot() -> Snapshot:
    """Return what is known of all goods, at most `SNAPSHOT_SECONDS` old; six queries when it is read anew.

    Only one thread of a process reads at a time.
    """
    kept = _kept
    if kept is not None:
        age = time.monotonic() - kept.made_at
        if age < settings.SNAPSHOT_SECONDS * _FRESH:
            return kept
        if age < settings.SNAPSHOT_SECONDS and not _lock.acquire(blocking=False):
            return kept
        if age < settings.SNAPSHOT_SECONDS:
            try:
                return _renewed()
            finally:
                _lock.release()
    with _lock:
        return _renewed()


def forget() -> None:
    """Read anew at the next call."""
    global _kept
    _kept = None


def _renewed() -> Snapshot:
    """Read anew, unless another thread has just done so while this one waited."""
    global _kept
    kept = _kept
    if kept is None or time.monotonic() - kept.made_at >= settings.SNAPSHOT_SECONDS * _FRESH:
        _kept = kept = _read(kept)
    return kept


def _read(before: Snapshot | None = None) -> Snapshot:
    made_at = time.monotonic()
    categories = Category.objects.in_bulk()
    for category in categories.values():
        if category.parent_id:
            category.parent = categories[category.parent_id]
    return Snapshot(
        labels=all_labels(before.labels if before else None),
        sold_out=all_ids(Product.objects.filter(on_sale=True, sold_out=True)),
        brands=Brand.objects.in_bulk(),
        categories=categories,
        synonyms=synonyms_of(),
        made_at=made_at,
    )
