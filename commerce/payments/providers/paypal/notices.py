"""Verifies and reads PayPal's notices (docs/paypal.md#notices)."""

import base64
import binascii
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from time import monotonic
from typing import Any
from zlib import crc32

import httpx
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from django.conf import settings
from django.utils import timezone
from pybreaker import CircuitBreakerError

from commerce.payments.providers.base import BadNoticeError, Notice, Reason, UnavailableError
from commerce.payments.providers.paypal.addresses import PAYPAL, is_certificate
from commerce.payments.providers.paypal.client import TIMEOUT, read_answer
from core.gateways import gateway, open_http
from core.wire import read_json

log = logging.getLogger(__name__)

# The maximum time to fetch a certificate.
MAX_SECONDS = 6
# Forged notices make a process fetch at most one certificate in this time.
FETCH_INTERVAL_SECONDS = 10
# PayPal signs with one certificate at a time.
MAX_CERTIFICATES = 4
MAX_URL = 300
# Longer texts are no references.
MAX_REFERENCE = 300
# The maximum length is that of `PaymentEvent.event_id`.
_EVENT_ID = re.compile(r"[0-9A-Za-z_.-]{1,80}")
_HEADER = re.compile(r"[0-9A-Za-z:.+_-]{1,100}")
# Only these fields of a notice are stored, so that no data of the payer is.
_KEPT = ("id", "status", "amount", "custom_id", "invoice_id", "dispute_id", "dispute_amount", "reason")


@dataclass(frozen=True)
class _Certificate:
    key: RSAPublicKey
    begins: datetime
    ends: datetime

    def is_valid(self) -> bool:
        return self.begins <= timezone.now() <= self.ends


class Certificates:
    """The certificates with which this process has verified a notice, by URL."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[str, _Certificate] = {}
        self._next_fetch = 0.0

    def get(self, url: str) -> _Certificate:
        """Return the certificate of a URL, fetching it if necessary.

        Raises BadNoticeError if it is not PayPal's or not valid now, UnavailableError if it cannot be fetched
        now.
        """
        known = self._known.get(url)
        if known is None:
            self._take_turn()
            known = _read_certificate(self._fetch(url))
        if not known.is_valid():
            raise BadNoticeError("its certificate is not valid now")
        return known

    def keep(self, url: str, certificate: _Certificate) -> None:
        """Cache a certificate that has verified a notice; so forged notices cannot displace one."""
        with self._lock:
            self._known[url] = certificate
            while len(self._known) > MAX_CERTIFICATES:
                del self._known[next(iter(self._known))]

    def _take_turn(self) -> None:
        now = monotonic()
        with self._lock:
            if now < self._next_fetch:
                raise UnavailableError("a certificate was fetched just now")
            self._next_fetch = now + FETCH_INTERVAL_SECONDS

    def _fetch(self, url: str) -> bytes:
        def fetch() -> tuple[int, bytes]:
            with open_http(TIMEOUT) as http:
                return read_answer(http, "GET", url, {})

        try:
            # A circuit breaker of its own: fetches for forged notices must not count against payments.
            status, body = gateway("certificates of PayPal").call(fetch, seconds=MAX_SECONDS)
        except (httpx.HTTPError, TimeoutError, CircuitBreakerError) as error:
            raise UnavailableError(f"no certificate: {type(error).__name__}") from None
        if status != httpx.codes.OK:
            raise UnavailableError(f"no certificate: status {status}")
        return body


def read_genuine(headers: Mapping[str, str], body: bytes, certificates: Certificates) -> Notice:
    """Verify a notice and read it.

    Raises BadNoticeError for a forged or unreadable notice, UnavailableError if its certificate cannot be
    fetched now.
    """
    event = _read_event(body)
    transmission, time = (
        _header(headers, "PAYPAL-TRANSMISSION-ID"),
        _header(headers, "PAYPAL-TRANSMISSION-TIME"),
    )
    url = headers.get("PAYPAL-CERT-URL", "")
    # Without the shop's own webhook id, a notice that PayPal signed for another merchant would be valid.
    if not settings.PAYPAL_WEBHOOK_ID or headers.get("PAYPAL-AUTH-ALGO") != "SHA256withRSA":
        raise BadNoticeError("nothing to verify it by")
    if len(url) > MAX_URL or not is_certificate(url):
        raise BadNoticeError("its certificate is not of PayPal's interface")
    message = signed_message(transmission, time, settings.PAYPAL_WEBHOOK_ID, body)
    try:
        signature = base64.b64decode(headers.get("PAYPAL-TRANSMISSION-SIG", ""), validate=True)
        certificate = certificates.get(url)
        certificate.key.verify(signature, message, PKCS1v15(), SHA256())
    except (binascii.Error, ValueError, InvalidSignature):
        raise BadNoticeError("the signature is wrong") from None
    certificates.keep(url, certificate)
    return _notice(event)


def signed_message(transmission: str, time: str, webhook_id: str, body: bytes) -> bytes:
    """Return the text that PayPal signs: ids of the transmission, and a checksum of the unchanged body."""
    return f"{transmission}|{time}|{webhook_id}|{crc32(body)}".encode()


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name, "")
    if not _HEADER.fullmatch(value):
        raise BadNoticeError(f"no {name}")
    return value


def _read_event(body: bytes) -> dict[str, Any]:
    try:
        event = read_json(body)
    except (ValueError, RecursionError):
        raise BadNoticeError("it is no JSON", Reason.unreadable) from None
    if not isinstance(event, dict) or not isinstance(event.get("resource"), dict):
        raise BadNoticeError("it is about nothing", Reason.unreadable)
    if not _EVENT_ID.fullmatch(str(event.get("id"))):
        raise BadNoticeError("it has no id", Reason.unreadable)
    return event


def _notice(event: Mapping[str, Any]) -> Notice:
    kind, resource = str(event.get("event_type"))[:100], event["resource"]
    named = list(references(resource))
    kept = {name: resource[name] for name in _KEPT if name in resource}
    return Notice(
        reference=named[0] if named else "",
        event_id=str(event["id"]),
        body={"event_type": kind, "create_time": str(event.get("create_time"))[:40], "resource": kept},
        reports_paid=kind == "PAYMENT.CAPTURE.COMPLETED",
        dispute_ref=str(resource.get("dispute_id")) if kind == "CUSTOMER.DISPUTE.CREATED" else "",
        other_refs=tuple(dict.fromkeys([*named[1:], *paypal_ids(resource)])),
    )


def references(resource: Mapping[str, Any]) -> Iterator[str]:
    """Yield the shop's references in a capture, a refund, an order or a dispute: payments before refunds."""
    abouts = [resource, *_rows(resource, "purchase_units"), *_rows(resource, "disputed_transactions")]
    for name in ("custom_id", "custom", "invoice_id", "invoice_number"):
        yield from _texts(abouts, name)


