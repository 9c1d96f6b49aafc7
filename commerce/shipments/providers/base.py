"""What a provider of tracking does: it tells what carriers report of parcels."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from commerce.shipments.services.track import Event


class TrackedParcel(NamedTuple):
    """A parcel as a provider knows it: its code for the carrier, and the tracking number."""

    carrier_code: str
    tracking_no: str


class TrackingError(Exception):
    """Raised where a provider has no usable answer; it is asked again later."""


class TrackingProvider(Protocol):
    """A service that follows parcels. It is called outside transactions and its answers are not trusted."""

    def fetch(self, parcels: Sequence[TrackedParcel]) -> Mapping[TrackedParcel, Sequence[Event]]:
        """Ask about parcels, for a bounded time; returns the events of those that it knows, oldest first.

        Raises TrackingError where none could be asked.
        """
