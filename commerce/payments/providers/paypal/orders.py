"""Reads PayPal's record of an order: its state, its captured money, and its refunds.

See docs/paypal.md#states.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any

from commerce.payments.models import Payment
from commerce.payments.providers.base import AnsweredError, Outcome
from commerce.payments.providers.paypal.client import RefusedError, Session

log = logging.getLogger(__name__)

State = Payment.State

# Ids become parts of URLs.
_ID = re.compile(r"[0-9A-Za-z-]{1,64}")
_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,3})?")
_CURRENCY = re.compile(r"[A-Z]{3}")
# The payer has not paid yet, or may still choose another way to pay.
_OPEN = frozenset({"CREATED", "SAVED", "APPROVED", "PAYER_ACTION_REQUIRED"})
# After these refusals of a capture, the payer can continue on PayPal's page.
_PAYER_GOES_ON = frozenset(
    {
        "INSTRUMENT_DECLINED",
        "ORDER_NOT_APPROVED",
        "PAYER_ACTION_REQUIRED",
        "REDIRECT_PAYER_FOR_ALTERNATE_FUNDING",
    }
)
# After these refusals, the order accepts no money any more.
_ENDED = frozenset(
    {
        "COMPLIANCE_VIOLATION",
        "DUPLICATE_INVOICE_ID",
        "MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED",
        "PAYEE_BLOCKED_TRANSACTION",
        "PAYER_ACCOUNT_LOCKED_OR_CLOSED",
        "PAYER_ACCOUNT_RESTRICTED",
        "PAYER_CANNOT_PAY",
        "TRANSACTION_LIMIT_EXCEEDED",
        "TRANSACTION_REFUSED",
    }
)


@dataclass(frozen=True)
class Asked:
    """The payment that PayPal is polled about."""

    reference: str
    order_id: str
    amount: Decimal
    currency: str

    def outcome(self, state: State) -> Outcome:
        """Return the outcome of a payment that collected no money."""
        return Outcome(state, self.reference, self.amount, self.currency)


def asked_about(payment: Payment) -> Asked:
    """Return the data to poll a payment; raises UnavailableError for an invalid id."""
    return Asked(payment.reference, checked_id(payment.provider_ref), payment.amount, payment.currency)


def checked_id(value: Any) -> str:
    """Return an id of PayPal; raises UnavailableError for any other value."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise AnsweredError("it names nothing")
    return value


def order_path(order_id: str) -> str:
    """Return the path of an order."""
    return f"/v2/checkout/orders/{checked_id(order_id)}"


def ask(session: Session, asked: Asked, *, may_collect: bool) -> Outcome | None:
    """Poll an order; with `may_collect`, capture it if its payer has approved it.

    Raises UnavailableError, RefusedError.
    """
    order = read_order(session, asked.reference, asked.order_id)
    if order is None:
        return None
    if order.get("status") == "APPROVED" and may_collect:
        return _collect(session, asked, order)
    return _outcome(asked, order)


def read_order(session: Session, reference: str, order_id: str) -> dict[str, Any] | None:
    """Return the shop's order; None if PayPal does not know it. Raises as `ask` does."""
    try:
        order = session.get(order_path(order_id))
    except RefusedError as refusal:
        if refusal.is_unknown:
            return None
        raise
    unit = _unit(order)
    if order.get("id") != order_id or {unit.get("custom_id"), unit.get("invoice_id")} != {reference}:
        log.error("payment %s: PayPal's order %s belongs to something else", reference, order_id)
        raise AnsweredError("no answer about this payment")
    return order


def _collect(session: Session, asked: Asked, order: Mapping[str, Any]) -> Outcome | None:
    try:
        captured = session.post(
            f"{order_path(asked.order_id)}/capture", {}, request_id=_request_id(asked, order)
        )
    except RefusedError as refusal:
        if "ORDER_ALREADY_CAPTURED" in refusal.issues:
            # Another poll has captured it: its answer was lost, or it ran concurrently.
            return ask(session, asked, may_collect=False)
        if refusal.issues & _PAYER_GOES_ON:
            return asked.outcome(State.pending)
        if refusal.issues & _ENDED:
            return asked.outcome(State.failed)
        raise
    if captured.get("id") != asked.order_id:
        raise AnsweredError("no answer about this payment")
    return _outcome(asked, captured)


def _request_id(asked: Asked, order: Mapping[str, Any]) -> str:
    """Return a request id for one capture of one approval.

    With one id for each payment, PayPal might repeat the refusal of a declined card after the payer chose
    another one. The id depends on the order's content, which then differs. The order itself, not the id,
    ensures that money is captured once.
    """
    return f"{asked.reference}-{sha256(repr(order).encode()).hexdigest()[:16]}"


def _outcome(asked: Asked, order: Mapping[str, Any]) -> Outcome:
    status = order.get("status")
    if status in _OPEN:
        return asked.outcome(State.pending)
    if status == "VOIDED":
        return asked.outcome(State.failed)
    if status != "COMPLETED":
        raise AnsweredError(f"an unknown status: {str(status)[:40]}")
    # A completed order only means that a capture was tried.
    captures = list(_parts(_unit(order), "captures"))
    collected = [each for each in captures if each.get("status") == "COMPLETED"]
    states = {each.get("status") for each in captures}
    if len(collected) == 1:
        amount, currency = read_amount(collected[0])
        return Outcome(State.paid, asked.reference, amount, currency, checked_id(collected[0].get("id")))
    if "PENDING" in states and not collected:
        return asked.outcome(State.pending)
    # Money that was refunded before the shop knew of it has paid for nothing.
    if states and states <= {"DECLINED", "FAILED", "REFUNDED"}:
        return asked.outcome(State.failed)
    log.error("payment %s: captures of PayPal's order %s: %s", asked.reference, asked.order_id, states)
    raise AnsweredError("captures that do not belong to this payment")


def refunds_named(order: Mapping[str, Any], reference: str) -> list[Mapping[str, Any]]:
    """Return the refunds of an order that have the shop's reference."""
    return [each for each in _parts(_unit(order), "refunds") if each.get("invoice_id") == reference]


def read_amount(thing: Mapping[str, Any]) -> tuple[Decimal, str]:
    """Return amount and currency of a capture or refund; raises UnavailableError if they are unreadable."""
    amount = thing.get("amount")
    value, currency = (
        (amount.get("value"), amount.get("currency_code")) if isinstance(amount, dict) else ("", "")
    )
    if not _AMOUNT.fullmatch(str(value)) or not _CURRENCY.fullmatch(str(currency)):
        raise AnsweredError("an amount that cannot be read")
    return Decimal(str(value)), str(currency)


def _unit(order: Mapping[str, Any]) -> Mapping[str, Any]:
    units = order.get("purchase_units")
    if not isinstance(units, list) or len(units) != 1 or not isinstance(units[0], dict):
        raise AnsweredError("an order that is none of the shop's")
    return units[0]


def _parts(unit: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    payments = unit.get("payments")
    parts = payments.get(name) if isinstance(payments, dict) else None
    yield from (each for each in (parts if isinstance(parts, list) else []) if isinstance(each, dict))
