"""Tracking by Kuaidi100 快递100: one question for each parcel, signed with the shop's key."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import md5, sha256
from typing import Any
from zoneinfo import ZoneInfo

import httpx
from django.conf import settings
from pybreaker import CircuitBreakerError

from commerce.shipments.models import ParcelState
from commerce.shipments.providers.base import TrackedParcel, TrackingError
from commerce.shipments.services.track import Event, event_of
from core.gateways import gateway

TIMEOUT = httpx.Timeout(6.0, connect=2.0)
# The limit of seconds for a whole answer.
MAX_SECONDS = 8
MAX_BYTES = 256 * 1024
MAX_EVENTS = 200
_ZONE = ZoneInfo("Asia/Shanghai")
_STATES = {
    "0": ParcelState.in_transit,
    "1": ParcelState.in_transit,
    "2": ParcelState.exception,
    "3": ParcelState.delivered,
    "4": ParcelState.returned,
    "5": ParcelState.out_for_delivery,
    # On its way back, which is no end yet.
    "6": ParcelState.exception,
}


def sign(param: str, *, key: str, customer: str) -> str:
    """Return the signature of a question."""
    # Their protocol has MD5; the key is what keeps others out.
    return md5(f"{param}{key}{customer}".encode(), usedforsecurity=False).hexdigest().upper()


class Kuaidi100:
    """The provider, with the key of the settings."""

    def fetch(self, parcels: Sequence[TrackedParcel]) -> Mapping[TrackedParcel, Sequence[Event]]:
        """Ask about parcels one by one; those without an answer are left out. Raises TrackingError."""
        found: dict[TrackedParcel, Sequence[Event]] = {}
        failure: TrackingError | None = None
        for parcel in parcels:
            try:
                found[parcel] = _events(_ask(parcel))
            except TrackingError as error:
                failure = error
        if failure and not found:
            raise failure
        return found


def _ask(parcel: TrackedParcel) -> bytes:
    try:
        return gateway("kuaidi100").call(partial(_post, parcel), seconds=MAX_SECONDS)
    except (TimeoutError, CircuitBreakerError) as error:
        raise TrackingError(str(error) or "the answer takes too long") from error


def _post(parcel: TrackedParcel) -> bytes:
    param = json.dumps(
        {"com": parcel.carrier_code, "num": parcel.tracking_no}, separators=(",", ":"), ensure_ascii=False
    )
    customer = settings.KUAIDI_CUSTOMER
    form = {
        "customer": customer,
        "param": param,
        "sign": sign(param, key=settings.KUAIDI_KEY, customer=customer),
    }
    body = bytearray()
    try:
        with (
            # A compressed answer could unpack to any size.
            httpx.Client(
                timeout=TIMEOUT, follow_redirects=False, headers={"Accept-Encoding": "identity"}
            ) as client,
            client.stream("POST", settings.KUAIDI_URL, data=form) as response,
        ):
            if response.status_code != httpx.codes.OK:
                raise TrackingError(f"status {response.status_code}")
            for chunk in response.iter_raw():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise TrackingError("the answer is too large")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise TrackingError(str(error) or type(error).__name__) from error
    return bytes(body)


def _events(body: bytes) -> list[Event]:
    """Read an answer; raises TrackingError for one without news of a parcel."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise TrackingError("it is no JSON") from error
    if not isinstance(answer, dict) or answer.get("status") != "200":
        raise TrackingError(f"refused: {str(answer)[:200]}")
    rows = _rows(answer.get("data"))
    # The newest is first; what the parcel is now is known of that one alone.
    read = [_event(row, answer.get("state") if row is rows[0] else "0") for row in rows]
    return read[::-1]


def _rows(rows: Any) -> list[dict[str, Any]]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TrackingError("it has no list of events")
    return rows[:MAX_EVENTS]


def _event(row: Mapping[str, Any], state: Any) -> Event:
    text, time = str(row.get("context", "")).replace("\0", ""), str(row.get("time", ""))
    try:
        moment = datetime.strptime(time, "%Y-%m-%d %H:%M:%S").replace(tzinfo=_ZONE).astimezone(UTC)
        known = _STATES.get(str(state), ParcelState.in_transit)
        text.encode()
    except (ValueError, OverflowError) as error:
        raise TrackingError("an event cannot be read") from error
    event = event_of(moment, known, text, "")
    return Event(event.time, event.state, event.text_zh, event.text_en, sha256(text.encode()).hexdigest())
