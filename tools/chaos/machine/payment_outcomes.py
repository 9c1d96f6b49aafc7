"""Payments by the books: what is collected, what it pays and what goes back.

See docs/guarantees/money.md#paid-once.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from core.errors import Err
from tools.chaos.machine.ordered import Ordered
from tools.chaos.machine.records import AUD, CANCELED, PAID, UNPAID, WALLET, Order, Payment, Refund

MAX_PAYMENTS = 20
CHARGE_OPEN = timedelta(hours=24)


@dataclass
class Settled(Ordered):
    """The books of what customers pay and top up, and of the parts that wait for the rest."""

    def refusal_of_payment(self, order: Order, now: datetime) -> Err | None:
        """Return why an order cannot be paid; None if it can."""
        if order.status == CANCELED:
            return Err.order_cancelled
        if order.status != UNPAID:
            return Err.order_paid
        return Err.order_timeout if order.expires_at <= now else None

    def refusal_of_part(self, order: Order, part: Decimal) -> Err | None:
        """Return why a wallet does not pay a part of an order; None if it does, or has."""
        missing = part - order.from_wallet
        if missing <= 0:
            return None
        if missing >= order.left:
            return Err.parameter_error
        if len(order.payments) >= MAX_PAYMENTS - 1:
            return Err.too_frequent
        return Err.balance_insufficient if self.wallets[order.buyer] < missing else None

    def begin(self, order: Order, pay_type: str, amount: Decimal, now: datetime) -> Payment:
        """Begin to pay an amount of an order."""
        reference = f"{order.number}-{len(order.payments) + 1}"
        payment = Payment(order, order.buyer, reference, pay_type, amount, now)
        order.payments.append(payment)
        self.payments.append(payment)
        return payment

    def begin_top_up(self, buyer: int, number: str, pay_type: str, amount: Decimal, now: datetime) -> Payment:
        """Begin to top a wallet up."""
        payment = Payment(None, buyer, f"{number}-1", pay_type, amount, now)
        self.payments.append(payment)
        return payment

    def hold(self, order: Order, part: Decimal, now: datetime) -> None:
        """Let the wallet pay what is missing of a part, which waits for the rest."""
        if part > order.from_wallet:
            payment = self._take(order, part - order.from_wallet, now)
            payment.is_held = payment.was_held = True

    def pay_from_wallet(self, order: Order, now: datetime) -> None:
        """Let the wallet pay all that is left."""
        self._take(order, order.left, now)
        self._pay(order)

    def _take(self, order: Order, amount: Decimal, now: datetime) -> Payment:
        payment = self.begin(order, WALLET, amount, now)
        payment.state = "paid"
        self.wallets[order.buyer] -= amount
        return payment

    def _pay(self, order: Order) -> None:
        order.status, order.was_paid = PAID, True
        for payment in order.payments:
            payment.is_held = False

    def settle(self, payments: Iterable[Payment], now: datetime) -> None:
        """Apply what the gateway knows of payments, one after the other."""
        for payment in payments:
            if payment.state == "paid":
                continue
            if payment.charge == "paid":
                self._capture(payment, now)
            elif payment.charge == "declined" or payment.begun_at <= now - CHARGE_OPEN:
                payment.state = "failed"

    def _capture(self, payment: Payment, now: datetime) -> None:
        left = payment.order.left if payment.order else payment.amount
        payment.state = "paid"
        amount, currency = payment.received
        order = payment.order
        if currency != AUD:
            self.give_back(payment, amount, "wrong_currency")
        elif amount != payment.amount:
            self.give_back(payment, amount, "wrong_amount")
        elif order is None:
            self.credit(payment.buyer, amount)
        else:
            self.use_money(payment, left, now)

    def use_money(self, payment: Payment, left: Decimal, now: datetime) -> None:
        """Use the money of a payment for its order, of which this much was left to pay, or give it back."""
        order, amount = payment.order, payment.received[0]
        assert order
        if order.status == UNPAID and amount < left:
            payment.is_held = payment.was_held = True
        elif amount >= left and (order.status == UNPAID or self._revives(order, now)):
            self._pay(order)
            if amount > left:
                self.give_back(payment, amount - left, "overpaid")
        else:
            self.give_back(payment, amount, "order_canceled" if order.status == CANCELED else "paid_twice")

    def _revives(self, order: Order, now: datetime) -> bool:
        """Take what a canceled order needs again, all of it or nothing; an hour that has begun is let go."""
        hour = order.hour if order.hour and order.hour > now else None
        if order.status != CANCELED or order.was_paid or not self._fits_again(order, hour, now):
            return False
        order.hour = hour
        self.points[order.buyer] -= order.wanted.points
        return True

    def _fits_again(self, order: Order, hour: datetime | None, now: datetime) -> bool:
        wanted, taken, shares = order.wanted, self.taken(), self.shares()
        items = [(pk, units, self.promotion.items[pk]) for pk, units in order.promoted.items()]
        return (
            (hour is None or self.has_hour(hour, now))
            and (not wanted.points or wanted.points <= self.points[order.buyer])
            and all(taken[pk] + units <= item.quota for pk, units, item in items)
            and all(not i.limit or shares[order.buyer, pk] + units <= i.limit for pk, units, i in items)
            and (wanted.voucher is None or self._has_voucher_again(order.buyer, wanted.voucher))
            and all(self.free(wanted.place, pk) >= units for pk, units in order.units.items())
        )

    def _has_voucher_again(self, buyer: int, voucher: int) -> bool:
        is_first = not any(order.buyer == buyer for order in self.living())
        return self.has_voucher(buyer, voucher) and (
            is_first or not self.vouchers[voucher].is_for_first_orders
        )

    # ── What goes back ────────────────────────────────────────────────────────────────────────────────

    def give_back(self, payment: Payment, amount: Decimal, reason: str, to: str = "source") -> Refund:
        """Let an amount of a payment go back; what goes to the wallet is there immediately."""
        to = "wallet" if payment.pay_type == WALLET else to
        state = "done" if to == "wallet" or reason == "chargeback" else "due"
        number = len(payment.refunds) + 1
        refund = Refund(payment, f"{payment.reference}-r{number}", amount, reason, to, state)
        payment.refunds.append(refund)
        if to == "wallet":
            self.credit(payment.buyer, amount)
        return refund

    def credit(self, buyer: int, amount: Decimal) -> None:
        """Put money into a wallet, which pays the debt first."""
        self.wallets[buyer] += amount
        paid = min(self.debts[buyer], self.wallets[buyer])
        self.debts[buyer] -= paid
        self.wallets[buyer] -= paid

    def return_parts(self, buyer: int | None = None) -> None:
        """Give back what waits for the rest of orders that have ended, or of a wallet with a debt."""
        for payment in self.payments:
            if payment.is_held and payment.order and buyer in (None, payment.buyer):
                is_over = payment.order.status == CANCELED
                if is_over or (payment.pay_type == WALLET and self.debts[payment.buyer]):
                    payment.is_held = False
                    self.give_back(payment, payment.amount, "order_ended" if is_over else "wallet_debt")
