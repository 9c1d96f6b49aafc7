"""The shop's side of RoyalPay: orders, refunds and notices (docs/royalpay.md)."""

import logging
import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.urls import reverse

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import (
    AnsweredError,
    BadNoticeError,
    Device,
    Notice,
    Outcome,
    Reason,
    RefundOutcome,
    SettledPage,
    Started,
)
from commerce.payments.providers.royalpay.client import (
    QUESTION_SECONDS,
    WORK_SECONDS,
    Deadline,
    RefusedError,
    address_of,
    amount_of,
    ask,
    path_of,
    read_object,
)
from commerce.payments.providers.royalpay.signing import is_genuine, signed_now
from commerce.payments.providers.royalpay.statements import read_list
from core.money import CENT, aud
from core.wire import refuse_junk

log = logging.getLogger(__name__)

State = Payment.State

MAX_DESCRIPTION = 128
# The length of `Payment.jump_url`.
MAX_URL = 500
_ORDER = "gateway/partners/{partner}/orders/{order}"
_H5 = "h5_payment/partners/{partner}/orders/{order}"
_WEB = "web_gateway/partners/{partner}/orders/{order}"
_STATES = {
    "PAYING": State.pending,
    "CREATE_FAIL": State.failed,
    "CLOSED": State.failed,
    "PAY_FAIL": State.failed,
    "PAY_SUCCESS": State.paid,
    "PARTIAL_REFUND": State.paid,
    "FULL_REFUND": State.paid,
    "FULL_REFUNDED": State.paid,
}
# SUCCESS: they have accepted the request. FINISHED: the money is refunded. CHANGE: it could not be refunded.
_REFUND_STATES = {
    "WAITING": Refund.State.sending,
    "SUCCESS": Refund.State.sending,
    "FINISHED": Refund.State.done,
    "CREATE_FAILED": Refund.State.failed,
    "FAILED": Refund.State.failed,
    "CHANGE": Refund.State.failed,
}
_UNKNOWN = frozenset({"ORDER_NOT_EXIST", "REFUND_NOT_EXIST"})
# This merchant or order cannot use this way to pay, but perhaps another.
_NOT_THIS_WAY = frozenset({"NOT_PERMITTED", "INVALID_CHANNEL", "ORDER_MISMATCH"})
_THEIR_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
# The stored fields of a notice: neither the signature nor data of the card or the customer.
_KEPT = (
    "partner_order_id",
    "order_id",
    "channel_order_id",
    "total_fee",
    "real_fee",
    "currency",
    "channel",
    "rate",
    "create_time",
    "pay_time",
    "time",
)
MAX_KEPT = 100


class _Way(NamedTuple):
    """A way to pay: the call that creates its order, its channel, and its page if the answer has none."""

    create: str
    channel: str
    page: str


def _qr(channel: str) -> _Way:
    return _Way(_ORDER, channel, f"{_ORDER}/pay")


def _h5(channel: str) -> _Way:
    return _Way(_H5, channel, f"{_H5}/pay")


_CARD = _Way(
    "gateway/partners/{partner}/pre_card_orders/{order}",
    "",
    "channels/card/partners/{partner}/gateway_orders/{order}/view",
)
_IN_WECHAT = _Way(
    "jsapi_gateway/partners/{partner}/orders/{order}",
    "Wechat",
    "wechat_jsapi_gateway/partners/{partner}_order_{order}",
)
_ALIPAY_ON_WEB = _Way(_WEB, "Alipay", f"{_WEB}/pay")
# By pay type and device, the preferred way first.
_WAYS = {
    "5": {device: [_CARD] for device in Device},
    "2": {
        Device.desktop: [_qr("Wechat")],
        Device.phone: [_h5("Wechat"), _qr("Wechat")],
        Device.wechat: [_IN_WECHAT, _qr("Wechat")],
    },
    "4": {
        Device.desktop: [_ALIPAY_ON_WEB, _qr("Alipay")],
        Device.phone: [_h5("Alipay"), _qr("Alipay")],
        Device.wechat: [_h5("Alipay"), _qr("Alipay")],
    },
}


