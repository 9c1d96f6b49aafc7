"""Counts wrong voucher codes, so that customers cannot find a code by trying."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from commerce.accounts.models import Customer
from commerce.rate_limits.services import RateLimit, consume, refund
from core.errors import Err, ShopError

GUESSES = RateLimit("voucher", maximum=30, window=timedelta(hours=1))


@contextmanager
def counting_wrong_codes(customer: Customer | None, voucher_code: str) -> Iterator[None]:
    """Count an attempt of a voucher code; undo the count unless the block raises voucher_unknown.

    Call it outside any transaction. Nothing is counted without a code or without a customer.
    Raises ShopError(too_frequent) after thirty wrong codes of a customer within an hour.
    """
    if not voucher_code or customer is None:
        yield
        return
    attempt = (GUESSES, str(customer.pk))
    consume(attempt)
    try:
        yield
    except ShopError as error:
        if error.err is not Err.voucher_unknown:
            refund(attempt)
        raise
    refund(attempt)
