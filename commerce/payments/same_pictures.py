"""Finds pictures that look the same, by their hashes (`site/core/pictures/decoder.py`).

Two hashes that differ in fewer bits than they have bands have a band in common, so that an index of bands
finds them among any number of others.
"""

from hashlib import blake2b

BANDS = 8
# Re-encoded and resized ones differ in up to four bits, two receipts of one bank in seven or more.
MAX_DISTANCE = 5
# So that a band fits into a column of the database.
_VALUE_BYTES = 7


def bands_of(picture_hash: str) -> list[int]:
    """Return a number for each part of a hash at its place; none for a picture without a hash."""
    length = len(picture_hash) // BANDS
    parts = [f"{place}:{picture_hash[place * length :][:length]}" for place in range(BANDS) if length]
    return [int.from_bytes(blake2b(part.encode(), digest_size=_VALUE_BYTES).digest()) for part in parts]


def look_the_same(one: str, other: str) -> bool:
    """Tell whether two pictures look the same, by their hashes."""
    return (int(one, 16) ^ int(other, 16)).bit_count() <= MAX_DISTANCE
