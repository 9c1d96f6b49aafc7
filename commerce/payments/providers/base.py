"""What a provider of payments is to the shop (docs/architecture.md#payment-providers)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol

from commerce.payments.models import Payment, Refund

# Raised by `read_notice`; counted by its reason.
from commerce.refused_notices.services import BadNoticeError as BadNoticeError
from commerce.refused_notices.services import Reason as Reason


class UnavailableError(Exception):
    """Raised when a provider cannot be asked now; nothing is known, and asking again later is safe."""


class AnsweredError(UnavailableError):
    """Raised where a provider has answered, but with a refusal or with nothing that can be used.

    The provider is available, so this does not count as an outage
    (docs/guarantees/operation.md#slow-gateways).
    """


class Device(StrEnum):
    """What a customer pays with: some providers have another page for each."""

    desktop = "desktop"
    phone = "phone"
    # The browser within the WeChat app.
    wechat = "wechat"


@dataclass(frozen=True)
class Started:
    """A payment that a provider has begun to collect: where the browser goes on, and its number there."""

    jump_url: str
    provider_ref: str = ""


@dataclass(frozen=True)
class Outcome:
    """The state of a payment in a provider's own records; `amount` in units of `currency` (ISO 4217).

    Of a paid one, `amount` is what was collected, whatever was asked for. A payment that can be completed no
    more is failed. `capture_ref`: what the provider calls the money itself, if a refund must name it.
    """

    state: Payment.State
    reference: str
    amount: Decimal
    currency: str
    capture_ref: str = ""


@dataclass(frozen=True)
class RefundOutcome:
    """The state of a refund in a provider's own records: sending, done or failed.

    `provider_ref`: its number there. `detail`: why it failed, for staff.
    """

    state: Refund.State
    provider_ref: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Notice:
    """A hint that a payment's state may have changed; a repeat has the same `event_id`.

    `reports_paid`: whether it reports the payment as paid. `dispute_ref`: the provider's name for the
    dispute, if it reports one there or at the customer's bank; else empty.
    """

    reference: str
    event_id: str
    body: Mapping[str, Any]
    reports_paid: bool
    dispute_ref: str = ""


@dataclass(frozen=True)
class Settled:
    """One movement of money on a provider's own list: what it collected, or gave back.

    `is_refund`: whether it gave it back. `reference`: the shop's of the payment or refund, empty where it
    names none. `provider_ref`: its number there. `amount`: above zero, in units of `currency`.
    """

    is_refund: bool
    reference: str
    provider_ref: str
    amount: Decimal
    currency: str
    at: datetime


@dataclass(frozen=True)
class SettledPage:
    """One page of a provider's list of a day."""

    rows: Sequence[Settled]
    is_last: bool


class Provider(Protocol):
    """Called outside transactions only; each call ends within seconds."""

    name: str

    def start(self, *, payment: Payment, site_url: str, device: Device) -> Started:
        """Begin to collect a payment; a repeat begins nothing new.

        `site_url`: the shop's own address, which notice and customer come back to.
        Raises UnavailableError.
        """

    def query(self, *, payment: Payment, may_collect: bool) -> Outcome | None:
        """Ask about a payment; None for one that it has no record of. Raises UnavailableError.

        `may_collect`: whether money that waits for nothing but the shop's word is collected now. False for
        what can take none any more.
        """

    def refund(self, *, refund: Refund) -> RefundOutcome:
        """Give money of a payment back; a repeat, by the refund's reference, gives nothing more.

        Raises UnavailableError where nothing is known of it: then it may be on its way all the same.
        """

    def query_refund(self, *, refund: Refund) -> RefundOutcome | None:
        """Ask about a refund; None for one that it has no record of. Raises UnavailableError."""

    def is_disputed(self, *, payment: Payment, dispute_ref: str) -> bool:
        """Ask whether a dispute that a notice reports is open.

        Raises BadNoticeError where it has no record of it for this payment, UnavailableError.
        """

    def settled(self, *, day: date, page: int) -> SettledPage:
        """Read a page, from 1, of what moved on a day of its own calendar, or of ours where it takes any.

        Days of two calendars may differ by some hours, never by a day. Raises UnavailableError.
        """

    def read_notice(self, *, headers: Mapping[str, str], body: bytes) -> Notice:
        """Check who sent a notice, and read what it is about and reports; raises BadNoticeError."""
