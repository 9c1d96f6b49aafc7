"""What a provider of payments is to the shop (ARCHITECTURE 4, "Payment")."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from django.http import HttpRequest

from commerce.payments.models import Payment


class UnavailableError(Exception):
    """Raised when a provider cannot be asked now; nothing is known, and asking again later is safe."""


class BadNoticeError(Exception):
    """Raised for a notice that is forged, too old or unreadable."""


@dataclass(frozen=True)
class Redirect:
    """The payment goes on at an address of the provider's."""

    url: str


@dataclass(frozen=True)
class Outcome:
    """What a provider's own books say of a payment; `amount` in units of `currency`."""

    state: Payment.State
    reference: str
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class Notice:
    """A hint that a payment's state may have changed; `event_id` tells repeats."""

    reference: str
    event_id: str
    body: Mapping[str, Any]


class Provider(Protocol):
    """Called outside transactions only; each call ends within seconds."""

    name: str

    def start(self, payment: Payment, site_url: str) -> Redirect:
        """Begin to collect a payment; repeated for the same reference it begins nothing new.

        `site_url`: the shop's own address, which notice and customer come back to.
        Raises UnavailableError.
        """

    def query(self, payment: Payment) -> Outcome:
        """Ask what has become of a payment. Raises UnavailableError."""

    def read_notice(self, request: HttpRequest) -> Notice:
        """Read which payment a notice is about. Raises BadNoticeError."""
