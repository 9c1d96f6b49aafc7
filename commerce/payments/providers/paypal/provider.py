"""PayPal: the payer approves an order on its page, then the shop captures the money (docs/paypal.md)."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Any, TypeVar

from django.urls import reverse
from pybreaker import CircuitBreakerError

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import (
    AnsweredError,
    Device,
    Notice,
    Outcome,
    RefundOutcome,
    SettledPage,
    Started,
    UnavailableError,
)
from commerce.payments.providers.paypal import disputes, orders, refunds, statements
from commerce.payments.providers.paypal.addresses import is_payers_page
from commerce.payments.providers.paypal.client import PayPalClient, RefusedError, Session
from commerce.payments.providers.paypal.notices import Certificates, read_genuine
from core.gateways import gateway
from core.languages import CHINESE

R = TypeVar("R")

# The maximum seconds for all requests of one call: a poll, and a call that moves money.
QUESTION_SECONDS, WORK_SECONDS = 4, 6
# The link to the payer's page; its name depends on how the order was created.
_PAYERS_LINKS = frozenset({"payer-action", "approve"})
# The length of `Payment.jump_url`.
MAX_LINK = 500


class PayPalProvider:
    """PayPal orders, with the account of the settings."""

    name = "paypal"

    def __init__(self) -> None:
        self._client = PayPalClient()
        self._certificates = Certificates()

    def start(self, *, payment: Payment, site_url: str, device: Device) -> Started:
        """Create an order, once for each payment, and return its page at PayPal; any device can show it.

        The page of a known order is reused: PayPal remembers a request id for hours only. With a second
        order, the shop would lose track of money in the first one.
        """
        if payment.provider_ref:
            return Started(payment.jump_url, payment.provider_ref)
        body = _new_order(payment, site_url)
        order = self._talk(
            lambda session: session.post("/v2/checkout/orders", body, request_id=payment.reference),
            seconds=WORK_SECONDS,
        )
        return Started(_payers_link(order), orders.checked_id(order.get("id")))

    def query(self, *, payment: Payment, may_collect: bool) -> Outcome | None:
        """Poll the order; with `may_collect`, capture the money if its payer has approved it.

        A payment without an order is unknown to PayPal: no customer can have paid it.
        """
        if not payment.provider_ref:
            return None
        return self._talk(
            partial(orders.ask, asked=orders.asked_about(payment), may_collect=may_collect),
            seconds=WORK_SECONDS if may_collect else QUESTION_SECONDS,
        )

    def refund(self, *, refund: Refund) -> RefundOutcome:
        """Refund money of a capture, once for each refund."""
        return self._talk(partial(refunds.send, asked=refunds.asked_for(refund)), seconds=WORK_SECONDS)

    def query_refund(self, *, refund: Refund) -> RefundOutcome | None:
        """Poll a refund, even if the answer with its id was lost."""
        return self._talk(partial(refunds.ask, asked=refunds.asked_for(refund)), seconds=QUESTION_SECONDS)

    def is_disputed(self, *, payment: Payment, dispute_ref: str) -> bool:
        """Poll a dispute."""
        return self._talk(
            partial(
                disputes.is_open,
                reference=payment.reference,
                capture_ref=payment.capture_ref,
                dispute_id=dispute_ref,
            ),
            seconds=QUESTION_SECONDS,
        )

    def settled(self, *, day: date, page: int) -> SettledPage:
        """Read a page of the transactions of a day of the shop's calendar."""
        return self._talk(partial(statements.read_page, day=day, page=page), seconds=QUESTION_SECONDS)

    def read_notice(self, *, headers: Mapping[str, str], body: bytes) -> Notice:
        """Verify the signature of a notice, then read it; raises UnavailableError without its certificate."""
        return read_genuine(headers, body, self._certificates)

    def _talk(self, work: Callable[[Session], R], *, seconds: int) -> R:
        def talk() -> R:
            with self._client.session() as session:
                return work(session)

        # The circuit breaker of the caller's slot counts failures; this gateway only limits the time.
        bounded = gateway("calls of paypal", (Exception,))
        try:
            return bounded.call(talk, seconds=seconds)
        except (TimeoutError, CircuitBreakerError):
            raise UnavailableError("the answer takes too long") from None
        except RefusedError as refusal:
            raise AnsweredError(f"refused: {refusal}") from None


def _new_order(payment: Payment, site_url: str) -> dict[str, Any]:
    back = site_url + reverse("pay_return", args=[payment.reference])
    reference = payment.reference
    unit = {
        "reference_id": reference,
        "custom_id": reference,
        "invoice_id": reference,
        "amount": {"currency_code": payment.currency, "value": f"{payment.amount:.2f}"},
    }
    experience = {
        "return_url": back,
        "cancel_url": back,
        "user_action": "PAY_NOW",
        "shipping_preference": "NO_SHIPPING",
        "locale": "zh-CN" if payment.language == CHINESE else "en-AU",
    }
    return {
        "intent": "CAPTURE",
        "purchase_units": [unit],
        "payment_source": {"paypal": {"experience_context": experience}},
    }


def _payers_link(order: Mapping[str, Any]) -> str:
    links = order.get("links")
    rows = [row for row in links if isinstance(row, dict)] if isinstance(links, list) else []
    found = [row.get("href") for row in rows if row.get("rel") in _PAYERS_LINKS]
    for link in found:
        if isinstance(link, str) and len(link) <= MAX_LINK and is_payers_page(link):
            return link
    raise AnsweredError("no page to pay at")
