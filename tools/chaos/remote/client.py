"""The shop's side of the provider over the network: what a client of a real one does."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

import httpx
from django.urls import reverse

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import (
    BadNoticeError,
    Device,
    Notice,
    Outcome,
    RefundOutcome,
    SettledPage,
    Started,
    UnavailableError,
)
from tools.chaos.remote.settings import PROVIDER_URL

TIMEOUT = httpx.Timeout(4.0, connect=2.0)


class RemoteProvider:
    """Collects in the place of the sandbox gateway; sends no notices."""

    name = "sandbox"

    def start(self, *, payment: Payment, site_url: str, device: Device) -> Started:
        """Open the charge of a payment, or find the one that is open."""
        charge = {
            "reference": payment.reference,
            "amount": str(payment.amount),
            "currency": payment.currency,
            "return_url": site_url + reverse("pay_return", args=[payment.reference]),
        }
        return Started(_ask("POST", "/charges", charge).json()["url"])

    def query(self, *, payment: Payment, may_collect: bool) -> Outcome | None:
        """Ask for the charge of a payment."""
        answer = _ask("GET", f"/charges/{payment.reference}")
        if answer.status_code == httpx.codes.NOT_FOUND:
            return None
        charge = answer.json()
        state = Payment.State.paid if charge["is_paid"] else Payment.State.pending
        return Outcome(state, charge["reference"], Decimal(charge["amount"]), charge["currency"])

    def refund(self, *, refund: Refund) -> RefundOutcome:
        """Know nothing of refunds."""
        raise UnavailableError("this provider gives nothing back")

    def query_refund(self, *, refund: Refund) -> RefundOutcome | None:
        """Know nothing of refunds."""
        raise UnavailableError("this provider gives nothing back")

    def is_disputed(self, *, payment: Payment, dispute_ref: str) -> bool:
        """Know of no dispute: it sends no notices."""
        return False

    def settled(self, *, day: date, page: int) -> SettledPage:
        """Have no lists."""
        raise UnavailableError("this provider lists nothing")

    def read_notice(self, *, headers: Mapping[str, str], body: bytes) -> Notice:
        """Refuse every notice."""
        raise BadNoticeError("this provider sends none")


def _ask(method: str, path: str, charge: dict[str, str] | None = None) -> httpx.Response:
    try:
        return httpx.request(method, PROVIDER_URL + path, json=charge, timeout=TIMEOUT)
    except httpx.HTTPError as error:
        raise UnavailableError(type(error).__name__) from error
