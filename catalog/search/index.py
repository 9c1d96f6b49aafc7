"""The index: who writes it, and how its bitmaps are read."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import connection, transaction
from pyroaring import BitMap

from catalog.search.models import Posting, Word
from catalog.search.terms import Entry, terms_of
from core.prepared import prepared_cursor

Place = tuple[int, str]
# For each chunk and term the ids to add and those to take away.
Changes = dict[Place, tuple[BitMap, BitMap]]
NOTHING = BitMap()
CHUNK_BITS = 16
# Rows for each statement.
BATCH = 400
# After every other character, so `term < prefix + LAST` ends a range.
LAST = "\U0010ffff"


@transaction.atomic
def write(entries: Iterable[Entry], old: Iterable[Entry] = ()) -> None:
    """Put entries into the index, in place of what it holds of them, in the caller's transaction.

    `old` is what was written of these ids before, so that only the difference is touched.
    *Locks* the postings that change, in the order of their keys.
    """
    comes = _places(entries)
    goes = _places(old)
    changes: Changes = {}
    for place in comes.keys() | goes.keys():
        come, go = comes.get(place, BitMap()), goes.get(place, BitMap())
        if come != go:
            changes[place] = (come - go, go - come)
    apply(changes)


def remove(old: Iterable[Entry]) -> None:
    """Take entries out of the index; `old` is what was written of them."""
    write((), old)


def relabel(ids: Iterable[int], gone: str, come: str) -> None:
    """Move goods from one label to another, such as from `sold:3` to `sold:4`."""
    changes: Changes = {}
    for chunk, moved in _by_chunk(ids).items():
        changes[chunk, f"gl{gone}"] = (BitMap(), moved)
        changes[chunk, f"gl{come}"] = (moved, BitMap())
    with transaction.atomic():
        apply(changes)


def difference(kind: str, ids: range, entries: Iterable[Entry]) -> Changes:
    """Return what the index lacks and what it has too much of the things of a kind with these ids.

    `entries`: all those it should hold. The ids must be of one chunk.
    """
    wanted = _places(entries)
    here = BitMap(ids)
    held = {
        (chunk, term): BitMap.deserialize(bytes(found)) & here
        for chunk, term, found in Posting.objects.filter(
            chunk=ids.start >> CHUNK_BITS, term__gte=kind, term__lt=kind + LAST
        ).values_list("chunk", "term", "ids")
    }
    changes: Changes = {}
    for place in wanted.keys() | held.keys():
        want, have = wanted.get(place, NOTHING), held.get(place, NOTHING)
        if want != have:
            changes[place] = (want - have, have - want)
    return changes


def apply(changes: Changes) -> None:
    """Add to each posting the first ids and take the others away, in the caller's transaction.

    *Locks* the postings in the order of their keys, then those it makes.
    """
    _learn_words(changes)
    missing = [place for chunk, terms in _parts(sorted(changes)) for place in _change(chunk, terms, changes)]
    nothing = BitMap().serialize()
    for chunk, terms in _parts(missing):
        # Another transaction may make them at the same time: whose row it is matters to neither.
        Posting.objects.bulk_create(
            (Posting(term=term, chunk=chunk, ids=nothing) for term in terms), ignore_conflicts=True
        )
        _change(chunk, terms, changes)


def labelled(label: str) -> BitMap:
    """Return the goods that carry a label; one query."""
    return bitmaps([f"gl{label}"]).get(f"gl{label}", BitMap())


class Labels(NamedTuple):
    """The goods of every label, and the versions of the postings they were read from, by key."""

    goods: dict[str, BitMap]
    versions: dict[int, int]


def all_labels(known: Labels | None = None) -> Labels:
    """Return the goods of every label; two queries, the second of which reads what `known` has not."""
    postings = Posting.objects.filter(term__gte="gl", term__lt="gl" + LAST)
    versions = dict(postings.values_list("pk", "version"))
    if known is None or known.versions.keys() - versions.keys():
        known = Labels({}, {})
    changed = [pk for pk, version in versions.items() if known.versions.get(pk) != version]
    if len(changed) <= BATCH:
        postings = postings.filter(pk__in=changed)
    goods = known.goods.copy()
    rows = postings.order_by("term", "chunk").values_list("term", "chunk", "ids").iterator(BATCH)
    # A label at a time and in small steps: a process keeps whatever memory it has ever needed.
    for term, found in groupby(rows if changed else (), key=itemgetter(0)):
        # Of a chunk only what is read now holds; others may be looking at the old set.
        ids = goods.get(term[2:], NOTHING).copy()
        for _term, chunk, part in found:
            ids.remove_range(chunk << CHUNK_BITS, (chunk + 1) << CHUNK_BITS)
            ids |= BitMap.deserialize(bytes(part))
        goods[term[2:]] = ids
    return Labels(goods, versions)


def labels(prefix: str) -> dict[str, BitMap]:
    """Return the goods of each label that begins so, such as `brand:`; one query."""
    return {term[2:]: ids for term, ids in begun_with(f"gl{prefix}").items()}


def bitmaps(terms: Iterable[str]) -> dict[str, BitMap]:
    """Return the ids of each term that has any; one query, or none without terms."""
    wanted = list(terms)
    if not wanted:
        return {}
    if connection.vendor == "postgresql":
        return _joined("term = ANY(%s)", [wanted])
    return _joined("term IN (SELECT value FROM json_each(%s))", [json.dumps(wanted)])


def begun_with(prefix: str, rows: int | None = None) -> dict[str, BitMap]:
    """Return the ids of each term that begins so, of at most so many postings; one query."""
    return _joined("term >= %s AND term < %s", [prefix, prefix + LAST], rows)


def _joined(condition: str, values: list[Any], rows: int | None = None) -> dict[str, BitMap]:
    # Written out: Django would need as long to write it as the database to answer, and searches ask often.
    query = f"SELECT term, ids FROM {Posting._meta.db_table} WHERE {condition}"  # noqa: S608  our own words
    if rows is not None:
        query += f" ORDER BY term, chunk LIMIT {rows:d}"
    parts: dict[str, list[BitMap]] = defaultdict(list)
    with prepared_cursor() as cursor:
        cursor.execute(query, values)
        for term, ids in cursor.fetchall():
            parts[term].append(BitMap.deserialize(bytes(ids)))
    joined = {term: found[0] if len(found) == 1 else BitMap.union(*found) for term, found in parts.items()}
    return {term: ids for term, ids in joined.items() if ids}


def _by_chunk(ids: Iterable[int]) -> dict[int, BitMap]:
    chunks: dict[int, BitMap] = defaultdict(BitMap)
    for pk in ids:
        chunks[pk >> CHUNK_BITS].add(pk)
    return chunks


def _places(entries: Iterable[Entry]) -> dict[Place, BitMap]:
    ids: dict[Place, list[int]] = defaultdict(list)
    for entry in entries:
        chunk = entry.id >> CHUNK_BITS
        for term in terms_of(entry):
            ids[chunk, term].append(entry.id)
    return {place: BitMap(found) for place, found in ids.items()}


def _learn_words(places: Iterable[Place]) -> None:
    """Keep each word that a name brings.

    What is there already is read first: that costs far less than to insert it once more.
    """
    words = sorted({term[2:] for _chunk, term in places if term[1] in "wru"})
    for start in range(0, len(words), BATCH):
        part = words[start : start + BATCH]
        there = set(Word.objects.filter(text__in=part).values_list("text", flat=True))
        Word.objects.bulk_create(
            (Word(text=text, initial=text[0], length=len(text)) for text in part if text not in there),
            ignore_conflicts=True,
        )


def _change(chunk: int, terms: Sequence[str], changes: Changes) -> list[Place]:
    """Change those postings that are there; returns the places of those that are still to be made."""
    held = _locked(chunk, terms)
    for term, (_pk, ids) in held.items():
        come, go = changes[chunk, term]
        ids |= come
        ids -= go
        ids.run_optimize()
    _save(held.values())
    return [(chunk, term) for term in terms if term not in held and changes[chunk, term][0]]


def _locked(chunk: int, terms: Sequence[str]) -> dict[str, tuple[int, BitMap]]:
    """Read postings with their keys, and let nobody else write them until the transaction ends."""
    rows = (
        Posting.objects.filter(chunk=chunk, term__in=terms)
        .select_for_update(no_key=True)
        .order_by("term")
        .values_list("term", "pk", "ids")
    )
    return {term: (pk, BitMap.deserialize(bytes(ids))) for term, pk, ids in rows}


def _save(held: Iterable[tuple[int, BitMap]]) -> None:
    """Write postings that are locked: PostgreSQL takes all at once, SQLite one statement prepared for all."""
    table = Posting._meta.db_table
    values = [(ids.serialize(), pk) for pk, ids in held]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"UPDATE {table} SET ids = new.ids, version = version + 1"  # noqa: S608  our own name
                f" FROM unnest(%s::bytea[], %s::bigint[]) AS new (ids, id) WHERE {table}.id = new.id",
                [[ids for ids, _pk in values], [pk for _ids, pk in values]],
            )
        else:
            cursor.executemany(
                f"UPDATE {table} SET ids = %s, version = version + 1 WHERE id = %s",  # noqa: S608
                values,
            )


def _parts(places: Iterable[Place]) -> Iterator[tuple[int, list[str]]]:
    """Cut places in the order of their keys into those of one chunk that one statement takes."""
    for chunk, group in groupby(places, key=itemgetter(0)):
        terms = [term for _chunk, term in group]
        yield from ((chunk, terms[start : start + BATCH]) for start in range(0, len(terms), BATCH))
