"""What the books note of money: attempts to pay, and what goes back of them."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.chaos.machine.records import Order

WALLET = "0"
# Those that a gateway collects.
REDIRECTING = ("5", "2")
AUD = "AUD"


@dataclass
class Payment:
    """One attempt to pay an order, or to top a wallet up, and what the gateway itself knows of it.

    `order`: None for a top-up. `is_held`: whether it waits for the rest of its order's amount,
    `was_held`: or ever did.
    """

    order: "Order | None"
    buyer: int
    reference: str
    pay_type: str
    amount: Decimal
    begun_at: datetime
    state: str = "pending"
    charge: str = "open"
    is_held: bool = False
    was_held: bool = False
    collected: tuple[Decimal, str] | None = None
    refunds: "list[Refund]" = field(default_factory=list)

    @property
    def received(self) -> tuple[Decimal, str]:
        """What came, and in which currency."""
        return self.collected or (self.amount, AUD)

    @property
    def refunded(self) -> Decimal:
        """What goes back of it."""
        return sum((refund.amount for refund in self.refunds), Decimal(0))

    @property
    def left(self) -> Decimal:
        """What came and does not go back."""
        return self.received[0] - self.refunded


@dataclass
class Refund:
    """Money of a payment that goes back; `reference`: by which the gateway knows it now."""

    payment: Payment
    reference: str
    amount: Decimal
    reason: str
    to: str
    state: str
    is_sent: bool = False
    is_left_to_staff: bool = False
    attempts: int = 1

    @property
    def facts(self) -> tuple[str, Decimal, str, str, str, str]:
        """What the shop stores of it."""
        currency = self.payment.received[1]
        return (self.payment.reference, self.amount, currency, self.reason, self.to, self.state)
