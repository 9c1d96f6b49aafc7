"""Builders of orders for tests of any app."""

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.promotions.models import Promotion
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.tests.builders import make_stocked as make_stocked
from catalog.stock.tests.builders import stock
from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import auth_headers, make_address, make_customer
from commerce.delivery.models import FreightRule, PickupShop
from commerce.delivery.slots import slots
from commerce.delivery.tests.builders import make_freight_rule, make_shop
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of, post
from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.services import mark_paid, move_order
from commerce.orders.services.dispute import dispute_order
from commerce.orders.status import OrderStatus
from core import clock
from core.errors import Err, ShopError

API = "/api/v1/pc"
# The example of the standard, no real person's number.
ID_CARD = "11010519491231002X"
Answer = dict[str, Any]


class Buyer:
    """A customer with an address in Perth, at the API."""

    def __init__(self, customer: Customer | None = None) -> None:
        self.customer = customer or make_customer()
        self.address = self.customer.addresses.first() or make_address(self.customer)
        self.client = Client(headers=auth_headers(self.customer))
        if not FreightRule.objects.exists():
            make_freight_rule()

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Call the API; every answer has status 200."""
        data = "" if body is None else json.dumps(body)
        response = self.client.generic(method, API + path, data, "application/json", headers=headers)
        assert response.status_code == 200, response.content
        answer: Answer = response.json()
        return answer

    def trade(self) -> str:
        """Ask for a code."""
        code: str = self.send("POST", "/toTrade")["result"]["transactionCode"]
        return code

    def body(self, *lines: tuple[Product, object], code: str | None = None, **kw: Any) -> Answer:
        """Build an order that is sent to the customer's address."""
        body = {
            "transactionCode": code or self.trade(),
            "orderGoods": [{"goodsId": product.pk, "goodsAmount": amount} for product, amount in lines],
            "actionGoods": [],
            "shippingType": 2,
            "deliveryAddressId": self.address.pk,
        }
        return {key: value for key, value in (body | kw).items() if value is not None}

    def order(self, *lines: tuple[Product, object], **kw: Any) -> Answer:
        """Send an order."""
        return self.send("POST", "/order", self.body(*lines, **kw))

    def refused(self, err: Err, *lines: tuple[Product, object], **kw: Any) -> Answer:
        """Send an order that is refused and changes nothing."""
        body = self.body(*lines, **kw)
        with nothing_changes():
            answer = self.send("POST", "/order", body)
        assert_refused(answer, err)
        return answer

    def pick_up(self, shop: PickupShop, *lines: tuple[Product, object], **kw: Any) -> Answer:
        """Send an order that is picked up in the shop's first free hour."""
        first = slots(shop.hours.all(), timezone.now())[0].starts_at
        pickup = {
            "shippingType": 3,
            "deliveryAddressId": None,
            "shopId": shop.pk,
            "terminalDateTime": clock.to_wire(first),
        }
        return self.order(*lines, **pickup | kw)


class BuyerInChina(Buyer):
    """A customer whose recipient lives in Shanghai."""

    def __init__(self) -> None:
        customer = make_customer()
        make_address(
            customer,
            country_name="China",
            province_name="上海市",
            city_name="浦东新区",
            area_name="",
            zip_code="200120",
        )
        super().__init__(customer)

    def body(self, *lines: tuple[Product, object], code: str | None = None, **kw: Any) -> Answer:
        """Build an order with the recipient's ID card."""
        return super().body(*lines, code=code, **{"shippingType": 1, "idCard": ID_CARD} | kw)


def ordered(answer: Answer) -> Order:
    """Return the order of an answer that is no refusal."""
    assert answer["code"] == 0, answer
    return Order.objects.get(order_no=answer["result"]["orderNo"])


def make_order(buyer: Buyer, *lines: tuple[Product, int]) -> Order:
    """Make an order through the API; without lines, of two units of a product with ten."""
    return ordered(buyer.order(*lines or [(make_stocked(), 2)]))


