"""The sandbox gateway's signature: HMAC-SHA256 over time, event id and the body as sent."""

import hashlib
import hmac
import time

from django.conf import settings

TIME_HEADER = "X-Sandbox-Timestamp"
EVENT_HEADER = "X-Sandbox-Event"
SIGNATURE_HEADER = "X-Sandbox-Signature"
MAX_AGE_SECONDS = 300


def signed_headers(event_id: str, body: bytes) -> dict[str, str]:
    """Return the headers that prove the sender and the time of a notice."""
    now = str(int(time.time()))
    return {
        TIME_HEADER: now,
        EVENT_HEADER: event_id,
        SIGNATURE_HEADER: signature_of(now, event_id, body),
    }


def is_genuine(timestamp: str, event_id: str, signature: str, body: bytes) -> bool:
    """Return True if a notice has the right signature and was made within the last five minutes."""
    if not hmac.compare_digest(signature_of(timestamp, event_id, body).encode(), signature.encode()):
        return False
    try:
        return abs(int(time.time()) - int(timestamp)) <= MAX_AGE_SECONDS
    except ValueError:
        return False


def signature_of(timestamp: str, event_id: str, body: bytes) -> str:
    """Return the signature of a time, an event id and a body."""
    message = f"{timestamp}.{event_id}.".encode() + body
    return hmac.new(settings.SANDBOX_SECRET.encode(), message, hashlib.sha256).hexdigest()
