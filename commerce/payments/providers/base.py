"""What a provider of payments is to the shop (docs/architecture.md#payment-providers)."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from commerce.payments.models import Payment


class UnavailableError(Exception):
    """Raised when a provider cannot be asked now; nothing is known, and asking again later is safe."""


class BadNoticeError(Exception):
    """Raised for a notice that is forged, too old or unreadable."""


@dataclass(frozen=True)
class Outcome:
    """What a provider's own records say of a payment; `amount` in units of `currency` (ISO 4217).

    Of a paid one, `amount` is what was collected, whatever was asked for. A payment that can be completed no
    more is failed.
    """

    state: Payment.State
    reference: str
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class Notice:
    """A hint that a payment's state may have changed; a repeat has the same `event_id`.

    `reports_paid`: whether it says that the payment was paid.
    """

    reference: str
    event_id: str
    body: Mapping[str, Any]
    reports_paid: bool


class Provider(Protocol):
    """Called outside transactions only; each call ends within seconds."""

    name: str

    def start(self, *, payment: Payment, site_url: str) -> str:
        """Begin to collect a payment and return where the browser goes on; a repeat begins nothing new.

        `site_url`: the shop's own address, which notice and customer come back to.
        Raises UnavailableError.
        """

    def query(self, *, payment: Payment) -> Outcome | None:
        """Ask about a payment; None for one that it has no record of. Raises UnavailableError."""

    def read_notice(self, *, headers: Mapping[str, str], body: bytes) -> Notice:
        """Check who sent a notice, and read what it is about and reports; raises BadNoticeError."""
