"""Divides numbers into bands, by which lists are cut so that no page sorts more than one band."""


def band(number: int) -> int:
    """Return the band of a number from 0 on: below 16 one each, above that eight bands for each doubling."""
    shift = max(0, number.bit_length() - 4)
    return (shift << 3) + (number >> shift)


def first_of(band: int) -> int:
    """Return the lowest number of a band."""
    shift = max(0, (band >> 3) - 1)
    return (band - (shift << 3)) << shift
