"""Finds pictures that look the same, by their hashes (`site/core/pictures/decoder.py`).

Two hashes that differ in fewer bits than a hash has bands have a band in common. So an index of bands finds
similar pictures among any number of others.
"""

from hashlib import blake2b

BANDS = 8
# Re-encoded and resized copies differ in up to four bits, two receipts of one bank in seven or more.
MAX_DISTANCE = 5
# The minimum of set bits and of unset bits. A plain picture has almost only one kind, so all plain pictures
# would look the same; a receipt with three lines of text has more.
MIN_DETAIL = 12
# A band must fit into a database column.
_VALUE_BYTES = 7


def bands_of(picture_hash: str) -> list[int]:
    """Return a number for each part of a hash and its place; empty without a hash or without detail."""
    if not _has_detail(picture_hash):
        return []
    length = len(picture_hash) // BANDS
    parts = [f"{place}:{picture_hash[place * length :][:length]}" for place in range(BANDS)]
    return [int.from_bytes(blake2b(part.encode(), digest_size=_VALUE_BYTES).digest()) for part in parts]


def look_the_same(one: str, other: str) -> bool:
    """Return True if two pictures look the same, by their hashes; plain pictures never do."""
    return _has_detail(one) and _has_detail(other) and _distance(one, other) <= MAX_DISTANCE


def _has_detail(picture_hash: str) -> bool:
    """Return True if a picture has enough detail to be recognised by its hash."""
    ones = int(picture_hash or "0", 16).bit_count()
    return MIN_DETAIL <= ones <= 4 * len(picture_hash) - MIN_DETAIL


def _distance(one: str, other: str) -> int:
    return (int(one, 16) ^ int(other, 16)).bit_count()