class RoyalPayProvider:
    """Payments by card, WeChat and Alipay, with the account of the settings."""

    name = "royalpay"

    def start(self, *, payment: Payment, site_url: str, device: Device) -> Started:
        """Create or find the order of a payment, and return its page, signed for five minutes.

        If the preferred channel of a device is not permitted, the next one is tried. If the order is paid,
        the customer returns to the shop, which polls. Raises UnavailableError, also if the payment is
        permanently refused, which is logged.
        """
        back = site_url + reverse("pay_return", args=[payment.reference])
        order = {
            "description": payment.reference[:MAX_DESCRIPTION],
            "price": _cents(payment.amount),
            "currency": payment.currency,
            "notify_url": site_url + reverse("pay_notice", args=[self.name]),
            "operator": "website",
        }
        deadline, refusals = Deadline(WORK_SECONDS), []
        for way in _WAYS[payment.pay_type][device]:
            body = order | ({"channel": way.channel} if way.channel else {})
            try:
                path = path_of(way.create, order=payment.reference)
                answer = ask("PUT", path, deadline=deadline, body=body)
            except RefusedError as refusal:
                refusals.append(str(refusal))
                if refusals[-1] == "ORDER_PAID":
                    return Started(back, payment.provider_ref)
                if refusals[-1] not in _NOT_THIS_WAY:
                    break
            else:
                return _started(payment, way, answer, back)
        log.error("royalpay refuses payment %s: %s", payment.reference, ", ".join(refusals))
        raise AnsweredError("it is refused")

    def query(self, *, payment: Payment, may_collect: bool) -> Outcome | None:
        """Poll the order of a payment; RoyalPay captures automatically, so `may_collect` has no effect."""
        path = path_of(_ORDER, order=payment.reference)
        try:
            answer = ask("GET", path, deadline=Deadline(QUESTION_SECONDS))
        except RefusedError as refusal:
            if str(refusal) == "ORDER_NOT_EXIST":
                return None
            raise AnsweredError(str(refusal)) from None
        state = _STATES.get(str(answer.get("result_code")))
        if state is None or answer.get("partner_order_id") != payment.reference:
            log.error("royalpay: no answer about payment %s", payment.reference)
            raise AnsweredError("no answer about this payment")
        if state != State.paid:
            return Outcome(state, payment.reference, payment.amount, payment.currency)
        amount, currency = amount_of(answer.get("total_fee")), str(answer.get("currency", ""))
        return Outcome(state, payment.reference, amount, currency)

    def refund(self, *, refund: Refund) -> RefundOutcome:
        """Send a refund; a repeat finds the first. A refusal counts only if RoyalPay knows no such refund."""
        deadline = Deadline(WORK_SECONDS)
        body = {"fee": _cents(refund.amount)}
        try:
            return _refund_outcome(refund, ask("PUT", _refund_path(refund), deadline=deadline, body=body))
        except RefusedError as refusal:
            log.error("royalpay refuses refund %s: %s", refund.reference, refusal)
            return _ask_about(refund, deadline) or RefundOutcome(Refund.State.failed, detail=str(refusal))

    def query_refund(self, *, refund: Refund) -> RefundOutcome | None:
        """Poll a refund."""
        return _ask_about(refund, Deadline(QUESTION_SECONDS))

    def is_disputed(self, *, payment: Payment, dispute_ref: str) -> bool:
        """Return False: RoyalPay reports no disputes."""
        return False

    def settled(self, *, day: date, page: int) -> SettledPage:
        """Read the list of a day of RoyalPay's calendar, which has one page."""
        return read_list(day)

    def read_notice(self, *, headers: Mapping[str, str], body: bytes) -> Notice:
        """Verify a notice's signature, age and nonce; RoyalPay sends one when an order is paid.

        The signature does not cover the content, so the shop polls RoyalPay before it trusts a notice. A
        nonce identifies one event, so its reuse for another payment is refused.
        """
        try:
            notice = read_object(body)
            refuse_junk(notice)
        except (ValueError, RecursionError):
            raise BadNoticeError("unreadable", Reason.unreadable) from None
        moment, nonce = str(notice.get("time", "")), str(notice.get("nonce_str", ""))
        if not is_genuine(moment, nonce, str(notice.get("sign", ""))):
            raise BadNoticeError("wrong or old signature")
        reference, event_id = str(notice.get("partner_order_id", "")), f"{moment}-{nonce}"
        kept = {name: str(notice[name])[:MAX_KEPT] for name in _KEPT if name in notice}
        their_id = str(notice.get("order_id", ""))
        others = (their_id,) if _THEIR_ID.fullmatch(their_id) else ()
        return Notice(reference=reference, event_id=event_id, body=kept, reports_paid=True, other_refs=others)


def _started(payment: Payment, way: _Way, answer: Mapping[str, Any], back: str) -> Started:
    their_id = str(answer.get("order_id", ""))
    if answer.get("partner_order_id") != payment.reference or not _THEIR_ID.fullmatch(their_id):
        log.error("royalpay: another order in place of payment %s", payment.reference)
        raise AnsweredError("no answer about this payment")
    page = str(answer.get("pay_url") or address_of(path_of(way.page, order=payment.reference)))
    url = f"{page}{'&' if '?' in page else '?'}{urlencode(signed_now() | {'redirect': back})}"
    if not _is_page(page) or len(url) > MAX_URL:
        log.error("royalpay: no page to pay %s at", payment.reference)
        raise AnsweredError("no page to pay at")
    return Started(url, their_id)


def _is_page(url: str) -> bool:
    """Return True if customers may be redirected to a URL: its scheme is https, or that of the settings."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(parts.hostname) and parts.scheme in {"https", urlsplit(settings.ROYALPAY_URL).scheme}


def _ask_about(refund: Refund, deadline: Deadline) -> RefundOutcome | None:
    """Poll a refund; return None if RoyalPay does not know it. Raises UnavailableError."""
    try:
        return _refund_outcome(refund, ask("GET", _refund_path(refund), deadline=deadline))
    except RefusedError as refusal:
        if str(refusal) in _UNKNOWN:
            return None
        raise AnsweredError(str(refusal)) from None


def _refund_path(refund: Refund) -> str:
    return path_of(f"{_ORDER}/refunds/{{refund}}", order=refund.payment.reference, refund=refund.reference)


def _refund_outcome(refund: Refund, answer: Mapping[str, Any]) -> RefundOutcome:
    status = str(answer.get("result_code"))
    state = _REFUND_STATES.get(status)
    same_id = answer.get("partner_refund_id", refund.reference) == refund.reference
    same_amount = answer.get("amount", _cents(refund.amount)) == _cents(refund.amount)
    if state is None or not (same_id and same_amount):
        log.error("royalpay: no answer about refund %s", refund.reference)
        raise AnsweredError("no answer about this refund")
    their_id = str(answer.get("refund_id", ""))
    detail = "" if state == Refund.State.done else status
    return RefundOutcome(state, their_id if _THEIR_ID.fullmatch(their_id) else "", detail)


def _cents(amount: Decimal) -> int:
    return int(aud(amount) / CENT)
