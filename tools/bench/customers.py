"""Customers of the bench's own, with money, address and login, and products of which there are plenty.

Their money and the stock come by the shop's own services, so that the books agree after each run.
"""

import json
import random
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import F
from django.utils import timezone

from catalog.goods.models import Storage
from catalog.goods.sellable import sellable_products
from catalog.promotions.models import Promotion, PromotionItem
from catalog.stock.models import Location, StockLevel, StockMovement
from catalog.stock.services import receive
from commerce.accounts.models import Address, AuthToken, Customer
from commerce.accounts.passwords import hash_password
from commerce.accounts.pay_hashes import hash_pay_password
from commerce.accounts.services.tokens import SLIDES_BY
from commerce.cart.models import CartItem
from commerce.delivery.models import DeliveryWindow
from commerce.delivery.windows import windows
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of, post
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.sales import count_due_sales
from commerce.orders.services import expire_due_orders
from commerce.rate_limits.models import RateLimitCounter
from commerce.vouchers.models import Voucher
from core import clock
from core.ids import digest, new_secret
from core.queues import QUEUES
from tools.bench.steps import BUYERS, CUSTOMERS, LIMIT, PASSWORD

PRODUCTS, COLD_PRODUCTS = 1000, 50
LINES, MANY_LINES = 3, 30
OFFERED_FOR, WEEK = timedelta(days=1), timedelta(days=7)
# The most that the column of a window's places holds.
MANY_PLACES = 32_767
# Wallets with less get as much again: enough for thousands of orders.
MIN_DOLLARS, DOLLARS = Decimal(10_000), Decimal(500_000)
MIN_UNITS, UNITS = 5_000, 50_000
PLACE = {
    "contacts": "Li Wei",
    "country_name": "Australia",
    "province_name": "WA",
    "area_name": "Perth",
    "address_detail": "1 Hay Street",
    "zip_code": "6000",
}
_ACCOUNTS, _TELEPHONES = "bench-{:04}@example.com", "+6141234{:04}"


def make_shoppers(number: int = CUSTOMERS) -> list[dict[str, Any]]:
    """Return what a client needs of each customer: a new login, an address, three products.

    The same customers in each run, in another order. The first BUYERS of them have a cart of their products,
    the others an empty one.
    """
    customers = _customers(number)
    random.shuffle(customers)
    addresses = dict(Address.objects.filter(customer__in=customers).values_list("customer_id", "pk"))
    wire_text = Address(**PLACE).wire_text()
    CartItem.objects.filter(customer__in=customers).delete()
    tokens = _logged_in(customers)
    products, cold = _stocked(Storage.ambient, PRODUCTS), _stocked(Storage.frozen, COLD_PRODUCTS)
    windows = _windows()
    promotion, voucher = _offers(products)
    many = _basket(products[:MANY_LINES])
    shoppers: list[dict[str, Any]] = []
    carts: list[CartItem] = []
    for customer, token in zip(customers, tokens, strict=True):
        # The last one is the gift.
        goods = random.sample(products[:-1], LINES)
        if len(shoppers) < BUYERS:
            carts += [CartItem(customer=customer, product_id=pk, amount=1) for pk in goods]
        shoppers.append(
            {
                "id": customer.pk,
                "account": customer.account,
                "password": PASSWORD,
                "token": token,
                "address": addresses[customer.pk],
                "place": wire_text,
                "goods": goods[0],
                "lines": _basket(goods),
                "cold": _basket([cold[len(shoppers) % len(cold)], *goods[1:]]),
                "window": windows[len(shoppers) % len(windows)],
                "others": _basket(goods[1:]),
                "promoted": json.dumps({"actionTypeId": promotion, "goodsId": goods[0], "goodsAmount": 1}),
                "many": many,
                "voucher": voucher,
            }
        )
    CartItem.objects.bulk_create(carts)
    return shoppers


def _basket(products: list[int]) -> str:
    """Return a unit of each product as the wire has it."""
    return json.dumps([{"goodsId": pk, "goodsAmount": 1} for pk in products])


