"""Numbers in bands: what lists are cut into, so that no page needs more than one band in order."""


def band(number: int) -> int:
    """Return the band of a number from 0 on: a number below 16 has its own, above eight double the number."""
    shift = max(0, number.bit_length() - 4)
    return (shift << 3) + (number >> shift)


def first_of(band: int) -> int:
    """Return the lowest number of a band; the next band's lowest follows its highest."""
    shift = max(0, (band >> 3) - 1)
    return (band - (shift << 3)) << shift
