"""Opens a trade, whose code is used for one order at most."""

from dataclasses import asdict
from datetime import timedelta

from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.orders.models import Trade
from commerce.orders.requests import Basket
from commerce.orders.services.check import check_basket, check_stock
from core.ids import new_secret

VALID = timedelta(hours=2)


def open_trade(*, customer: Customer, basket: Basket | None) -> str:
    """Make a code for one order at most, valid for two hours (docs/wire.md#totrade).

    `basket`: None when its products come with the order; else stored, after the checks of the order.
    Raises ShopError as `check_basket` and `check_stock` do; then there is no code.
    """
    if basket is not None:
        check_basket(customer=customer, basket=basket)
        check_stock(basket.units)
    trade = Trade.objects.create(
        customer=customer,
        code=new_secret(),
        draft=asdict(basket) if basket else None,
        expires_at=timezone.now() + VALID,
    )
    return trade.code