def make_pick_up(buyer: Buyer) -> Order:
    """Make an order of one unit, of five, that is picked up."""
    shop, rice = make_shop(), make_product()
    stock(rice, 5, shop.location)
    return ordered(buyer.pick_up(shop, (rice, 1)))


def make_paid(buyer: Buyer, *lines: tuple[Product, int]) -> Order:
    """Make an order that was paid by card."""
    order = make_order(buyer, *lines)
    assert mark_paid(order=order, pay_type="5")
    return order


def press(order: Order, *moves: Move) -> None:
    """Press the buttons of staff, one after the other."""
    for move in moves:
        order.refresh_from_db()
        move_order(order=order, move=move, seen=OrderStatus(order.status), pickup_code=order.pickup_code)
    order.refresh_from_db()


def dispute(order: Order, *, is_locked: bool = True) -> bool:
    """Let a bank dispute the payment of an order; returns whether that stopped the order."""
    orders = Order.objects.select_for_update(no_key=True) if is_locked else Order.objects
    with transaction.atomic():
        row = orders.get(pk=order.pk)
        is_stopped = dispute_order(order=row, staff=None, note="", reference=f"{order.order_no}-1-d1")
    order.refresh_from_db()
    return is_stopped


def offer(product: Product, **kw: Any) -> Promotion:
    """Make a promotion of one product at 3.50."""
    promotion = make_promotion()
    promote(promotion, product, "3.50", **kw)
    return promotion


def promoted(promotion: Promotion, *lines: tuple[Product, object]) -> list[dict[str, Any]]:
    """Write products of a promotion and their units as an order names them."""
    return [
        {"actionTypeId": promotion.pk, "goodsId": product.pk, "goodsAmount": amount}
        for product, amount in lines
    ]


def top_up(customer: Customer, dollars: int | Decimal = 500) -> None:
    """Put money into a customer's wallet."""
    post(
        customer=customer,
        kind=LedgerAccount.Kind.wallet,
        amount=Decimal(dollars),
        reason=LedgerEntry.Reason.opening,
        reference="opening",
    )


def wallet_of(customer: Customer) -> Decimal:
    """Return the dollars in a customer's wallet."""
    return balance_of(customer=customer, kind=LedgerAccount.Kind.wallet)


BOOKS = (
    "cart",
    "claims",
    "delivery",
    "invoices",
    "ledger",
    "orders",
    "payments",
    "promotions",
    "refunds",
    "shipments",
    "stock",
    "vouchers",
)


def books(but: Collection[type[Model]] = ()) -> dict[str, list[dict[str, Any]]]:
    """Copy every row of money, products and orders as it is stored, except those of some models."""
    models = {model for app in BOOKS for model in apps.get_app_config(app).get_models()}
    copied = {}
    with connection.cursor() as cursor:
        for model in models - set(but):
            table, key = map(connection.ops.quote_name, (model._meta.db_table, model._meta.pk.column))
            # Building forty queries of models takes longer than all that they read.
            cursor.execute(f"SELECT * FROM {table} ORDER BY {key}")  # noqa: S608  Django's tables
            columns = [each[0] for each in cursor.description]
            copied[model.__name__] = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    return copied


@contextmanager
def nothing_changes(but: Collection[type[Model]] = ()) -> Iterator[None]:
    """Assert that no row of the books changes in the block, except those of some models."""
    before = books(but)
    yield
    assert books(but) == before


@contextmanager
def refuses(err: Err) -> Iterator[None]:
    """Assert that the block is refused and changes no row of the books."""
    refused = None
    with nothing_changes():
        try:
            yield
        except ShopError as error:
            refused = error.err
    assert refused is err


def assert_refused(answer: Answer, err: Err) -> None:
    """Assert that an answer is a refusal, with its code and its text."""
    assert (answer["code"], answer["msg"], answer["reason"]) == (err.code, err.zh, err.name)


def audit() -> None:
    """Assert that the books agree with each other."""
    call_command("audit")
