"""A fake of RoyalPay: its signatures, orders, pages, refunds and notices (docs/royalpay.md#the-fake)."""

import json
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from threading import Thread
from typing import Any, NamedTuple

import httpx

from tools.fake_providers.server import Answer, FakeProvider, Request, pay_page

PARTNER, CREDENTIAL = "DEMO", "credential-of-the-fake"
BASE = "/api/v1.0"
MAX_AGE_MS = 5 * 60 * 1000
MAX_DESCRIPTION = 128
# The first time a notice is sent, and three times more where the shop does not take it.
NOTICE_TRIES = 4
NOTICE_SECONDS = 5
# What the times of its lists are in.
ZONE = timezone(timedelta(hours=10))
_NONCE = re.compile(r"[0-9A-Za-z]{10,30}")
_PAID = frozenset({"PAY_SUCCESS", "PARTIAL_REFUND", "FULL_REFUND"})
_FAILED_REFUNDS = frozenset({"FAILED", "CREATE_FAILED", "CHANGE"})


class _Way(NamedTuple):
    create: str
    page: str


_ORDER = "gateway/partners/{partner}/orders/{order}"
_H5 = "h5_payment/partners/{partner}/orders/{order}"
_WEB = "web_gateway/partners/{partner}/orders/{order}"
WAYS = {
    "qr": _Way(_ORDER, f"{_ORDER}/pay"),
    "native": _Way("gateway/partners/{partner}/native_orders/{order}", ""),
    "jsapi": _Way(
        "jsapi_gateway/partners/{partner}/orders/{order}",
        "wechat_jsapi_gateway/partners/{partner}_order_{order}",
    ),
    "h5": _Way(_H5, f"{_H5}/pay"),
    "web": _Way(_WEB, f"{_WEB}/pay"),
    "card": _Way(
        "gateway/partners/{partner}/pre_card_orders/{order}",
        "channels/card/partners/{partner}/gateway_orders/{order}/view",
    ),
}


def _pattern(template: str) -> re.Pattern[str]:
    parts = {"partner": "(?P<partner>[^/_]+)", "order": "(?P<order>[^/]+)", "refund": "(?P<refund>[^/]+)"}
    return re.compile(f"{BASE}/{template}".format(**parts))


_CREATE = {name: _pattern(way.create) for name, way in WAYS.items()}
_PAGES = [_pattern(way.page) for way in WAYS.values() if way.page]


class _RefusedError(Exception):
    """A call ends with one of the provider's error codes."""


@dataclass
class Refund:
    """Money on its way back; `fee` in cents."""

    number: str
    fee: int
    status: str
    time: str = field(default_factory=lambda: _clock())


@dataclass
class Order:
    """What the shop asked to collect; `price` in cents of `currency`."""

    number: str
    partner_order_id: str
    way: str
    price: int
    currency: str
    channel: str
    description: str
    notify_url: str
    status: str = "PAYING"
    total_fee: int = 0
    real_fee: int = 0
    paid_in: str = ""
    create_time: str = field(default_factory=lambda: _clock())
    pay_time: str = ""
    refunds: dict[str, Refund] = field(default_factory=dict)

    @property
    def refunded(self) -> int:
        """The cents that have gone back, or are about to."""
        return sum(each.fee for each in self.refunds.values() if each.status not in _FAILED_REFUNDS)

    def outcome(self) -> str:
        """Return the outcome of the order and of its refunds."""
        refunds = [f"{each.fee} {each.status}" for each in self.refunds.values()]
        return ", ".join([self.status, *refunds])


