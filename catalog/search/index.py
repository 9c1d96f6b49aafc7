"""Writes and reads the postings of the index."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db import connection, transaction
from pyroaring import BitMap

from catalog.search.models import Posting, Word
from catalog.search.terms import Entry, terms_of
from core.prepared import prepared_cursor

PostingKey = tuple[int, str]
# Per chunk and term: the ids to add and the ids to remove.
Changes = dict[PostingKey, tuple[BitMap, BitMap]]
NOTHING = BitMap()
CHUNK_BITS = 16
# Rows per statement; postings per writing statement, which has one parameter for all of them.
BATCH, POSTINGS = 400, 2000
# Sorts after every other character, so `term < prefix + LAST` ends a range.
LAST = "\U0010ffff"


@transaction.atomic
def write(entries: Iterable[Entry], old: Iterable[Entry] = ()) -> None:
    """Write entries into the index in place of their `old` ones, in the caller's transaction.

    `old`: the entries that the index contains for these ids; only the difference is written.
    Locks the changed postings in key order.
    """
    new_postings = _postings_of(entries)
    old_postings = _postings_of(old)
    # Keys on one side only need no comparison; if products are created, these are all keys.
    changes: Changes = {
        key: (added, NOTHING) for key, added in new_postings.items() if key not in old_postings
    }
    for key, removed in old_postings.items():
        added = new_postings.get(key, NOTHING)
        if added != removed:
            changes[key] = (added - removed, removed - added)
    apply(changes)


def remove(old: Iterable[Entry]) -> None:
    """Remove entries from the index; `old`: the entries as they were written."""
    write((), old)


def difference(
    kind: str, ids: Collection[int], entries: Iterable[Entry], terms: Collection[str] | None = None
) -> Changes:
    """Return the changes that the index needs to contain exactly these entries of a kind for these ids.

    `entries`: everything that the index should contain. `terms`: the only terms to compare, in addition to
    the entries' terms.
    """
    wanted = _postings_of(entries)
    here = BitMap(ids)
    chunks = here.min() >> CHUNK_BITS, here.max() >> CHUNK_BITS
    postings = Posting.objects.filter(chunk__range=chunks)
    if terms is None:
        parts = [postings.filter(term__gte=kind, term__lt=kind + LAST)]
    else:
        compared = sorted({*terms, *(term for _chunk, term in wanted)})
        parts = [
            postings.filter(term__in=compared[start : start + BATCH])
            for start in range(0, len(compared), BATCH)
        ]
    stored = {
        (chunk, term): BitMap.deserialize(bytes(found)) & here
        for part in parts
        for chunk, term, found in part.values_list("chunk", "term", "ids")
    }
    changes: Changes = {}
    for key in wanted.keys() | stored.keys():
        want, have = wanted.get(key, NOTHING), stored.get(key, NOTHING)
        if want != have:
            changes[key] = (want - have, have - want)
    return changes


def apply(changes: Changes) -> None:
    """Add and remove the ids of each posting, in the caller's transaction.

    Locks the existing postings in key order, then those that it creates.
    """
    missing = [
        key for chunk, terms in _batches(sorted(changes)) for key in _update_postings(chunk, terms, changes)
    ]
    # An existing posting means that its word was stored with it.
    _add_words(missing)
    nothing = BitMap().serialize()
    for chunk, terms in _batches(missing):
        # Another transaction may create the same rows concurrently.
        Posting.objects.bulk_create(
            (Posting(term=term, chunk=chunk, ids=nothing) for term in terms), ignore_conflicts=True
        )
        _update_postings(chunk, terms, changes)


def labelled(label: str) -> BitMap:
    """Return the products with a label; one query."""
    return bitmaps([f"gl{label}"]).get(f"gl{label}", BitMap())


class Labels(NamedTuple):
    """The products of every label, and the version of each posting by its primary key."""

    products: dict[str, BitMap]
    versions: dict[int, int]


def all_labels(known: Labels | None = None) -> Labels:
    """Return the products of every label; two queries, of which the second reads only what `known` lacks."""
    postings = Posting.objects.filter(term__gte="gl", term__lt="gl" + LAST)
    versions = dict(postings.values_list("pk", "version"))
    if known is None or known.versions.keys() - versions.keys():
        known = Labels({}, {})
    changed = [pk for pk, version in versions.items() if known.versions.get(pk) != version]
    if len(changed) <= BATCH:
        postings = postings.filter(pk__in=changed)
    products = known.products.copy()
    rows = postings.order_by("term", "chunk").values_list("term", "chunk", "ids").iterator(BATCH)
    # One label at a time, because a process never returns the memory of its largest step.
    for term, found in groupby(rows if changed else (), key=itemgetter(0)):
        # Replace the chunk in a copy, because other threads may be reading the old set.
        ids = products.get(term[2:], NOTHING).copy()
        for _term, chunk, part in found:
            ids.remove_range(chunk << CHUNK_BITS, (chunk + 1) << CHUNK_BITS)
            ids |= BitMap.deserialize(bytes(part))
        products[term[2:]] = ids
    return Labels(products, versions)


def labels(prefix: str) -> dict[str, BitMap]:
    """Return label → products for labels with a prefix, such as `brand:`; one query."""
    return {term[2:]: ids for term, ids in with_prefix(f"gl{prefix}").items()}


def bitmaps(terms: Iterable[str]) -> dict[str, BitMap]:
    """Return term → ids for terms that have ids; one query, or none without terms."""
    wanted = list(terms)
    if not wanted:
        return {}
    condition, value = _any_of("term", wanted)
    return _read_bitmaps(condition, [value])


def with_prefix(prefix: str, rows: int | None = None) -> dict[str, BitMap]:
    """Return term → ids for terms with a prefix, from at most `rows` postings; one query."""
    return _read_bitmaps("term >= %s AND term < %s", [prefix, prefix + LAST], rows)


def _any_of(column: str, texts: Sequence[str]) -> tuple[str, Any]:
    """Return the SQL condition that a column is one of the texts, and its only parameter.

    With one parameter per text, binding many texts would take longer than the query.
    """
    if connection.vendor == "postgresql":
        return f"{column} = ANY(%s)", list(texts)
    return f"{column} IN (SELECT value FROM json_each(%s))", json.dumps(texts)  # noqa: S608  built from constants


def _read_bitmaps(condition: str, values: list[Any], rows: int | None = None) -> dict[str, BitMap]:
    # Plain SQL, because Django takes as long to build the query as the database to execute it.
    query = f"SELECT term, ids FROM {Posting._meta.db_table} WHERE {condition}"  # noqa: S608  built from constants
    if rows is not None:
        query += f" ORDER BY term, chunk LIMIT {rows:d}"
    parts: dict[str, list[BitMap]] = defaultdict(list)
    with prepared_cursor() as cursor:
        cursor.execute(query, values)
        for term, ids in cursor.fetchall():
            parts[term].append(BitMap.deserialize(bytes(ids)))
    joined = {term: found[0] if len(found) == 1 else BitMap.union(*found) for term, found in parts.items()}
    return {term: ids for term, ids in joined.items() if ids}


def _postings_of(entries: Iterable[Entry]) -> dict[PostingKey, BitMap]:
    # Grouped by chunk and kind first, because a key per term and entry would take longer.
    ids: dict[tuple[int, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        ids_by_term = ids[entry.id >> CHUNK_BITS, entry.kind]
        for term in terms_of(entry):
            ids_by_term[term].append(entry.id)
    return {
        (chunk, kind + term): BitMap(found)
        for (chunk, kind), ids_by_term in ids.items()
        for term, found in ids_by_term.items()
    }


def _add_words(keys: Iterable[PostingKey]) -> None:
    """Store the words of names that are new.

    Existing words are read first, because inserting them again costs much more.
    """
    words = sorted({term[2:] for _chunk, term in keys if term[1] in "wru"})
    if not words:
        return
    condition, value = _any_of("text", words)
    with prepared_cursor() as cursor:
        cursor.execute(f"SELECT text FROM {Word._meta.db_table} WHERE {condition}", [value])  # noqa: S608
        known = {text for (text,) in cursor.fetchall()}
    new = (Word(text=text, initial=text[0], length=len(text)) for text in words if text not in known)
    Word.objects.bulk_create(new, BATCH, ignore_conflicts=True)


def _update_postings(chunk: int, terms: Sequence[str], changes: Changes) -> list[PostingKey]:
    """Update the existing postings; return the keys of the postings to create."""
    stored = _lock_postings(chunk, terms)
    for term, (_pk, ids) in stored.items():
        added, removed = changes[chunk, term]
        ids |= added
        ids -= removed
        ids.run_optimize()
    _save(stored.values())
    return [(chunk, term) for term in terms if term not in stored and changes[chunk, term][0]]


def _lock_postings(chunk: int, terms: Sequence[str]) -> dict[str, tuple[int, BitMap]]:
    """Return the postings of terms in a chunk, locked until the transaction ends."""
    condition, value = _any_of("term", terms)
    query = (
        f"SELECT term, id, ids FROM {Posting._meta.db_table} WHERE chunk = %s AND {condition} ORDER BY term"  # noqa: S608
    )
    if connection.vendor == "postgresql":
        query += " FOR NO KEY UPDATE"
    with prepared_cursor() as cursor:
        cursor.execute(query, [chunk, value])
        return {term: (pk, BitMap.deserialize(bytes(ids))) for term, pk, ids in cursor.fetchall()}


def _save(stored: Iterable[tuple[int, BitMap]]) -> None:
    """Save locked postings: in one statement on PostgreSQL, in one prepared statement on SQLite."""
    table = Posting._meta.db_table
    values = [(ids.serialize(), pk) for pk, ids in stored]
    with prepared_cursor() as cursor:
        if connection.vendor == "postgresql":
            # Binary parameters, because as text the bitmaps would be twice as long.
            cursor.execute(
                f"UPDATE {table} SET ids = new.ids, version = version + 1"  # noqa: S608  the model's table
                f" FROM unnest(%b::bytea[], %b::bigint[]) AS new (ids, id) WHERE {table}.id = new.id",
                [[ids for ids, _pk in values], [pk for _ids, pk in values]],
            )
        else:
            cursor.executemany(
                f"UPDATE {table} SET ids = %s, version = version + 1 WHERE id = %s",  # noqa: S608
                values,
            )


def _batches(keys: Iterable[PostingKey]) -> Iterator[tuple[int, list[str]]]:
    """Split sorted keys into batches of one chunk, one for each statement."""
    for chunk, group in groupby(keys, key=itemgetter(0)):
        terms = [term for _chunk, term in group]
        yield from ((chunk, terms[start : start + POSTINGS]) for start in range(0, len(terms), POSTINGS))
