"""Recipients of messages: a normalised e-mail address, or a mobile number such as +61412345678."""


def is_email(account: str) -> bool:
    """Return True if a normalised account is an e-mail address."""
    return "@" in account


def masked(account: str) -> str:
    """Mask an account, so that a log does not identify its owner."""
    name, at, domain = account.partition("@")
    return f"{name[:1]}***@{domain}" if at else f"{account[:3]}***{account[-2:]}"
