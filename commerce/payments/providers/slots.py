"""Bounds how many threads wait for gateways, so that a hanging one cannot stop the shop (RELIABILITY 3.9)."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.conf import settings

from commerce.payments.providers.base import UnavailableError

# Seconds: long enough for one quick answer to make room.
PATIENCE = 0.25

_slots = BoundedSemaphore(settings.GATEWAY_SLOTS)


@contextmanager
def gateway_slot() -> Iterator[None]:
    """Hold one of this process's places for calling gateways; raises UnavailableError when it has none."""
    if not _slots.acquire(timeout=PATIENCE):
        raise UnavailableError("every slot is taken")
    try:
        yield
    finally:
        _slots.release()
