"""Opens trades; the code of a trade allows at most one order."""

from dataclasses import asdict
from datetime import timedelta

from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.orders.models import Trade
from commerce.orders.requests import Basket
from commerce.orders.services.check import check_order, check_stock
from commerce.orders.services.wrong_codes import counting_wrong_codes
from commerce.rate_limits.services import RateLimit, consume, refunded_if_busy
from core.ids import new_secret
from core.prepared import prepared_statements

VALID = timedelta(hours=2)
# A code is valid for one rate-limit window, so a customer has at most twice this number of valid codes.
PER_CUSTOMER = RateLimit("trade", maximum=60, window=VALID)


@prepared_statements()
def open_trade(*, customer: Customer, basket: Basket | None, voucher_code: str = "") -> str:
    """Create a code for at most one order, valid for two hours (docs/wire.md#totrade).

    `basket`: checked like an order and stored; None if the products come with the order. `voucher_code`:
    checked with the basket, not stored.
    A customer has sixty attempts in two hours; refused ones count, unless the database was busy. Call it
    outside any transaction. Raises ShopError(too_frequent), and as `check_order` and `check_stock` do.
    """
    attempt = (PER_CUSTOMER, str(customer.pk))
    consume(attempt)
    with refunded_if_busy(attempt):
        if basket is not None:
            with counting_wrong_codes(customer, voucher_code):
                checked = check_order(customer=customer, basket=basket, voucher_code=voucher_code)
            check_stock(checked)
        trade = Trade.objects.create(
            customer=customer,
            code=new_secret(),
            draft=asdict(basket) if basket else None,
            expires_at=timezone.now() + VALID,
        )
    return trade.code