def _customers(number: int) -> list[Any]:
    names = [_ACCOUNTS.format(each) for each in range(number)]
    there = set(Customer.objects.filter(account__in=names).values_list("account", flat=True))
    password, pay_password = hash_password(PASSWORD), hash_pay_password(PASSWORD)
    Customer.objects.bulk_create(
        Customer(account=name, password=password, pay_password=pay_password)
        for name in names
        if name not in there
    )
    # A change of how passwords are stored shall be measured as well.
    customers = Customer.objects.filter(account__in=names)
    customers.update(password=password, pay_password=pay_password)
    Address.objects.bulk_create(
        Address(customer=each, is_default=True, contact_phone=_TELEPHONES.format(each.pk % 10_000), **PLACE)
        for each in customers.filter(addresses=None)
    )
    wallet = LedgerAccount.Kind.wallet
    rich = LedgerAccount.objects.filter(kind=wallet, balance__gte=MIN_DOLLARS).values("customer")
    for customer in customers.exclude(pk__in=rich):
        assert balance_of(customer=customer, kind=wallet) < MIN_DOLLARS
        post(
            customer=customer,
            kind=wallet,
            amount=DOLLARS,
            reason=LedgerEntry.Reason.opening,
            reference=new_secret()[:40],
        )
    return list(customers.order_by("pk"))


def _logged_in(customers: list[Any]) -> list[str]:
    """Begin a login of each customer and end all others; returns the tokens."""
    tokens = [new_secret() for _ in customers]
    AuthToken.objects.filter(customer__in=customers).delete()
    AuthToken.objects.bulk_create(
        AuthToken(
            customer=customer,
            token_hash=digest(token),
            expires_at=timezone.now() + SLIDES_BY,
            used_on=timezone.localdate(),
        )
        for customer, token in zip(customers, tokens, strict=True)
    )
    return tokens


def _offers(products: list[int]) -> tuple[int, str]:
    """Return a promotion of the products, with the last of them as the gift, and a voucher for all.

    It has no orders yet, and it begins now, as the ones of earlier runs have ended.
    """
    now = timezone.now()
    times = {"starts_at": now, "ends_at": now + OFFERED_FOR}
    names = {"name_en": "Bench", "name_zh": "测试"}
    Promotion.objects.filter(**names).update(is_active=False)
    promotion = Promotion.objects.create(kind="gift", gift_from=Decimal("0.01"), **times, **names)
    PromotionItem.objects.bulk_create(
        PromotionItem(promotion=promotion, product_id=pk, quota=UNITS, is_gift=pk == products[-1])
        for pk in products
    )
    voucher, _ = Voucher.objects.update_or_create(
        code="BENCH",
        defaults=times | names | {"kind": "percent", "value": 1, "customer_limit": 0, "total_limit": 0},
    )
    return promotion.pk, voucher.code


def _windows() -> list[str]:
    """Return the windows of the van, as orders name them, each with places for all orders to come."""
    DeliveryWindow.objects.update(capacity=MANY_PLACES)
    # Those that close while it is measured are left out.
    offered = windows(DeliveryWindow.objects.all(), timezone.now() + OFFERED_FOR)
    return [clock.to_wire(window.starts_at) for window in offered if window.starts_at < timezone.now() + WEEK]


def _stocked(storage: str, number: int) -> list[int]:
    """Return products that one parcel can carry three of, with enough units in the warehouse."""
    place = Location.objects.get(fills_deliveries=True)
    levels = StockLevel.objects.filter(location=place, on_hand__gt=F("reserved"))
    wanted = sellable_products().filter(storage=storage, min_amount=1, limit_amount=0)
    products = list(
        wanted.filter(pk__in=levels.values("product"))
        .order_by("net_weight", "pk")
        .values_list("pk", flat=True)
    )[:number]
    scarce = levels.filter(product__in=products, on_hand__lt=F("reserved") + MIN_UNITS)
    units = dict.fromkeys(scarce.values_list("product", flat=True), UNITS)
    if units:
        receive(location=place, units_by_product=units, reason=StockMovement.Reason.imported)
    return products


def tidy() -> None:
    """Do the work of the scheduler and the queues since: no task consumer runs during the measuring."""
    for work in (expire_due_orders, count_due_sales):
        while work():
            pass
    # There is no mail server, and the audit would miss the messages of hours of measuring.
    OrderStatusChange.objects.filter(message_due=True).update(message_due=False)
    Order.objects.filter(invoice_due=True).update(invoice_due=False)
    RateLimitCounter.objects.filter(limit=LIMIT).delete()
    for queue in QUEUES.values():
        queue.huey.flush()
