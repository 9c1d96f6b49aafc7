"""Leads the shop of a test to the double of a provider."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import LazySettings

from commerce.payments.doubles.server import Double
from core.gateways import gateway


@contextmanager
def asked_in_place(double: Double, settings: LazySettings) -> Iterator[None]:
    """Let a double answer in place of its provider; prints the conversation, which a failed test shows."""
    gateway.cache_clear()
    for name, value in double.settings.items():
        setattr(settings, name, value)
    try:
        with double.running():
            yield
    finally:
        print(f"{type(double).__name__} and the shop:\n{double.conversation}")
        gateway.cache_clear()
