"""Compares the search index with the rows it was made from, and repairs it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.db import models, transaction
from django.db.models import Max, Min
from pyroaring import BitMap

from catalog.goods import indexing
from catalog.goods.models import Brand, Category, Product
from catalog.search import index
from catalog.search.models import Posting
from catalog.search.terms import BRAND, CATEGORY, PRODUCT, TOP, Entry
from core.audit import Difference
from core.batches import short_batches

KINDS: dict[type[models.Model], str] = {Product: PRODUCT, Brand: BRAND, Category: CATEGORY + TOP}
# Ids that are compared together.
BATCH_IDS = 8192


def parts() -> list[tuple[type[models.Model], str, range]]:
    """Return the batches to compare: a model, a kind of entry and the ids; six queries."""
    found = []
    for model, kinds in KINDS.items():
        rows = model._base_manager.aggregate(first=Min("pk"), last=Max("pk"))
        for kind in kinds:
            held = Posting.objects.filter(term__gte=kind, term__lt=kind + index.LAST).aggregate(
                first=Min("chunk"), last=Max("chunk")
            )
            firsts = [held["first"] << index.CHUNK_BITS] if held["first"] is not None else []
            lasts = [((held["last"] + 1) << index.CHUNK_BITS) - 1] if held["last"] is not None else []
            if rows["first"] is not None:
                firsts.append(rows["first"])
                lasts.append(rows["last"])
            if firsts:
                start = min(firsts) // BATCH_IDS * BATCH_IDS
                found += [
                    (model, kind, range(at, at + BATCH_IDS)) for at in range(start, max(lasts) + 1, BATCH_IDS)
                ]
    return found


def differences_in(model: type[models.Model], kind: str, ids: range) -> index.Changes:
    """Compare the index with the rows of these ids; returns the changes that would correct it."""
    within = model._base_manager.filter(pk__gte=ids.start, pk__lt=ids.stop).values_list("pk", flat=True)
    return index.difference(kind, ids, _entries(model, kind, within))


def mend(model: type[models.Model], kind: str, ids: range) -> int:
    """Correct the index for the rows of these ids, a few at a time; returns how many postings were changed.

    What differs is found without a lock, and compared again with the rows locked.
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
            entries = _entries(model, kind, batch, lock=True)
            changes = index.difference(kind, batch, entries, terms)
            index.apply(changes)
        changed |= changes.keys()
    return len(changed)


def _entries(
    model: type[models.Model], kind: str, ids: Iterable[int], *, lock: bool = False
) -> Iterator[Entry]:
    """Read the entries of a kind; *locks* their rows if asked to, which needs a transaction."""
    found = indexing.entries(indexing.rows(model, ids, lock=lock))
    return (entry for entry in found if entry.kind == kind)


def differences() -> Iterator[Difference]:
    """Name each term of the index that differs from products, brands and categories.

    See docs/guarantees.md.
    """
    for model, kind, ids in parts():
        for (_chunk, term), (lacks, extra) in sorted(differences_in(model, kind, ids).items()):
            found = f"lacks {_some(lacks)}, holds {_some(extra)} too much"
            yield Difference("search-index", f"search index, term {term}", found)


def _some(ids: BitMap) -> str:
    first = ", ".join(map(str, ids[:3]))
    return f"{len(ids)} ({first})" if ids else "none"
