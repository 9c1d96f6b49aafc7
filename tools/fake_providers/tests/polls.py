"""Leads the shop of a test to the fake of a provider."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import LazySettings

from core.gateways import gateway
from tools.fake_providers.server import FakeProvider

# Longer than a busy machine takes.
PATIENCE_SECONDS = 60


@contextmanager
def asked_in_place(fake: FakeProvider, settings: LazySettings) -> Iterator[None]:
    """Let a fake answer in place of its provider; prints the conversation, which a failed test shows."""
    gateway.cache_clear()
    for name, value in fake.settings.items():
        setattr(settings, name, value)
    try:
        with fake.running():
            yield
    finally:
        print(f"{type(fake).__name__} and the shop:\n{fake.conversation}")
        gateway.cache_clear()
