"""The interface of payment providers (docs/architecture.md#payment-providers)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Protocol

from commerce.payments.models import Payment, Refund

# `read_notice` raises it, and refused notices are counted by its reason.
from commerce.refused_notices.services import BadNoticeError as BadNoticeError
from commerce.refused_notices.services import Reason as Reason


class UnavailableError(Exception):
    """Raised if a provider cannot be polled now; the outcome is unknown, and a retry is safe."""


class AnsweredError(UnavailableError):
    """Raised if a provider has answered with a refusal or an unusable answer.

    The provider is available, so this does not count as an outage
    (docs/guarantees/operation.md#slow-gateways).
    """


class Device(StrEnum):
    """The customer's kind of device: some providers have a different page for each."""

    desktop = "desktop"
    phone = "phone"
    # The browser within the WeChat app.
    wechat = "wechat"


@dataclass(frozen=True)
class Started:
    """A payment that a provider has started: the URL of its page, and the provider's number."""

    jump_url: str
    provider_ref: str = ""


@dataclass(frozen=True)
class Outcome:
    """The state of a payment in a provider's own records; `amount` in units of `currency` (ISO 4217).

    `amount` of a paid payment is what was collected, whatever was requested. A payment that cannot be
    completed any more has failed. `capture_ref`: the provider's id of the collected money, if refunds must
    refer to it.
    """

    state: Payment.State
    reference: str
    amount: Decimal
    currency: str
    capture_ref: str = ""


@dataclass(frozen=True)
class RefundOutcome:
    """The state of a refund in a provider's own records: sending, done or failed.

    `provider_ref`: the provider's number. `detail`: for staff, why it failed.
    """

    state: Refund.State
    provider_ref: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Notice:
    """A message that a payment's state may have changed; a repeat has the same `event_id`.

    `reference`: the shop's reference of the payment, empty if missing. `other_refs`: further references that
    it names, such as the shop's of a refund, or the provider's of an order, a capture or a refund.
    `reports_paid`: whether it reports the payment as paid. `dispute_ref`: the provider's id of the dispute
    that it reports, there or at the customer's bank; empty if there is none.
    """

    reference: str
    event_id: str
    body: Mapping[str, Any]
    reports_paid: bool
    dispute_ref: str = ""
    other_refs: Sequence[str] = ()


@dataclass(frozen=True)
class Settled:
    """One row of a provider's own list: money that it collected or refunded.

    `is_refund`: whether it was refunded. `reference`: the shop's reference of the payment or refund, empty if
    missing. `provider_ref`: the provider's number. `amount`: above zero, in units of `currency`.
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
    """A payment provider. Call it outside transactions only; each call ends within seconds."""

    name: str

    def start(self, *, payment: Payment, site_url: str, device: Device) -> Started:
        """Start a payment; a repeat starts nothing new.

        `site_url`: the shop's own URL, to which notices and customers return. Raises UnavailableError.
        """

    def query(self, *, payment: Payment, may_collect: bool) -> Outcome | None:
        """Poll a payment; return None if the provider has no record of it. Raises UnavailableError.

        `may_collect`: whether money that only awaits the shop's capture is captured now. False for a payment
        that cannot accept money any more.
        """

    def refund(self, *, refund: Refund) -> RefundOutcome:
        """Refund money of a payment; a repeat with the same reference refunds nothing more.

        Raises UnavailableError if the outcome is unknown: the refund may have been sent nevertheless.
        """

    def query_refund(self, *, refund: Refund) -> RefundOutcome | None:
        """Poll a refund; return None if the provider has no record of it. Raises UnavailableError."""

    def is_disputed(self, *, payment: Payment, dispute_ref: str) -> bool:
        """Poll a dispute that a notice reports; return True if it is open.

        Raises BadNoticeError if the provider has no record of it for this payment. Raises UnavailableError.
        """

    def settled(self, *, day: date, page: int) -> SettledPage:
        """Read a page, from 1, of a day's list, by the provider's calendar, or the shop's if it accepts that.

        The two calendars differ by some hours, never by a day. Raises UnavailableError.
        """

    def read_notice(self, *, headers: Mapping[str, str], body: bytes) -> Notice:
        """Verify the sender of a notice and read it; raises BadNoticeError."""
