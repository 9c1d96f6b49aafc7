"""Tracking by Kuaidi100 快递100: one request for each parcel, signed with the shop's key.

It signs notices with a salt that the shop sends when it registers a parcel.
"""

import json
import logging
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import md5, sha256
from typing import Any
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

import httpx
from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from pybreaker import CircuitBreakerError

from commerce.refused_notices.services import BadNoticeError, Reason
from commerce.shipments.models import ParcelState
from commerce.shipments.providers.base import Notice, TrackedParcel, TrackingError
from commerce.shipments.services.ship import read_tracking_no
from commerce.shipments.services.track import Event, event_of
from core.errors import ShopError
from core.gateways import gateway, open_http, read_body

log = logging.getLogger(__name__)

TIMEOUT = httpx.Timeout(6.0, connect=2.0)
# The maximum time for a whole answer.
MAX_SECONDS = 8
MAX_BYTES = 256 * 1024
MAX_EVENTS = 200
# The parcel is registered now, or was registered before.
_REGISTERED = frozenset({"200", "501"})
_CODE = re.compile(r"[0-9A-Za-z_-]{1,32}")
_ZONE = ZoneInfo("Asia/Shanghai")
# SF Express, SF Freight and ZTO answer only questions with the phone number of recipient or sender.
_NEEDS_PHONE = frozenset({"shunfeng", "shunfengkuaiyun", "zhongtong"})
# Kuaidi100's whole list, with the finer states of some accounts. Any other state needs attention by staff.
_STATES: dict[str, ParcelState] = {
    # Ordered, to be collected.
    **dict.fromkeys(("101", "102"), ParcelState.info_received),
    # On the way, collected, handed to another carrier; customs: old code, waiting, at work, done.
    **dict.fromkeys(("0", "1", "7", "8", "10", "11", "12"), ParcelState.in_transit),
    # Collected, in the recipient's city, on a trunk route, forwarded.
    **dict.fromkeys(("103", "1001", "1002", "1003"), ParcelState.in_transit),
    "5": ParcelState.out_for_delivery,
    # In a locker or at a pick-up point.
    "501": ParcelState.pickup_ready,
    # Signed for; by the recipient, after a problem, by someone else, at a locker.
    **dict.fromkeys(("3", "301", "302", "303", "304"), ParcelState.delivered),
    # A problem; stopped by customs.
    **dict.fromkeys(("2", "13"), ParcelState.exception),
    # Not signed for in time, no events, refused, delivery failed, not collected, recipient out of reach.
    **dict.fromkeys(("201", "202", "203", "204", "205", "206"), ParcelState.exception),
    # Outside the area, delayed, damaged, cancelled; number withdrawn.
    **dict.fromkeys(("207", "208", "209", "210", "401"), ParcelState.exception),
    # On its way back; refused by the recipient.
    **dict.fromkeys(("6", "14"), ParcelState.coming_back),
    "4": ParcelState.returned,
}


def sign(param: str, *, key: str, customer: str) -> str:
    """Return the signature of a request."""
    # Their protocol requires MD5; the secret key makes the signature safe.
    return md5(f"{param}{key}{customer}".encode(), usedforsecurity=False).hexdigest().upper()


def notice_sign(param: str, *, salt: str) -> str:
    """Return the signature of a notice."""
    return md5(f"{param}{salt}".encode(), usedforsecurity=False).hexdigest().upper()


class Kuaidi100:
    """The provider, with the key of the settings."""

    name = "kuaidi100"

    def register(self, parcels: Sequence[TrackedParcel]) -> Collection[TrackedParcel]:
        """Register parcels for notices one by one; none without a salt. Raises TrackingError."""
        registered: list[TrackedParcel] = []
        failure: TrackingError | None = None
        for parcel in parcels if settings.KUAIDI_SALT else ():
            try:
                _read_promise(_ask(settings.KUAIDI_REGISTER_URL, _registration(parcel)))
                registered.append(parcel)
            except TrackingError as error:
                failure = error
        if failure and not registered:
            raise failure
        return registered

    def fetch(self, parcels: Sequence[TrackedParcel]) -> Mapping[TrackedParcel, Sequence[Event]]:
        """Poll parcels one by one; parcels without an answer are left out. Raises TrackingError."""
        found: dict[TrackedParcel, Sequence[Event]] = {}
        failure: TrackingError | None = None
        for parcel in parcels:
            try:
                found[parcel] = _events(_json(_ask(settings.KUAIDI_URL, _question(parcel))))
            except TrackingError as error:
                failure = error
        if failure and not found:
            raise failure
        return found

    def parse_webhook(self, body: bytes) -> Notice:
        """Verify a notice's signature with the salt, and read the notice; raises BadNoticeError."""
        param = _verified(body)
        try:
            message = _json(param)
            return _reported(message)
        except (TrackingError, ShopError) as error:
            raise BadNoticeError(str(error), Reason.unreadable) from error


