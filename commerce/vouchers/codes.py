"""The stored form of a voucher code that shoppers or editors type."""


def stored_code(typed: str) -> str:
    """Return a typed code as vouchers store it: in capitals, without spaces at its ends."""
    return typed.strip().upper()
