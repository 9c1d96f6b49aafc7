"""Buyers of races."""

import time
from typing import Any

from catalog.goods.models import Product
from commerce.accounts.models import Customer
from commerce.orders.tests.builders import Buyer


class Shopper(Buyer):
    """A buyer who already has a code, so that only the order itself is timed."""

    def __init__(self, customer: Customer | None = None) -> None:
        super().__init__(customer)
        self.code = self.trade()
        self.seconds = 0.0

    def buy(self, *lines: tuple[Product, int], **kw: Any) -> str:
        """Send the order; returns "ok" or the reason of the refusal."""
        body = self.body(*lines, code=self.code, **kw)
        start = time.perf_counter()
        answer = self.send("POST", "/order", body)
        self.seconds = time.perf_counter() - start
        return answer.get("reason") or "ok"
