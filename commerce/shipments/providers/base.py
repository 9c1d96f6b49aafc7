"""The interface of a tracking provider: carriers' events of parcels, by polls or notices."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from commerce.shipments.services.track import Event


class TrackedParcel(NamedTuple):
    """A parcel as a provider knows it: its code for the carrier, and the tracking number.

    `phone`: of recipient or sender, as entered; a provider sends it only for carriers that require it.
    """

    carrier_code: str
    tracking_no: str
    phone: str = ""


class Notice(NamedTuple):
    """A provider's notice about a parcel: its events so far, oldest first.

    `other_codes`: further codes of its carrier, if the provider has corrected the one that the shop sent.
    `state`: the provider's own code of the state, for staff.
    """

    parcel: TrackedParcel
    events: Sequence[Event]
    other_codes: Sequence[str] = ()
    state: str = ""


class TrackingError(Exception):
    """Raised if a provider gives no usable answer; the next poll tries again."""


class TrackingProvider(Protocol):
    """A service that tracks parcels. Call it outside transactions; its answers are not trusted."""

    name: str

    def register(self, parcels: Sequence[TrackedParcel]) -> Collection[TrackedParcel]:
        """Register parcels for notices, within a bounded time; return those registered now or before.

        Returns no parcels if the shop cannot verify notices. Raises TrackingError if none could be
        registered.
        """

    def fetch(self, parcels: Sequence[TrackedParcel]) -> Mapping[TrackedParcel, Sequence[Event]]:
        """Poll parcels, within a bounded time; return the events of each answered parcel, oldest first.

        Raises TrackingError if no parcel could be polled.
        """

    def parse_webhook(self, body: bytes) -> Notice:
        """Verify and read a notice; raises BadNoticeError."""
