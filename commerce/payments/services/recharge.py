"""Starts top-ups of wallets; `settle` credits their money."""

from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.payments.models import Payment, PayType, Recharge
from commerce.payments.providers.base import Device, Provider
from commerce.payments.providers.registry import offered_pay_types, provider_of
from commerce.payments.restrictions import Purchase
from commerce.payments.services.pay import FIRST_QUERY, fresh_link, start
from commerce.payments.services.query import refresh_recharge
from commerce.rate_limits.services import RateLimit, consume
from core.errors import Err, ShopError
from core.ids import new_number
from core.money import aud
from core.transactions import in_transaction

NUMBER_PREFIX = "R"
MIN_AMOUNT = Decimal("1.00")
# Each top-up starts a payment at a provider.
PER_CUSTOMER = RateLimit("recharge", maximum=20, window=timedelta(days=1))


def start_recharge(
    *,
    customer: Customer,
    pay_type: str,
    amount: Decimal,
    source: str,
    language: str,
    site_url: str,
    device: Device,
) -> tuple[Recharge, str]:
    """Start a top-up of a customer's wallet; return it and the URL at which to pay.

    `pay_type`: one that a provider collects. `amount`: dollars, MIN_AMOUNT to MAX_RECHARGE. The other
    arguments are those of `pay_order`. Call it outside any transaction. Raises ShopError(parameter_error) for
    another pay type or amount; too_frequent beyond 20 a day, and while the provider is unavailable.
    """
    if amount != aud(amount) or not MIN_AMOUNT <= amount <= settings.MAX_RECHARGE:
        raise ShopError(Err.parameter_error, fields={"rechargeAmount": Err.parameter_error.name})
    chosen = next((row for row in offered_pay_types(Purchase(amount)) if row.code == pay_type), None)
    provider = provider_of(chosen) if chosen else None
    if chosen is None or provider is None:
        raise ShopError(Err.parameter_error, fields={"payType": Err.parameter_error.name})
    consume((PER_CUSTOMER, str(customer.pk)))
    payment = _open(customer, chosen, provider, amount, source, language)
    assert payment.recharge
    return payment.recharge, start(payment, site_url, device)


def continue_recharge(*, customer: Customer, number: str, site_url: str, device: Device) -> str | None:
    """Return the URL at which to pay a customer's open top-up; None once it has ended.

    The provider is polled first, to check that it can still be paid. Call it outside any transaction. Raises
    ShopError(recharge_not_found); too_frequent while the provider is unavailable.
    """
    recharge = refresh_recharge(customer=customer, number=number)
    if recharge is None:
        raise ShopError(Err.recharge_not_found)
    payment = recharge.payments.filter(state=Payment.State.pending).first()
    if payment is None:
        return None
    return fresh_link(payment, site_url, device)


@in_transaction
def _open(
    customer: Customer, pay_type: PayType, provider: Provider, amount: Decimal, source: str, language: str
) -> Payment:
    # The lock ensures that a concurrently deleted account gets no money into its wallet.
    lock_customer(customer)
    recharge = Recharge.objects.create(
        number=new_number(NUMBER_PREFIX), customer=customer, amount=amount, source=source
    )
    return Payment.objects.create(
        recharge=recharge,
        reference=f"{recharge.number}-1",
        pay_type=pay_type.code,
        provider=provider.name,
        amount=amount,
        language=language,
        next_query_at=timezone.now() + FIRST_QUERY,
    )
