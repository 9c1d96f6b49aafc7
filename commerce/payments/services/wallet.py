"""Pays orders from the customer's wallet: all that is left, or a part that awaits the rest."""

from decimal import Decimal

from django.utils import timezone

from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post
from commerce.orders.models import Order
from commerce.orders.services import pay_in_time
from commerce.payments.models import Payment, PayType
from commerce.payments.providers.registry import WALLET, WALLET_PAY_TYPE
from commerce.payments.services.left_to_pay import held_by_wallet, left_to_pay
from commerce.payments.services.payable import MAX_PAYMENTS, lock_payable, refuse_payment
from core.errors import Err, ShopError
from core.money import ZERO
from core.transactions import in_transaction


@in_transaction
def pay_from_wallet(*, order: Order, pay_type: PayType) -> None:
    """Pay what is left of an order from the customer's wallet and mark it paid, in one transaction.

    Locks: Order, Payment, LedgerAccount. Raises ShopError(balance_insufficient), and as `check_payable` does.
    """
    if not pay_in_time(order=order, pay_type=pay_type.code):
        refuse_payment(order)
    _take(order, left_to_pay(order), is_held=False)
    order.payments.filter(is_held=True).update(is_held=False)


@in_transaction
def hold_from_wallet(*, order: Order, amount: Decimal, pay_type: str) -> None:
    """Pay a part of an order's amount from the customer's wallet; it is held until the rest is paid.

    `amount`: dollars that the wallet pays in total; what it has paid already is not taken again. `pay_type`:
    of the rest. The part returns to the wallet if the order ends unpaid. Locks: Order, Payment,
    LedgerAccount. Raises ShopError(parameter_error) for an amount that leaves nothing to pay; too_frequent if
    no payment would be left for the rest; balance_insufficient; and as `check_payable` does.
    """
    lock_payable(order=order, pay_type=pay_type)
    missing = amount - held_by_wallet(order)
    if missing <= ZERO:
        return
    if missing >= left_to_pay(order):
        raise ShopError(Err.parameter_error, fields={"walletAmount": Err.parameter_error.name})
    if order.payments.count() >= MAX_PAYMENTS - 1:
        raise ShopError(Err.too_frequent)
    _take(order, missing, is_held=True)


def _take(order: Order, amount: Decimal, *, is_held: bool) -> None:
    payment = Payment.objects.create(
        order=order,
        reference=Payment.next_reference(order),
        pay_type=WALLET_PAY_TYPE,
        provider=WALLET,
        amount=amount,
        state=Payment.State.paid,
        is_held=is_held,
        settled_at=timezone.now(),
    )
    post(
        customer=order.customer,
        kind=LedgerAccount.Kind.wallet,
        amount=-payment.amount,
        reason=LedgerEntry.Reason.payment,
        reference=payment.reference,
    )
