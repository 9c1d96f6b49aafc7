"""The index compared with the rows it was made from, part by part, and mended."""

from collections.abc import Iterator

from django.db import models, transaction
from django.db.models import Max, Min
from pyroaring import BitMap

from catalog.goods import indexing
from catalog.goods.models import Brand, Category, Product
from catalog.search import index
from catalog.search.models import Posting
from catalog.search.terms import BRAND, CATEGORY, GOODS, TOP

KINDS: dict[type[models.Model], str] = {Product: GOODS, Brand: BRAND, Category: CATEGORY + TOP}
# Ids looked at together: so many rows are held in memory, and kept from being changed for a second or two.
PART = 8192


def parts() -> list[tuple[type[models.Model], str, range]]:
    """Return all that is to be compared: a model, a kind of entry and the ids; six queries."""
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
                start = min(firsts) // PART * PART
                found += [(model, kind, range(at, at + PART)) for at in range(start, max(lasts) + 1, PART)]
    return found


def differences_in(model: type[models.Model], kind: str, ids: range, *, lock: bool = False) -> index.Changes:
    """Compare the index with the rows of these ids; returns what would make it agree.

    *Locks* the rows if asked to, which needs a transaction.
    """
    within = model._base_manager.filter(pk__gte=ids.start, pk__lt=ids.stop).values_list("pk", flat=True)
    found = indexing.entries(indexing.rows(model, within, lock=lock))
    return index.difference(kind, ids, (entry for entry in found if entry.kind == kind))


def mend(model: type[models.Model], kind: str, ids: range) -> int:
    """Make the index agree with the rows of these ids; returns how many postings were changed."""
    with transaction.atomic():
        changes = differences_in(model, kind, ids, lock=True)
        index.apply(changes)
    return len(changes)


def differences() -> Iterator[str]:
    """Name each term of the index that does not agree with goods, brands and categories (RELIABILITY 2)."""
    for model, kind, ids in parts():
        for (_chunk, term), (lacks, extra) in sorted(differences_in(model, kind, ids).items()):
            yield f"search index, term {term}: lacks {_some(lacks)}, holds {_some(extra)} too much"


def _some(ids: BitMap) -> str:
    first = ", ".join(map(str, ids[:3]))
    return f"{len(ids)} ({first})" if ids else "none"