class FakeRoyalPay(FakeProvider):
    """The provider. `notifies`: whether it sends a notice as soon as an order is paid on its page."""

    secrets = frozenset({"sign", "nonce_str"})

    def __init__(self, port: int = 0, *, echo: bool = False, notifies: bool = True) -> None:
        super().__init__(port, echo=echo)
        self.notifies = notifies
        self.orders: dict[str, Order] = {}
        # Names of WAYS that this merchant has no approval for.
        self.not_permitted: set[str] = set()
        # The status of a new refund, and what a customer pays on top of the price, in cents.
        self.refund_status = "FINISHED"
        self.surcharge = 0
        # The HTTP status of refused calls.
        self.refusal_status = 200

    @property
    def settings(self) -> dict[str, str]:
        """The shop's settings that lead it here."""
        return {
            "ROYALPAY_URL": f"{self.url}{BASE}",
            "ROYALPAY_PARTNER_CODE": PARTNER,
            "ROYALPAY_CREDENTIAL": CREDENTIAL,
        }

    # ── Calls ─────────────────────────────────────────────────────────────────────────────────────────

    def is_call(self, request: Request) -> bool:
        """Whether it is one of the shop's calls; the others come from browsers."""
        is_page = any(page.fullmatch(request.path) for page in _PAGES)
        return request.path.startswith(f"{BASE}/") and not is_page

    def answer(self, request: Request) -> Answer:
        """Answer a call, or show the page on which an order is paid."""
        for page in _PAGES:
            if found := page.fullmatch(request.path):
                return self._page(request, self.orders.get(found["order"]))
        try:
            return Answer.of(self._call(request))
        except _RefusedError as refusal:
            code = str(refusal)
            return Answer.of({"return_code": code, "return_msg": f"{code} 错误"}, self.refusal_status)

    def _call(self, request: Request) -> dict[str, Any]:
        for name, pattern in _CREATE.items():
            if request.method == "PUT" and (found := pattern.fullmatch(request.path)):
                self._check(found["partner"], request.query)
                return self._create(name, found["order"], request.json)
        for method, template, do in (
            ("GET", _ORDER, self._query),
            ("PUT", f"{_ORDER}/cancel", self._cancel),
            ("PUT", f"{_ORDER}/refunds/{{refund}}", self._refund),
            ("GET", f"{_ORDER}/refunds/{{refund}}", self._query_refund),
            ("GET", "gateway/partners/{partner}/transactions", self._list),
        ):
            if request.method == method and (found := _pattern(template).fullmatch(request.path)):
                named = found.groupdict()
                self._check(named.pop("partner"), request.query)
                return do(request, **named)
        raise _RefusedError("PARAM_INVALID")

    def _check(self, partner: str, query: Mapping[str, str]) -> None:
        moment, nonce = query.get("time", ""), query.get("nonce_str", "")
        if partner != PARTNER:
            raise _RefusedError("INVALID_SHORT_ID")
        if not (moment.isascii() and moment.isdigit() and _NONCE.fullmatch(nonce)):
            raise _RefusedError("PARAM_INVALID")
        if abs(_now() - int(moment)) > MAX_AGE_MS:
            raise _RefusedError("SIGN_TIMEOUT")
        if query.get("sign") != signature(moment, nonce):
            raise _RefusedError("INVALID_SIGN")

    def _create(self, way: str, reference: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        if way in self.not_permitted:
            raise _RefusedError("NOT_PERMITTED")
        price, currency = asked.get("price"), asked.get("currency", "AUD")
        description, notify_url = asked.get("description"), asked.get("notify_url", "")
        currencies = {"AUD"} if way == "card" else {"AUD", "CNY"}
        if not isinstance(price, int) or price <= 0 or currency not in currencies:
            raise _RefusedError("PARAM_INVALID")
        if not isinstance(description, str) or not 0 < len(description) <= MAX_DESCRIPTION:
            raise _RefusedError("PARAM_INVALID")
        channel = "Card" if way == "card" else asked.get("channel")
        if channel not in {"Card", "Wechat", "Alipay"} or (way == "web" and channel != "Alipay"):
            raise _RefusedError("INVALID_CHANNEL")
        order = self.orders.get(reference)
        if order is None:
            order = Order(_number(), reference, way, price, currency, channel, description, notify_url)
            self.orders[reference] = order
        elif order.status in _PAID:
            raise _RefusedError("ORDER_PAID")
        elif (order.price, order.currency, order.channel) != (price, currency, channel):
            raise _RefusedError("ORDER_MISMATCH")
        return self._created(order, way)

    def _created(self, order: Order, way: str) -> dict[str, Any]:
        answer = _success(
            partner_code=PARTNER,
            channel=order.channel,
            order_id=order.number,
            partner_order_id=order.partner_order_id,
        )
        if way in {"qr", "native"}:
            answer["code_url"] = f"fake://pay/{order.number}"
        if page := WAYS[way].page:
            path = page.format(partner=PARTNER, order=order.partner_order_id)
            answer["pay_url"] = f"{self.url}{BASE}/{path}"
        return answer

    def _query(self, _request: Request, order: str) -> dict[str, Any]:
        found = self._known(order)
        return _success(found.status, **self._facts(found))

    def _cancel(self, _request: Request, order: str) -> dict[str, Any]:
        found = self._known(order)
        if found.status in _PAID:
            raise _RefusedError("ORDER_PAID")
        found.status = "CLOSED"
        return _success()

    def _refund(self, request: Request, order: str, refund: str) -> dict[str, Any]:
        found, fee = self._known(order), request.json.get("fee")
        known = found.refunds.get(refund)
        if not isinstance(fee, int) or fee <= 0 or (known and known.fee != fee):
            raise _RefusedError("PARAM_INVALID")
        if found.status not in _PAID:
            raise _RefusedError("ORDER_MISMATCH")
        if known is None:
            if found.refunded + fee > found.total_fee:
                raise _RefusedError("PARAM_INVALID")
            known = Refund(_number(), fee, self.refund_status)
            found.refunds[refund] = known
            self._note_refunds(found)
        return self._refund_facts(found, refund, known)

    def _query_refund(self, _request: Request, order: str, refund: str) -> dict[str, Any]:
        found = self._known(order)
        if refund not in found.refunds:
            raise _RefusedError("ORDER_NOT_EXIST")
        return self._refund_facts(found, refund, found.refunds[refund])

    def _list(self, request: Request) -> dict[str, Any]:
        """List what moved on a day of the provider's calendar: payments, and refunds that were taken."""
        rows = []
        for order in self.orders.values():
            moved: list[tuple[str, int, str, dict[str, str]]] = []
            if order.status in _PAID:
                moved.append((order.pay_time, order.total_fee, "Credit", {}))
            for reference, refund in order.refunds.items():
                if refund.status not in _FAILED_REFUNDS:
                    names = {"refund_id": refund.number, "partner_refund_id": reference}
                    moved.append((refund.time, refund.fee, "Debit", names))
            for moment, amount, kind, names in moved:
                at = _in_their_zone(moment)
                if f"{at:%Y%m%d}" == request.query.get("date"):
                    row = {
                        "transaction_time": f"{at:%Y%m%d%H%M%S}",
                        "order_id": order.number,
                        "partner_order_id": order.partner_order_id,
                        "channel": order.channel,
                        "type": kind,
                        "currency": order.paid_in,
                        "total_amount": amount,
                        "input_amount": amount,
                    }
                    rows.append(row | names)
        orders = sum("refund_id" not in row for row in rows)
        return _success(transaction_count=len(rows), order_count=orders, transactions=rows)

    def _known(self, reference: str) -> Order:
        if reference not in self.orders:
            raise _RefusedError("ORDER_NOT_EXIST")
        return self.orders[reference]

    def _facts(self, order: Order) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "partner_order_id": order.partner_order_id,
            "order_id": order.number,
            "total_fee": order.total_fee or order.price,
            "real_fee": order.real_fee or order.price,
            "currency": order.paid_in or order.currency,
            "channel": order.channel,
            "create_time": order.create_time,
            "rate": 4.6532,
        }
        if order.pay_time:
            facts |= {"pay_time": order.pay_time, "channel_order_id": f"C{order.number}"}
        return facts

    def _refund_facts(self, order: Order, reference: str, refund: Refund) -> dict[str, Any]:
        return _success(
            refund.status,
            refund_id=refund.number,
            partner_refund_id=reference,
            amount=refund.fee,
            currency=order.currency,
        )

    @staticmethod
    def _note_refunds(order: Order) -> None:
        whole = order.refunded >= order.total_fee
        order.status = "FULL_REFUND" if whole else "PARTIAL_REFUND" if order.refunded else "PAY_SUCCESS"

    # ── The page ──────────────────────────────────────────────────────────────────────────────────────

    def _page(self, request: Request, order: Order | None) -> Answer:
        back = request.query.get("redirect", "")
        try:
            # The payer may have looked at the page for long.
            if request.method != "POST":
                self._check(PARTNER, request.query)
        except _RefusedError as refusal:
            return Answer.page("RoyalPay", f"<p>{refusal}</p>", 400)
        if order is None:
            return Answer.page("RoyalPay", "<p>ORDER_NOT_EXIST</p>", 404)
        if request.method == "POST":
            self._decide(order, request.form.get("outcome", ""))
            return Answer.redirect(back) if back.startswith(("http://", "https://")) else Answer.redirect("/")
        facts = {
            "订单 · Order": order.partner_order_id,
            "内容 · For": order.description,
            "方式 · By": f"{order.channel}, {order.way}",
            "应付 · To pay": f"{order.currency} {order.price // 100}.{order.price % 100:02}",
        }
        choices = {"paid": "付款 · Pay", "declined": "拒绝 · Decline"} if _is_open(order) else {}
        message = "" if order.status == "PAYING" else order.status
        leave = {"left": "返回商店 · Leave without paying" if choices else "返回商店 · Back to the shop"}
        return pay_page("RoyalPay", facts, choices | leave, self._same_page(request), message)

    @staticmethod
    def _same_page(request: Request) -> str:
        return f"{request.path}?{httpx.QueryParams(dict(request.query))}"

    def _decide(self, order: Order, outcome: str) -> None:
        if outcome == "paid" and _is_open(order):
            self.pay(order.partner_order_id)
            if self.notifies:
                Thread(target=self.notify, args=[order.partner_order_id], daemon=True).start()
        elif outcome == "declined" and _is_open(order):
            self.decline(order.partner_order_id)

    # ── What tests and developers do ──────────────────────────────────────────────────────────────────

    def pay(self, reference: str, *, total_fee: int | None = None, currency: str = "") -> None:
        """Let the customer pay; `total_fee` in cents and `currency`, where they are not those asked for."""
        with self.lock:
            order = self.orders[reference]
            order.status, order.pay_time = "PAY_SUCCESS", _clock()
            order.total_fee = order.price if total_fee is None else total_fee
            order.real_fee, order.paid_in = order.total_fee + self.surcharge, currency or order.currency

    def decline(self, reference: str) -> None:
        """Refuse the customer's money; a card payer may try again."""
        with self.lock:
            self.orders[reference].status = "PAY_FAIL"

    def close(self, reference: str) -> None:
        """Let an order come to its end unpaid."""
        with self.lock:
            self.orders[reference].status = "CLOSED"

    def set_refund(self, reference: str, refund: str, status: str) -> None:
        """Move a refund of an order on."""
        with self.lock:
            order = self.orders[reference]
            order.refunds[refund].status = status
            self._note_refunds(order)

    def notice_of(
        self, reference: str, *, age_seconds: int = 0, forged: bool = False, **changed: Any
    ) -> bytes:
        """Return the body of a signed notice; `changed`: fields in place of its own.

        The signature is `age_seconds` old, and none of RoyalPay's where it is `forged`.
        """
        moment, nonce = str(_now() - age_seconds * 1000), secrets.token_hex(10)
        with self.lock:
            facts = self._facts(self.orders[reference])
        signed = {
            "time": moment,
            "nonce_str": nonce,
            "sign": "0" * 64 if forged else signature(moment, nonce),
        }
        return json.dumps(signed | facts | changed).encode()

    def send(self, reference: str, body: bytes) -> bool:
        """Send a notice once; returns whether the shop took it."""
        url = self.orders[reference].notify_url
        try:
            answer = httpx.post(url, content=body, headers={"Content-Type": "application/json"}, timeout=15)
            message, is_taken = f"{answer.status_code} {answer.text[:200]}", _is_success(answer)
        except httpx.HTTPError as error:
            message, is_taken = type(error).__name__, False
        self.conversation.notified(url, body, message)
        return is_taken

    def notify(self, reference: str, *, times: int = 1, **kw: Any) -> bool:
        """Send a notice as the provider does: again, after a while, as long as the shop does not take it.

        `times`: how often the same is sent that was taken. The others: as `notice_of`. Returns whether all
        of them were taken.
        """
        body, taken = self.notice_of(reference, **kw), 0
        for _ in range(NOTICE_TRIES - 1 + times):
            taken += self.send(reference, body)
            if taken == times:
                return True
            if not taken and self.stopped.wait(NOTICE_SECONDS):
                break
        return False

    def payments(self) -> list[tuple[str, str]]:
        """List the orders, and the refunds of each."""
        with self.lock:
            return [(reference, order.outcome()) for reference, order in self.orders.items()]

    def actions(self) -> Mapping[str, Callable[[str], Any]]:
        """Name what may be done to an order."""
        return {
            "pay": self.pay,
            "decline": self.decline,
            "close": self.close,
            "notice": lambda reference: self.send(reference, self.notice_of(reference)),
            "notice three times": lambda reference: self.notify(reference, times=3),
            "late notice": lambda reference: self.send(reference, self.notice_of(reference, age_seconds=600)),
            "forged notice": lambda reference: self.send(reference, self.notice_of(reference, forged=True)),
            "finish refunds": lambda reference: self._set_refunds(reference, "FINISHED"),
            "fail refunds": lambda reference: self._set_refunds(reference, "FAILED"),
        }

    def _set_refunds(self, reference: str, status: str) -> None:
        for refund in list(self.orders[reference].refunds):
            self.set_refund(reference, refund, status)


def signature(moment: str, nonce: str) -> str:
    """Sign as RoyalPay does; written here once more, so that a mistake of the shop's shows."""
    return sha256(f"{PARTNER}&{moment}&{nonce}&{CREDENTIAL}".encode()).hexdigest()


def _success(result_code: str = "SUCCESS", **facts: Any) -> dict[str, Any]:
    return {"return_code": "SUCCESS", "result_code": result_code, **facts}


def _is_open(order: Order) -> bool:
    return order.status == "PAYING" or (order.status == "PAY_FAIL" and order.way == "card")


def _is_success(answer: httpx.Response) -> bool:
    try:
        return bool(answer.json().get("return_code") == "SUCCESS")
    except (ValueError, AttributeError):
        return False


def _now() -> int:
    return time.time_ns() // 1_000_000


def _clock() -> str:
    return f"{datetime.now():%Y-%m-%d %H:%M:%S}"


def _in_their_zone(clock: str) -> datetime:
    return datetime.strptime(clock, "%Y-%m-%d %H:%M:%S").astimezone(ZONE)


def _number() -> str:
    return f"DBL{secrets.token_hex(8).upper()}"
