"""Limits how many threads wait for gateways, so that a hanging one cannot stop the shop.

See docs/guarantees.md#slow-gateways.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.conf import settings

from commerce.payments.providers.base import UnavailableError

# Long enough for one quick answer to free a slot.
SLOT_TIMEOUT_SECONDS = 0.25

_slots = BoundedSemaphore(settings.GATEWAY_SLOTS)


@contextmanager
def gateway_slot() -> Iterator[None]:
    """Occupy one of this process's slots for gateway calls; raises UnavailableError when none is free."""
    if not _slots.acquire(timeout=SLOT_TIMEOUT_SECONDS):
        raise UnavailableError("every slot is taken")
    try:
        yield
    finally:
        _slots.release()
