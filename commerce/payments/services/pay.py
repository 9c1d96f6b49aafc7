"""Starts payments: at most one open payment for each order, pay type and amount."""

from datetime import timedelta
from decimal import Decimal
from time import monotonic

from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.accounts.services import check_pay_password
from commerce.orders.models import Order
from commerce.orders.services import find_order
from commerce.payments.hold_times import COLLECTED_BY_STAFF
from commerce.payments.models import Payment, PayType
from commerce.payments.pay_types import pay_type_of
from commerce.payments.providers.base import Device, Provider, UnavailableError
from commerce.payments.providers.registry import WALLET_PAY_TYPE, is_offered, provider_named, provider_of
from commerce.payments.providers.slots import gateway_slot
from commerce.payments.restrictions import fits, purchase_of
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.services.long_holds import check_long_hold
from commerce.payments.services.payable import (
    MAX_PAYMENTS,
    check_payable,
    check_usable,
    hold_for_staff,
    lock_payable,
)
from commerce.payments.services.query import refresh_for_customer
from commerce.payments.services.wallet import hold_from_wallet, pay_from_wallet
from core.errors import Err, ShopError
from core.money import ZERO
from core.prepared import prepared_statements
from core.transactions import in_transaction

# A notice or the customer's return usually comes first, so the scheduled poll can wait.
FIRST_QUERY = timedelta(minutes=2)
BUSY_RETRY_SECONDS = 5
QUICK_SECONDS = 1


@prepared_statements()
def pay_order(
    *,
    customer: Customer,
    order_no: str,
    pay_type: str,
    password: str,
    language: str,
    site_url: str,
    device: Device = Device.desktop,
    wallet_amount: Decimal | None = None,
) -> str | None:
    """Pay a customer's order, or start a payment; return the URL at which to pay, None if there is none.

    If a payment is open, a poll first checks that, and then the same URL is returned (docs/wire.md#orderpay).
    `language`: of the page to which the customer returns. `site_url`: the shop's own URL. `wallet_amount`:
    dollars that the wallet pays before another pay type pays the rest; None for none. Call it outside any
    transaction. Raises ShopError(order_not_found, pay_type_off, pay_type_not_for_order, order_paid,
    order_cancelled, order_timeout, balance_insufficient); parameter_error for an unknown pay type;
    too_frequent while the gateway is busy or after MAX_PAYMENTS; and as `check_pay_password`,
    `hold_from_wallet` and `check_long_hold` do.
    """
    order = find_order(customer=customer, order_no=order_no)
    chosen = pay_type_of(pay_type)
    if chosen is None:
        raise ShopError(Err.parameter_error, fields={"payType": "parameter_error"})
    check_payable(order=order)
    check_usable(pay_type=chosen, order=order, wallet_amount=wallet_amount or ZERO)
    if chosen.code in COLLECTED_BY_STAFF:
        # The wallet's part must not be taken for an order that cannot wait for the rest.
        check_long_hold(order)
    if wallet_amount is not None:
        _check_wallet(order, wallet_amount)
    provider = provider_of(chosen)
    is_wallet = provider is None and chosen.code not in COLLECTED_BY_STAFF
    if is_wallet or wallet_amount is not None:
        check_pay_password(customer=customer, password=password)
    if is_wallet:
        pay_from_wallet(order=order, pay_type=chosen)
        return None
    if wallet_amount is not None:
        hold_from_wallet(order=order, amount=wallet_amount, pay_type=chosen.code)
    if provider is None:
        hold_for_staff(order=order, pay_type=chosen.code)
        return None
    payment = open_payment(order=order, pay_type=chosen, provider=provider, language=language)
    if payment.jump_url:
        # If the payment has ended at the provider, for example a declined charge, its link is dead.
        asked_at = monotonic()
        refresh_for_customer(payments=order.payments.filter(pk=payment.pk))
        payment = open_payment(order=order, pay_type=chosen, provider=provider, language=language)
        if payment.jump_url and monotonic() - asked_at >= QUICK_SECONDS:
            # A slow provider is not called a second time while the customer waits.
            return payment.jump_url
    return fresh_link(payment, site_url, device)


def _check_wallet(order: Order, amount: Decimal) -> None:
    """Raise as `check_usable` does if the wallet cannot pay an amount of an order now."""
    wallet = pay_type_of(WALLET_PAY_TYPE)
    if wallet is None or not is_offered(wallet):
        raise ShopError(Err.pay_type_off, fields={"walletAmount": "pay_type_off"})
    if not fits(wallet, purchase_of(order, amount)):
        raise ShopError(Err.pay_type_not_for_order, fields={"walletAmount": "pay_type_not_for_order"})


@in_transaction
def open_payment(*, order: Order, pay_type: PayType, provider: Provider, language: str) -> Payment:
    """Return the open payment by a pay type for what is left of an order; create it if there is none.

    Locks: Order, Payment. Raises ShopError(too_frequent) beyond MAX_PAYMENTS, and as `check_payable` does.
    """
    lock_payable(order=order, pay_type=pay_type.code)
    amount = left_to_pay(order)
    open_ones = order.payments.filter(pay_type=pay_type.code, state=Payment.State.pending)
    existing = open_ones.filter(amount=amount).first()
    if existing:
        return existing
    if order.payments.count() >= MAX_PAYMENTS:
        raise ShopError(Err.too_frequent)
    return Payment.objects.create(
        order=order,
        reference=Payment.next_reference(order),
        pay_type=pay_type.code,
        provider=provider.name,
        amount=amount,
        language=language,
        next_query_at=timezone.now() + FIRST_QUERY,
    )


def fresh_link(payment: Payment, site_url: str, device: Device) -> str:
    """Return the URL of an open payment's page: a new one of its provider, else the stored one.

    Call it outside any transaction. Raises ShopError(too_frequent) if there is none.
    """
    try:
        # Also if a URL is stored, since it may have expired.
        return start(payment, site_url, device)
    except ShopError:
        if payment.jump_url:
            return payment.jump_url
        raise


def start(payment: Payment, site_url: str, device: Device) -> str:
    """Start a payment at its provider; return the URL to which the browser is redirected.

    Call it outside any transaction. Raises ShopError(too_frequent) while the provider is unavailable.
    """
    # The payment's own provider, since notices and answers of another one do not count for it.
    provider = provider_named(payment.provider)
    if provider is None:
        raise ShopError(Err.too_frequent, retry_after=BUSY_RETRY_SECONDS)
    try:
        with gateway_slot(provider.name):
            started = provider.start(payment=payment, site_url=site_url, device=device)
    except UnavailableError:
        raise ShopError(Err.too_frequent, retry_after=BUSY_RETRY_SECONDS) from None
    Payment.objects.filter(pk=payment.pk).update(jump_url=started.jump_url, provider_ref=started.provider_ref)
    return started.jump_url
