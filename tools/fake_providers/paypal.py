"""A fake of PayPal's Orders v2: orders, captures, refunds and signed notices; no money moves.

See docs/paypal.md#the-fake.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from secrets import token_hex
from threading import Thread
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx

from tools.fake_providers.paypal_signing import Signer
from tools.fake_providers.server import Answer, FakeProvider, Request, pay_page

CLIENT_ID, SECRET, WEBHOOK_ID = "client-of-the-fake", "secret-of-the-fake", "8PT597110X687430L"
ORDERS = "/v2/checkout/orders"
CAPTURES = "/v2/payments/captures"
REFUNDS = "/v2/payments/refunds"
DISPUTES = "/v1/customer/disputes"
TRANSACTIONS = "/v1/reporting/transactions"
# The code and the status of each kind of row, as lists name them.
_PAYMENT, _REFUND = "T0006", "T1107"
_LISTED = {"COMPLETED": "S", "PARTIALLY_REFUNDED": "S", "REFUNDED": "S", "PENDING": "P", "DECLINED": "D"}
MAX_PAGE_SIZE = 500
CERTIFICATES = "/v1/notifications/certs"
PAYERS_PAGE = "/checkoutnow"
NOTICES = "/pay/notice/paypal"
MAX_DELIVERIES = 3
_VALUE = re.compile(r"\d{1,7}\.\d\d")
_WHOLE = re.compile(r"\d{1,9}")
_WITHOUT_DECIMALS = {"HUF", "JPY", "TWD"}
_CHOICES = {"paid": "付款 · Pay", "declined": "付款被拒 · Pay, and be declined", "left": "离开 · Leave"}
_STATES = {"COMPLETED": "PAYMENT.CAPTURE.COMPLETED", "PENDING": "PAYMENT.CAPTURE.PENDING"}


class RefusalError(Exception):
    """Raised to refuse a request as PayPal does."""

    def __init__(self, issue: str, status: int = 422, name: str = "UNPROCESSABLE_ENTITY") -> None:
        super().__init__(issue)
        self.issue, self.status, self.name = issue, status, name


@dataclass
class Order:
    """An order, and what has become of its money."""

    id: str
    unit: dict[str, Any]
    return_url: str
    cancel_url: str
    status: str
    updated: datetime
    will_be_declined: bool = False
    captures: list[dict[str, Any]] = field(default_factory=list)
    refunds: list[dict[str, Any]] = field(default_factory=list)

    @property
    def reference(self) -> str:
        """What the shop calls it."""
        return str(self.unit["custom_id"])


class FakePayPal(FakeProvider):
    """PayPal for one shop, whose address it takes from the orders.

    `notifies`: whether it sends notices, besides keeping them in `events`, as headers and body.
    """

    secrets = frozenset({"access_token"})

    def __init__(
        self, port: int = 0, *, echo: bool = False, notifies: bool = True, signer: Signer | None = None
    ) -> None:
        super().__init__(port, echo=echo)
        self.notifies = notifies
        # What the next ones become.
        self.capture_status = self.refund_status = "COMPLETED"
        self.token_seconds = 32_400
        # Whether the app has the right to search transactions, and rows of lists that no order made.
        self.may_search = True
        self.other_rows: list[dict[str, Any]] = []
        # The end of the paths whose calls go wrong by `cause`; empty for all.
        self.troubled = ""
        self.notice_delay_seconds: int | float = 0.5
        self.signer = signer or Signer()
        self.certificate_url = f"{self.url}{CERTIFICATES}/CERT-360caa42-fca2a594-a5cafa77"
        self.events: list[tuple[dict[str, str], bytes]] = []
        self.orders: dict[str, Order] = {}
        self.disputes: dict[str, dict[str, Any]] = {}
        self.tokens: set[str] = set()
        self._refusals: dict[str, RefusalError] = {}
        self._answered: dict[tuple[str, str], tuple[bytes, Answer]] = {}
        self._time = datetime.now(UTC)

    @property
    def settings(self) -> dict[str, str]:
        """The shop's settings that lead it here."""
        return {
            "PAYPAL_URL": self.url,
            "PAYPAL_CLIENT_ID": CLIENT_ID,
            "PAYPAL_SECRET": SECRET,
            "PAYPAL_WEBHOOK_ID": WEBHOOK_ID,
        }

    def is_call(self, request: Request) -> bool:
        """Whether it is a call that may go wrong."""
        return request.path.startswith("/v") and request.path.endswith(self.troubled)

    def refuse(
        self, path_end: str, issue: str, status: int = 422, name: str = "UNPROCESSABLE_ENTITY"
    ) -> None:
        """Refuse the next call of a path with this end."""
        self._refusals[path_end] = RefusalError(issue, status, name)

    def payments(self) -> list[tuple[str, str]]:
        """List the orders."""
        return [
            (order.reference, " ".join([order.status, *(each["status"] for each in order.captures)]))
            for order in self.orders.values()
        ]

    def actions(self) -> Mapping[str, Callable[[str], Any]]:
        """Name what payer, bank and PayPal may do."""
        return {
            "approve": self.approve,
            "be declined": lambda reference: self.approve(reference, declined=True),
            "complete capture": lambda reference: self.decide_capture(reference, "COMPLETED"),
            "deny capture": lambda reference: self.decide_capture(reference, "DECLINED"),
            "complete refunds": lambda reference: self.decide_refunds(reference, "COMPLETED"),
            "fail refunds": lambda reference: self.decide_refunds(reference, "FAILED"),
            "dispute": self.dispute,
            "expire": self.expire,
            "let money wait, or no longer": self.toggle_waiting,
            "send the last notice again": self.send_notice_again,
        }

    def of(self, reference: str) -> Order:
        """Return the newest order of a reference; raises KeyError."""
        found = [order for order in self.orders.values() if order.reference == reference]
        if not found:
            raise KeyError(reference)
        return found[-1]

    # ── What payer, bank and PayPal do ────────────────────────────────────────────────────────────────

    def approve(self, reference: str, *, declined: bool = False) -> None:
        """Approve an order as its payer; `declined`: with a card that the bank will decline."""
        order = self.of(reference)
        if order.status in ("CREATED", "PAYER_ACTION_REQUIRED", "APPROVED"):
            order.will_be_declined = declined
            self._move(order, "APPROVED")
            self.notify("CHECKOUT.ORDER.APPROVED", self._order(order))

    def decide_capture(self, reference: str, status: str) -> None:
        """Decide a capture that is pending."""
        order = self.of(reference)
        for capture in order.captures:
            if capture["status"] == "PENDING":
                capture["status"] = status
                kind = "COMPLETED" if status == "COMPLETED" else "DENIED"
                self.notify(f"PAYMENT.CAPTURE.{kind}", capture)

    def decide_refunds(self, reference: str, status: str) -> None:
        """Decide the refunds of an order that are pending."""
        order = self.of(reference)
        for refund in order.refunds:
            if refund["status"] == "PENDING":
                refund["status"] = status
                self._count_refunds(order)

    def toggle_waiting(self, _reference: str) -> None:
        """Let the next captures and refunds be pending, or no longer."""
        self.capture_status = self.refund_status = (
            "COMPLETED" if self.capture_status == "PENDING" else "PENDING"
        )

    def dispute(self, reference: str, *, names_capture_only: bool = False) -> None:
        """Dispute a payment as its payer; PayPal names the capture, and not always more."""
        order = self.of(reference)
        transaction = {"seller_transaction_id": order.captures[-1]["id"] if order.captures else ""}
        if not names_capture_only:
            transaction |= {"invoice_number": order.unit["invoice_id"], "custom": order.reference}
        about: dict[str, Any] = {
            "dispute_id": "PP-D-" + token_hex(3).upper(),
            "disputed_transactions": [transaction],
            "reason": "MERCHANDISE_OR_SERVICE_NOT_RECEIVED",
            "status": "OPEN",
            "dispute_amount": order.unit["amount"],
        }
        self.disputes[about["dispute_id"]] = about
        self.notify("CUSTOMER.DISPUTE.CREATED", about)

    def expire(self, reference: str) -> None:
        """Forget an order, as PayPal does hours after an unpaid one."""
        del self.orders[self.of(reference).id]

    def forget_requests(self) -> None:
        """Forget the ids of requests, as PayPal does after hours or weeks."""
        self._answered.clear()

    def notify(self, kind: str, resource: Mapping[str, Any]) -> None:
        """Make a notice, and send it where notices are sent."""
        event = {
            "id": f"WH-{token_hex(9).upper()}",
            "event_version": "1.0",
            "create_time": self._now(),
            "event_type": kind,
            "resource": resource,
        }
        # PayPal does not document which spaces it writes.
        self.events.append(self.signed(json.dumps(event, separators=(", ", ":")).encode()))
        if self.notifies:
            self._send(*self.events[-1])

    def send_notice_again(self, _reference: str) -> None:
        """Send the newest notice once more."""
        for headers, body in self.events[-1:]:
            self._send(headers, body)

    def _send(self, headers: Mapping[str, str], body: bytes) -> None:
        Thread(target=self.deliver, args=(headers, body), daemon=True).start()

    def signed(self, body: bytes) -> tuple[dict[str, str], bytes]:
        """Return the headers and the body of a notice."""
        url = self.certificate_url
        return self.signer.headers(body, webhook_id=WEBHOOK_ID, certificate_url=url), body

    def deliver(self, headers: Mapping[str, str], body: bytes) -> None:
        """Send a notice to the shop of the newest order, until it takes it."""
        newest = list(self.orders.values())[-1:]
        for order in newest:
            shop = urlsplit(order.return_url)
            url = f"{shop.scheme}://{shop.netloc}{NOTICES}"
            for _ in range(MAX_DELIVERIES):
                if self.stopped.wait(self.notice_delay_seconds):
                    return
                try:
                    status = httpx.post(url, content=body, headers=dict(headers), timeout=10).status_code
                except httpx.HTTPError as error:
                    self.conversation.notified(url, body, type(error).__name__)
                    continue
                self.conversation.notified(url, body, str(status))
                if status == httpx.codes.OK:
                    return

    # ── What the shop and browsers ask for ────────────────────────────────────────────────────────────

    def answer(self, request: Request) -> Answer:
        """Answer a call, or show the page where a payer decides."""
        if request.path == PAYERS_PAGE:
            return self._payers_page(request)
        if request.path.startswith(CERTIFICATES):
            return Answer(self.signer.certificate, headers={"Content-Type": "application/x-pem-file"})
        try:
            return self._call(request)
        except RefusalError as refusal:
            return _refused(refusal)

    def _call(self, request: Request) -> Answer:
        if request.path == "/v1/oauth2/token":
            return self._new_token(request)
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self.tokens:
            error = {"error": "invalid_token", "error_description": "Token signature verification failed"}
            return Answer.of(error, 401)
        for path_end in [end for end in self._refusals if request.path.endswith(end)]:
            raise self._refusals.pop(path_end)
        if request.method == "GET" and request.path == TRANSACTIONS:
            return self._list(request.query)
        if request.method == "GET":
            return self._read(request.path)
        if request.headers.get("content-type") != "application/json":
            raise RefusalError("UNSUPPORTED_MEDIA_TYPE", 415, "UNSUPPORTED_MEDIA_TYPE")
        return self._once(request)

    def _new_token(self, request: Request) -> Answer:
        login = base64.b64encode(f"{CLIENT_ID}:{SECRET}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {login}":
            error = {"error": "invalid_client", "error_description": "Client Authentication failed"}
            return Answer.of(error, 401)
        if request.form != {"grant_type": "client_credentials"}:
            return Answer.of({"error": "unsupported_grant_type"}, 400)
        token = f"A21AA{token_hex(20)}"
        self.tokens.add(token)
        return Answer.of({"access_token": token, "token_type": "Bearer", "expires_in": self.token_seconds})

    def _read(self, path: str) -> Answer:
        folder, _, name = path.rpartition("/")
        if folder == ORDERS and name in self.orders:
            return Answer.of(self._order(self.orders[name]))
        if folder == DISPUTES and name in self.disputes:
            return Answer.of(self.disputes[name])
        for order in self.orders.values() if folder in (CAPTURES, REFUNDS) else ():
            for thing in order.captures if folder == CAPTURES else order.refunds:
                if thing["id"] == name:
                    return Answer.of(thing)
        raise RefusalError("INVALID_RESOURCE_ID", 404, "RESOURCE_NOT_FOUND")

    def _list(self, query: Mapping[str, str]) -> Answer:
        """Answer with a page of what moved within a time, as the app may search transactions."""
        if not self.may_search:
            raise RefusalError("NOT_AUTHORIZED", 403, "NOT_AUTHORIZED")
        start, end = (datetime.fromisoformat(query[name]) for name in ("start_date", "end_date"))
        size, page = int(query.get("page_size", 100)), int(query.get("page", 1))
        if end - start > timedelta(days=31) or not 0 < size <= MAX_PAGE_SIZE:
            raise RefusalError("INVALID_REQUEST", 400, "INVALID_REQUEST")
        moved = [
            _transaction(thing, code, "-" if code == _REFUND else "")
            for order in self.orders.values()
            for code, things in ((_PAYMENT, order.captures), (_REFUND, order.refunds))
            for thing in things
            if start <= datetime.fromisoformat(thing["create_time"]) <= end
        ] + self.other_rows
        return Answer.of(
            {
                "transaction_details": moved[(page - 1) * size : page * size],
                "start_date": query["start_date"],
                "end_date": query["end_date"],
                "page": page,
                "total_items": len(moved),
                "total_pages": -(-len(moved) // size),
            }
        )

    def _once(self, request: Request) -> Answer:
        """Do what is asked for; a request id that was used gets the answer that it had, refusals too."""
        key = (request.path, request.headers.get("paypal-request-id", ""))
        if key in self._answered:
            body, answer = self._answered[key]
            if body != request.body:
                raise RefusalError("DUPLICATE_REQUEST_ID")
            return answer
        try:
            answer = self._do(request)
        except RefusalError as refusal:
            answer = _refused(refusal)
        if key[1]:
            self._answered[key] = request.body, answer
        return answer

    def _do(self, request: Request) -> Answer:
        if request.path == ORDERS:
            return self._create(request.json, request.headers.get("paypal-request-id", ""))
        folder, _, name = request.path.removesuffix("/capture").removesuffix("/refund").rpartition("/")
        if request.path.endswith("/capture") and folder == ORDERS and name in self.orders:
            return self._capture(self.orders[name])
        if request.path.endswith("/refund") and folder == CAPTURES:
            for order in self.orders.values():
                for capture in order.captures:
                    if capture["id"] == name:
                        return self._refund(order, capture, request.json)
        raise RefusalError("INVALID_RESOURCE_ID", 404, "RESOURCE_NOT_FOUND")

    def _create(self, body: Mapping[str, Any], request_id: str) -> Answer:
        source = body.get("payment_source")
        if source and not request_id:
            raise RefusalError("PAYPAL_REQUEST_ID_REQUIRED", 400, "INVALID_REQUEST")
        [unit] = body.get("purchase_units") or [{}]
        amount = unit.get("amount") or {}
        if body.get("intent") != "CAPTURE" or not unit.get("custom_id") or not unit.get("invoice_id"):
            raise RefusalError("MISSING_REQUIRED_PARAMETER", 400, "INVALID_REQUEST")
        if not isinstance(amount.get("value"), str) or not _VALUE.fullmatch(amount["value"]):
            raise RefusalError("INVALID_PARAMETER_VALUE", 400, "INVALID_REQUEST")
        experience = ((source or {}).get("paypal") or {}).get("experience_context") or {}
        order = Order(
            id=token_hex(9).upper()[:17],
            unit=unit,
            return_url=experience.get("return_url", ""),
            cancel_url=experience.get("cancel_url", ""),
            status="PAYER_ACTION_REQUIRED" if source else "CREATED",
            updated=self._time,
        )
        self.orders[order.id] = order
        return Answer.of(self._order(order), 200 if source else 201)

    def _capture(self, order: Order) -> Answer:
        if order.status == "COMPLETED":
            raise RefusalError("ORDER_ALREADY_CAPTURED")
        if order.status != "APPROVED":
            raise RefusalError("ORDER_NOT_APPROVED")
        if order.will_be_declined:
            self._move(order, "PAYER_ACTION_REQUIRED")
            raise RefusalError("INSTRUMENT_DECLINED")
        others = [other for other in self.orders.values() if other.captures]
        if order.unit["invoice_id"] in {other.unit["invoice_id"] for other in others}:
            raise RefusalError("DUPLICATE_INVOICE_ID")
        capture = {
            "id": token_hex(9).upper()[:17],
            "status": self.capture_status,
            "amount": order.unit["amount"],
            "custom_id": order.reference,
            "invoice_id": order.unit["invoice_id"],
            "final_capture": True,
            "create_time": self._now(),
        }
        order.captures.append(capture)
        self._move(order, "COMPLETED")
        self.notify(_STATES.get(self.capture_status, "PAYMENT.CAPTURE.DENIED"), capture)
        return Answer.of(self._order(order), 201)

    def _refund(self, order: Order, capture: dict[str, Any], body: Mapping[str, Any]) -> Answer:
        if capture["status"] not in ("COMPLETED", "PARTIALLY_REFUNDED", "REFUNDED"):
            raise RefusalError("REFUND_NOT_ALLOWED")
        living = [each for each in order.refunds if each["status"] not in ("FAILED", "CANCELLED")]
        left = Decimal(capture["amount"]["value"]) - sum(Decimal(each["amount"]["value"]) for each in living)
        amount = body.get("amount") or {**capture["amount"], "value": str(left)}
        if left <= 0:
            raise RefusalError("CAPTURE_FULLY_REFUNDED")
        if amount["currency_code"] != capture["amount"]["currency_code"]:
            raise RefusalError("REFUND_CAPTURE_CURRENCY_MISMATCH")
        form = _WHOLE if amount["currency_code"] in _WITHOUT_DECIMALS else _VALUE
        if not form.fullmatch(amount["value"]) or Decimal(amount["value"]) > left:
            raise RefusalError("REFUND_AMOUNT_EXCEEDED")
        if body.get("invoice_id") in {each.get("invoice_id") for each in living}:
            raise RefusalError("DUPLICATE_INVOICE_ID")
        names = {name: body[name] for name in ("invoice_id", "custom_id") if name in body}
        refund = {
            "id": token_hex(9).upper()[:17],
            "status": self.refund_status,
            "amount": amount,
            **names,
            "create_time": self._now(),
        }
        order.refunds.append(refund)
        self._count_refunds(order)
        self.notify("PAYMENT.CAPTURE.REFUNDED", refund)
        return Answer.of(refund, 201)

    def _count_refunds(self, order: Order) -> None:
        for capture in order.captures:
            done = [each for each in order.refunds if each["status"] == "COMPLETED"]
            total = sum(Decimal(each["amount"]["value"]) for each in done)
            whole = total >= Decimal(capture["amount"]["value"])
            capture["status"] = ("REFUNDED" if whole else "PARTIALLY_REFUNDED") if total else "COMPLETED"

    def _order(self, order: Order) -> dict[str, Any]:
        rel = "approve" if order.status == "CREATED" else "payer-action"
        parts = {name: each for name in ("captures", "refunds") if (each := getattr(order, name))}
        unit = {**order.unit, **({"payments": parts} if parts else {})}
        links = [{"href": f"{self.url}{ORDERS}/{order.id}", "rel": "self", "method": "GET"}]
        if order.status in ("CREATED", "PAYER_ACTION_REQUIRED"):
            query = urlencode({"token": order.id})
            links.append({"href": f"{self.url}{PAYERS_PAGE}?{query}", "rel": rel, "method": "GET"})
        return {
            "id": order.id,
            "intent": "CAPTURE",
            "status": order.status,
            "purchase_units": [unit],
            "update_time": f"{order.updated:%Y-%m-%dT%H:%M:%SZ}",
            "links": links,
        }

    def _payers_page(self, request: Request) -> Answer:
        order = self.orders.get(request.query.get("token", ""))
        if order is None:
            return Answer.page(
                "PayPal", "<p>订单不存在或已过期。<br>No such order, or it has expired.</p>", 404
            )
        outcome = request.form.get("outcome") if request.method == "POST" else None
        if outcome in ("paid", "declined"):
            self.approve(order.reference, declined=outcome == "declined")
        if outcome:
            back = order.cancel_url if outcome == "left" else order.return_url
            return Answer.redirect(f"{back}?{urlencode({'token': order.id, 'PayerID': 'DOUBLEPAYER'})}")
        amount = order.unit["amount"]
        facts = {
            "付款单 · Payment": order.reference,
            "金额 · Amount": f"{amount['currency_code']} {amount['value']}",
        }
        is_open = order.status in ("CREATED", "PAYER_ACTION_REQUIRED", "APPROVED")
        choices = _CHOICES if is_open else {"left": _CHOICES["left"]}
        message = "" if is_open else "已付款。 This order has been paid."
        return pay_page("PayPal", facts, choices, f"{PAYERS_PAGE}?{urlencode({'token': order.id})}", message)

    def _move(self, order: Order, status: str) -> None:
        # PayPal's times have no fractions, and what a person does takes seconds.
        self._time = max(self._time + timedelta(seconds=1), datetime.now(UTC))
        order.status, order.updated = status, self._time

    def _now(self) -> str:
        return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _transaction(thing: Mapping[str, Any], code: str, sign: str) -> dict[str, Any]:
    """Write a capture or a refund as lists of transactions do."""
    info = {
        "transaction_id": thing["id"],
        "transaction_event_code": code,
        "transaction_initiation_date": thing["create_time"].replace("Z", "+0000"),
        "transaction_updated_date": thing["create_time"].replace("Z", "+0000"),
        "transaction_amount": {**thing["amount"], "value": sign + thing["amount"]["value"]},
        "transaction_status": _LISTED.get(thing["status"], "D"),
        "invoice_id": thing.get("invoice_id", ""),
        "custom_field": thing.get("custom_id", ""),
    }
    return {"transaction_info": info}


def _refused(refusal: RefusalError) -> Answer:
    body = {
        "name": refusal.name,
        "message": "The requested action could not be performed.",
        "debug_id": token_hex(7),
        "details": [{"issue": refusal.issue, "description": refusal.issue}],
    }
    return Answer.of(body, refusal.status)
