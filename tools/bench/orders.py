"""Makes many orders for the shop to have, while no other process uses its database."""

import json
from typing import Any

from django.db import ProgrammingError, connection

from commerce.accounts.models import Customer
from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order
from commerce.orders.requests import Basket, Delivery, OrderIntent
from commerce.orders.services import open_trade, place_order
from commerce.payments.models import PayType
from commerce.payments.services.wallet import pay_from_wallet
from tools.bench.customers import make_shoppers, tidy
from tools.bench.steps import ORIGINALS
from tools.chaos.many_orders import copy_orders


def make_orders(number: str) -> None:
    """Let customers buy by the shop's own services, and copy their orders."""
    shoppers = sorted(make_shoppers(), key=lambda shopper: int(shopper["id"]))
    order_nos = [buy(shopper) for shopper in shoppers[:ORIGINALS]]
    tidy()
    without_checks()
    copy_orders(order_nos, int(number) // ORIGINALS)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def place(shopper: dict[str, Any]) -> Order:
    """Place a shopper's order of their three products."""
    customer = Customer.objects.get(pk=shopper["id"])
    lines = [(line["goodsId"], line["goodsAmount"]) for line in json.loads(shopper["lines"])]
    return place_order(
        customer=customer,
        code=open_trade(customer=customer, basket=None),
        intent=OrderIntent(Basket.of(lines, []), Delivery(ShippingType.domestic, shopper["address"])),
    )


def buy(shopper: dict[str, Any]) -> str:
    """Place and pay a shopper's order; returns its number."""
    order = place(shopper)
    pay_from_wallet(order=order, pay_type=PayType.objects.get(code="0"))
    return order.order_no


def without_checks() -> None:
    """Let PostgreSQL not look up each row that another names, where it may: the copies name what is there."""
    if connection.vendor != "postgresql":
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
    except ProgrammingError:
        # Only its administrators may; without it this takes longer.
        return
