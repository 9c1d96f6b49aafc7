"""How shoppers and editors may type the code of a voucher."""

import unicodedata


def stored_code(typed: str) -> str:
    """Return a typed code as vouchers store it: in capital letters, without blanks at its ends.

    A Chinese keyboard may write letters and digits in full width; they count as the ordinary ones.
    """
    return unicodedata.normalize("NFKC", typed).strip().upper()
