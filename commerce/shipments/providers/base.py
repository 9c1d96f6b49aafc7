"""The interface of a tracking provider: carriers' events of parcels, by polls or notices."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from commerce.shipments.services.track import Event


class TrackedParcel(NamedTuple):
    """A parcel as a provider knows it: its code for the carrier, and the tracking number."""

    carrier_code: str
    tracking_no: str


class Notice(NamedTuple):
    """A provider's notice about a parcel: its events so far, oldest first."""

    parcel: TrackedParcel
    events: Sequence[Event]


class TrackingError(Exception):
    """Raised where a provider has no usable answer; it is asked again later."""


class TrackingProvider(Protocol):
    """A service that follows parcels. It is called outside transactions and its answers are not trusted."""

    name: str

    def register(self, parcels: Sequence[TrackedParcel]) -> Collection[TrackedParcel]:
        """Ask for notices of parcels, for a bounded time; returns those that it promises, now or before.

        None where the shop has no way to verify notices. Raises TrackingError where none could be registered.
        """

    def fetch(self, parcels: Sequence[TrackedParcel]) -> Mapping[TrackedParcel, Sequence[Event]]:
        """Ask about parcels, for a bounded time; returns the events of those that it knows, oldest first.

        Raises TrackingError where none could be asked.
        """

    def parse_webhook(self, body: bytes) -> Notice:
        """Verify and read a notice; raises BadNoticeError."""
