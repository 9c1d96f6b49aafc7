"""The instructions of orders whose money staff collect."""

from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.conf import settings

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order, make_pick_up
from commerce.payments.models import PayType
from commerce.payments.tests.builders import make_van_order, pay
from core.tests.pictures import make_picture
from core.tests.queries import statements_of

pytestmark = pytest.mark.django_db

BANK = {"bank": "Bank of Perth", "holder": "Eastbowl", "bsb": "036-000", "number": "12 34", "swift": ""}


@pytest.fixture
def buyer() -> Buyer:
    PayType.objects.update(enabled=True)
    return Buyer()


def set_contact(**values: Any) -> None:
    fields = {f"bank_{name}": text for name, text in BANK.items()} | {"phone": "+61 8 1", "wechat": "east"}
    apps.get_model(settings.SHOP_SETTINGS_MODEL)._default_manager.create(**fields | values)


def instructions(buyer: Buyer, order: Order) -> Any:
    return buyer.send("GET", f"/pay/instructions/{order.order_no}")["result"]


def test_a_transfer_has_its_account_amount_reference_and_end(buyer: Buyer) -> None:
    set_contact(email="help@example.com", wechat_qr=make_picture())
    order = make_order(buyer)
    pay(buyer, order, "transfer")
    order.refresh_from_db()
    shown = instructions(buyer, order)
    assert shown.pop("wechatQr").startswith("/media/")
    assert order.expires_at
    assert shown == {
        "orderNo": order.order_no,
        "payType": "transfer",
        "payName": "线下银行转账",
        "payNameEn": "Offline bank transfer",
        "amount": float(order.pay_amount),
        "heldUntil": order.expires_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "isPickup": False,
        "shop": None,
        "deliverySlot": None,
        "deliveryUntil": None,
        "isProven": False,
        "img": "",
        "phone": "+61 8 1",
        "email": "help@example.com",
        "wechat": "east",
        "bank": BANK,
    }


def test_customer_service_has_no_account_and_cash_the_image_of_its_way(buyer: Buyer) -> None:
    set_contact()
    order = make_van_order(buyer)
    pay(buyer, order, "1")
    shown = instructions(buyer, order)
    assert (shown["payNameEn"], shown["bank"], shown["img"]) == ("Contact customer service", None, "")
    pay(buyer, order, "cashOnDelivery")
    shown = instructions(buyer, order)
    assert (shown["isPickup"], shown["img"]) == (False, "/static/img/pay-on-delivery.webp")
    other = Buyer()
    picked = make_pick_up(other)
    pay(other, picked, "cashOnDelivery")
    shown = instructions(other, picked)
    assert (shown["isPickup"], shown["img"]) == (True, "/static/img/pay-in-store.webp")
    assert shown["shop"] == picked.shop


def test_a_transfer_that_is_proven_shows_it(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, "transfer")
    Order.objects.update(pay_img="/pay/certificate/x")
    shown = instructions(buyer, order)
    # Nothing is set in this shop.
    assert (shown["isProven"], shown["bank"], shown["phone"], shown["wechatQr"]) == (True, None, "", None)


def test_there_is_nothing_to_show_of_other_orders(buyer: Buyer) -> None:
    order = make_order(buyer)
    assert instructions(buyer, order) is None
    pay(buyer, order, "1")
    assert instructions(buyer, order)
    order.refresh_from_db()
    assert order.expires_at
    with time_machine.travel(order.expires_at, tick=False):
        assert instructions(buyer, order) is None
    for status in (OrderStatus.paid, OrderStatus.canceled):
        Order.objects.update(status=status)
        assert instructions(buyer, order) is None
    answer = Buyer().send("GET", f"/pay/instructions/{order.order_no}")
    assert answer["reason"] == "order_not_found"


def test_it_takes_few_queries(buyer: Buyer) -> None:
    set_contact(wechat_qr=make_picture())
    order = make_order(buyer)
    pay(buyer, order, "transfer")
    instructions(buyer, order)
    # Token, order, settings, picture, its files, pay types, and their pictures where there are any.
    assert len(statements_of(lambda: instructions(buyer, order))) <= 7