def paypal_ids(resource: Mapping[str, Any]) -> Iterator[str]:
    """Yield PayPal's own ids in a capture, a refund, an order or a dispute.

    A refund names its capture by a link to it, and some disputes name nothing but the capture.
    """
    units = _rows(resource, "purchase_units")
    yield from _texts(_rows(resource, "disputed_transactions"), "seller_transaction_id")
    yield from _texts([resource], "id")
    related = _object(_object(resource, "supplementary_data"), "related_ids")
    yield from _texts([related], "capture_id")
    yield from _texts([related], "order_id")
    for unit in units:
        yield from _texts(_rows(_object(unit, "payments"), "captures"), "id")
    ups = [link for link in _rows(resource, "links") if link.get("rel") == "up"]
    yield from (url.rpartition("/")[2] for url in _texts(ups, "href"))


def _texts(things: Sequence[Mapping[str, Any]], name: str) -> Iterator[str]:
    for thing in things:
        value = thing.get(name)
        if isinstance(value, str) and 0 < len(value) <= MAX_REFERENCE:
            yield value


def _rows(resource: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    rows = resource.get(name)
    return [row for row in rows if isinstance(row, dict)][:10] if isinstance(rows, list) else []


def _object(thing: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = thing.get(name)
    return value if isinstance(value, dict) else {}


def _read_certificate(text: bytes) -> _Certificate:
    """Read the first certificate, the signer's own; raises BadNoticeError if it is not PayPal's.

    The certificate is trusted because of the host that served it, so its chain is not checked. A server that
    could impersonate that host over https could also answer polls.
    """
    try:
        signer = x509.load_pem_x509_certificates(text)[0]
        key, names = signer.public_key(), _names(signer)
    except (ValueError, IndexError):
        raise BadNoticeError("its certificate is unreadable") from None
    if not isinstance(key, RSAPublicKey) or not any(name.endswith(f".{PAYPAL}") for name in names):
        raise BadNoticeError("its certificate is not PayPal's")
    return _Certificate(key, signer.not_valid_before_utc, signer.not_valid_after_utc)


def _names(certificate: x509.Certificate) -> list[str]:
    common = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    try:
        more = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
        others = more.value.get_values_for_type(x509.DNSName)
    except x509.ExtensionNotFound:
        others = []
    return [*(str(each.value) for each in common), *others]