def _verified(body: bytes) -> str:
    """Return the content of a notice; raises BadNoticeError for an unreadable or wrongly signed one."""
    try:
        form = parse_qs(body.decode(), strict_parsing=True, errors="strict", max_num_fields=10)
        [given], [param] = form.get("sign", []), form.get("param", [])
    except ValueError as error:
        raise BadNoticeError("it is no form as theirs", Reason.unreadable) from error
    salt = settings.KUAIDI_SALT
    # With an empty salt every sender could sign.
    if not salt or not constant_time_compare(given.upper(), notice_sign(param, salt=salt)):
        raise BadNoticeError("the signature is wrong")
    return param


def _reported(message: Mapping[str, Any]) -> Notice:
    """Return the notice in a message; raises TrackingError or ShopError for unreadable data."""
    result = message.get("lastResult")
    if not isinstance(result, dict) or not _CODE.fullmatch(str(result.get("com"))):
        raise TrackingError("it names no carrier")
    parcel = TrackedParcel(str(result["com"]), read_tracking_no(str(result.get("nu"))))
    # Kuaidi100 may recognise another carrier than the one that was registered.
    codes = [str(message.get(name) or "") for name in ("comOld", "comNew")]
    others = [code for code in codes if _CODE.fullmatch(code) and code != parcel.carrier_code]
    # Kuaidi100 stops tracking a parcel that no carrier knows.
    events = [] if message.get("status") == "abort" else _events(result)
    return Notice(parcel, events, others, str(result.get("state", ""))[:20])


def _question(parcel: TrackedParcel) -> dict[str, str]:
    param = _text({"com": parcel.carrier_code, "num": parcel.tracking_no} | _phone_for(parcel))
    customer = settings.KUAIDI_CUSTOMER
    return {
        "customer": customer,
        "param": param,
        "sign": sign(param, key=settings.KUAIDI_KEY, customer=customer),
    }


def _registration(parcel: TrackedParcel) -> dict[str, str]:
    address = f"{settings.SITE_URL}{reverse('tracking_notice', args=[Kuaidi100.name])}"
    param = {
        "company": parcel.carrier_code,
        "number": parcel.tracking_no,
        "key": settings.KUAIDI_KEY,
        "parameters": {"callbackurl": address, "salt": settings.KUAIDI_SALT} | _phone_for(parcel),
    }
    return {"schema": "json", "param": _text(param)}


def _phone_for(parcel: TrackedParcel) -> dict[str, str]:
    """Return the phone number of a parcel whose carrier requires it, in the form of Chinese numbers."""
    if parcel.carrier_code not in _NEEDS_PHONE:
        return {}
    digits = re.sub(r"[^0-9]", "", parcel.phone)
    is_chinese = parcel.phone.strip().startswith(("+86", "0086"))
    phone = re.sub(r"^(00)?86", "", digits) if is_chinese else digits
    return {"phone": phone} if phone else {}


def _text(param: Mapping[str, Any]) -> str:
    return json.dumps(param, separators=(",", ":"), ensure_ascii=False)


def _read_promise(body: bytes) -> None:
    answer = _json(body)
    if str(answer.get("returnCode")) not in _REGISTERED:
        raise TrackingError(f"refused: {str(answer)[:200]}")


def _ask(url: str, form: Mapping[str, str]) -> bytes:
    try:
        return gateway("kuaidi100").call(partial(_post, url, form), seconds=MAX_SECONDS)
    except (TimeoutError, CircuitBreakerError) as error:
        raise TrackingError(str(error) or "the answer takes too long") from error


def _post(url: str, form: Mapping[str, str]) -> bytes:
    try:
        with (
            open_http(TIMEOUT) as client,
            client.stream("POST", url, data=form) as response,
        ):
            if response.status_code != httpx.codes.OK:
                raise TrackingError(f"status {response.status_code}")
            return read_body(response, max_bytes=MAX_BYTES, failure=TrackingError)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise TrackingError(str(error) or type(error).__name__) from error


def _json(body: bytes | str) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise TrackingError("it is no JSON") from error
    if not isinstance(answer, dict):
        raise TrackingError("it is no object")
    return answer


def _events(answer: Mapping[str, Any]) -> list[Event]:
    """Return the events of an answer, oldest first; raises TrackingError if it contains none."""
    if answer.get("status") != "200":
        raise TrackingError(f"refused: {str(answer)[:200]}")
    rows = _rows(answer.get("data"))
    state = str(answer.get("state"))
    if rows and state not in _STATES:
        log.warning("kuaidi100: an unknown state of a parcel: %s", state[:20])
    # The newest event is first; the parcel's state belongs to that event alone.
    read = [_event(row, state if row is rows[0] else "0") for row in rows]
    return read[::-1]


def _rows(rows: Any) -> list[dict[str, Any]]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TrackingError("it has no list of events")
    return rows[:MAX_EVENTS]


def _event(row: Mapping[str, Any], state: str) -> Event:
    text, time = str(row.get("context", "")).replace("\0", ""), str(row.get("time", ""))
    try:
        moment = datetime.strptime(time, "%Y-%m-%d %H:%M:%S").replace(tzinfo=_ZONE).astimezone(UTC)
        known = _STATES.get(state, ParcelState.exception)
        text.encode()
    except (ValueError, OverflowError) as error:
        raise TrackingError("an event cannot be read") from error
    event = event_of(moment, known, text, "")
    return Event(event.time, event.state, event.text_zh, event.text_en, sha256(text.encode()).hexdigest())
