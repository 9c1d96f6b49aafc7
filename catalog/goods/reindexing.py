"""Compares the search index with products, brands and categories, and repairs it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from django.db import models, transaction
from django.db.models import Count, F
from django.db.models.functions import Left
from django.utils.translation import gettext_noop as _
from pyroaring import BitMap

from catalog.goods import indexing
from catalog.goods.models import Brand, Category, Product
from catalog.search import index
from catalog.search.models import Posting
from catalog.search.terms import BRAND, CATEGORY, PRODUCT, TOP, Entry
from core.audit import Difference
from core.batches import short_batches

KINDS: dict[type[models.Model], str] = {Product: PRODUCT, Brand: BRAND, Category: CATEGORY + TOP}
# The most rows in one comparison; a power of two, so that a chunk is split into whole batches.
MAX_ROWS = 8192


def parts() -> list[tuple[type[models.Model], str, range]]:
    """Return the batches to compare as (model, kind of entry, ids); one query, and one per model.

    A batch has at most MAX_ROWS rows, even if their ids are far apart.
    """
    held: defaultdict[str, list[int]] = defaultdict(list)
    for kind, chunk in Posting.objects.order_by().values_list(Left("term", 1), "chunk").distinct():
        held[kind].append(chunk)
    found = []
    for model, kinds in KINDS.items():
        chunk = F("pk").bitrightshift(index.CHUNK_BITS)
        rows = model._base_manager.order_by().annotate(chunk=chunk).values_list("chunk")
        counted = dict(rows.annotate(rows=Count("pk")))
        for kind in kinds:
            found += [(model, kind, ids) for ids in _batches({**dict.fromkeys(held[kind], 0), **counted})]
    return found


def _batches(rows_by_chunk: Mapping[int, int]) -> Iterator[range]:
    """Yield the range of ids of each batch: a part of one chunk, or several whole chunks."""
    first, count = None, 0
    for chunk, rows in sorted(rows_by_chunk.items()):
        start = chunk << index.CHUNK_BITS
        end = start + (1 << index.CHUNK_BITS)
        if first is not None and count + rows > MAX_ROWS:
            yield range(first, start)
            first = None
        if rows > MAX_ROWS:
            yield from (range(at, at + MAX_ROWS) for at in range(start, end, MAX_ROWS))
        elif first is None:
            first, count = start, rows
        else:
            count += rows
    if first is not None:
        yield range(first, end)


def differences_in(model: type[models.Model], kind: str, ids: range) -> index.Changes:
    """Compare the index with the rows of these ids; return the changes that would correct it."""
    return index.difference(kind, ids, _of_kind(kind, indexing.rows_within(model, ids)))


def repair(model: type[models.Model], kind: str, ids: range) -> int:
    """Correct the index for the rows of these ids in small transactions; return how many postings changed.

    Differences are found without a lock, and compared again with the rows locked.
    """
    differing = differences_in(model, kind, ids)
    terms_by_id: dict[int, set[str]] = defaultdict(set)
    for (_chunk, term), (lacks, extra) in differing.items():
        for pk in lacks | extra:
            terms_by_id[pk].add(term)
    changed: set[index.PostingKey] = set()
    for batch in short_batches(sorted(terms_by_id)):
        terms = set().union(*(terms_by_id[pk] for pk in batch))
        with transaction.atomic():
            entries = _of_kind(kind, indexing.rows(model, batch, lock=True))
            changes = index.difference(kind, batch, entries, terms)
            index.apply(changes)
        changed |= changes.keys()
    return len(changed)


def _of_kind(kind: str, rows: Iterable[indexing.Row]) -> Iterator[Entry]:
    return (entry for entry in indexing.entries(rows) if entry.kind == kind)


def differences() -> Iterator[Difference]:
    """Yield a difference for each term of the index that contradicts products, brands and categories.

    See docs/guarantees/README.md.
    """
    for model, kind, ids in parts():
        for (_chunk, term), (lacks, extra) in sorted(differences_in(model, kind, ids).items()):
            yield Difference(
                "search-index",
                f"search term {term}",
                _("lacks %(lacks)s, holds %(extra)s too much"),
                lacks=_some(lacks),
                extra=_some(extra),
            )


def _some(ids: BitMap) -> str:
    first = ", ".join(map(str, ids[:3]))
    return f"{len(ids)} ({first})" if ids else "0"
