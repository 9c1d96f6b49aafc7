"""Opens the one chance to order that a code stands for."""

from datetime import timedelta

from django.utils import timezone

from catalog.promotions.services import running_items
from commerce.accounts.models import Customer
from commerce.orders.goods import orderable
from commerce.orders.models import Trade
from commerce.orders.payload import read_goods
from commerce.orders.schemas import GoodsIn
from core.ids import new_secret

VALID = timedelta(hours=2)


def open_trade(*, customer: Customer, goods: GoodsIn | None) -> str:
    """Make a code for one order at most, valid for two hours (CONTRACT 4, toTrade).

    `goods`: None or without any when they come with the order; else checked now and kept.
    Raises ShopError as `read_goods`, `orderable` and `running_items` do.
    """
    draft = None
    if goods is not None and goods.has_goods:
        basket = read_goods(goods)
        running_items(basket.promotion_id, dict(basket.promoted))
        orderable(basket)
        draft = goods.model_dump(include={"orderGoods", "actionGoods"})
    trade = Trade.objects.create(
        customer=customer, code=new_secret(), draft=draft, expires_at=timezone.now() + VALID
    )
    return trade.code
