"""Limits how many threads wait for gateways, so that a hanging gateway cannot stop the shop.

See docs/guarantees/operation.md#slow-gateways.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.conf import settings
from pybreaker import CircuitBreakerError

from commerce.payments.providers.base import AnsweredError, BadNoticeError, UnavailableError
from core.gateways import gateway

# Long enough for one quick answer to free a slot.
SLOT_TIMEOUT_SECONDS = 0.25

_slots = BoundedSemaphore(settings.GATEWAY_SLOTS)


@contextmanager
def gateway_slot(name: str) -> Iterator[None]:
    """Occupy one of this process's slots for a call to a provider.

    `name`: of the circuit breaker, for the provider or a part of its calls. Raises UnavailableError if no
    slot is free, or while the breaker is open after failures. A refusal does not count as a failure.
    """
    if not _slots.acquire(timeout=SLOT_TIMEOUT_SECONDS):
        raise UnavailableError("every slot is taken")
    try:
        with gateway(f"payments by {name}", (AnsweredError, BadNoticeError)).breaker.calling():
            yield
    except CircuitBreakerError:
        raise UnavailableError("it failed too often") from None
    finally:
        _slots.release()
