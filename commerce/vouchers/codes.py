"""The stored form of a voucher code that shoppers or editors type."""

import unicodedata


def stored_code(typed: str) -> str:
    """Return a typed code as vouchers store it: in capitals, without spaces at its ends.

    Full-width letters and digits of a Chinese keyboard become ordinary ones.
    """
    return unicodedata.normalize("NFKC", typed).strip().upper()
