"""Divides numbers into bands. Lists are read band by band, so that no page sorts more than one band."""


def band(number: int) -> int:
    """Return the band of a number from 0: one band per number below 16, then eight bands per doubling."""
    shift = max(0, number.bit_length() - 4)
    return (shift << 3) + (number >> shift)


def first_of(band: int) -> int:
    """Return the lowest number in a band."""
    shift = max(0, (band >> 3) - 1)
    return (band - (shift << 3)) << shift
