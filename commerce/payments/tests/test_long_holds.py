"""Holds of a customer without a paid order until staff collect (docs/guarantees/orders.md#unpaid-orders)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from catalog.stock.tests.builders import stock
from commerce.delivery.models import PickupShop
from commerce.delivery.slots import slots
from commerce.delivery.tests.builders import make_shop
from commerce.orders.models import Order
from commerce.orders.services import cancel_order, mark_paid, place
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Answer,
    Buyer,
    assert_refused,
    audit,
    make_order,
    make_stocked,
    nothing_changes,
    ordered,
    top_up,
    wallet_of,
)
from commerce.orders.tests.shoppers import Shopper
from commerce.payments.models import Certificate, PayType
from commerce.payments.services import payable
from commerce.payments.tests.builders import make_paid_payment, make_pay_types, make_van_order, pay
from core import clock
from core.errors import Err
from core.ids import new_secret
from core.tests.races import SHOWS_RACES
from core.tests.rows import rolled_back
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

COLLECTED = ("1", "transfer", "cashOnDelivery")


@pytest.fixture(autouse=True)
def _all_pay_types(db: None) -> None:
    if not PayType.objects.exists():
        make_pay_types()
    PayType.objects.update(enabled=True)


def refused(buyer: Buyer, order: Order, err: Err, pay_type: str = "transfer", **kw: Any) -> Answer:
    with nothing_changes():
        answer = pay(buyer, order, pay_type, **kw)
    assert_refused(answer, err)
    assert answer["fields"] == {"payType" if err is Err.one_long_hold else "orderGoods": err.name}
    return answer


def send_picture(buyer: Buyer, order: Order) -> Answer:
    picture = Certificate.objects.create(customer=buyer.customer, name=new_secret())
    body = {"imgUrl": f"/pay/certificate/{picture.name}?key=anything", "orderNo": order.order_no}
    return buyer.send("POST", "/savePayCertificates", body)


def test_before_the_first_paid_order_one_order_waits_for_staff(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    held, other = make_van_order(buyer), make_van_order(buyer)
    for pay_type in COLLECTED:
        with subtests.test(pay_type=pay_type), rolled_back():
            assert pay(buyer, held, pay_type)["code"] == 0
            for again in COLLECTED:
                refused(buyer, other, Err.one_long_hold, again)
                assert pay(buyer, held, again)["code"] == 0
            assert pay(buyer, other, "5")["code"] == 0
            # The choice of another pay type shortens no time.
            assert pay(buyer, held, "5")["code"] == 0
            refused(buyer, other, Err.one_long_hold)
            cancel_order(customer=buyer.customer, order_no=held.order_no)
            assert pay(buyer, other, pay_type)["code"] == 0


def test_the_picture_of_a_transfer_begins_no_second_one(buyer: Buyer) -> None:
    held, other = make_van_order(buyer), make_order(buyer)
    assert pay(buyer, held, "cashOnDelivery")["code"] == 0
    with nothing_changes(but=[Certificate]):
        assert_refused(send_picture(buyer, other), Err.one_long_hold)
    assert not other.certificates.exists()
    assert send_picture(buyer, held)["code"] == 0


def test_after_a_paid_order_several_orders_wait_with_any_units(buyer: Buyer) -> None:
    make_paid_payment(buyer)
    for _ in range(2):
        assert pay(buyer, make_order(buyer, (make_stocked(10), 10)), "transfer")["code"] == 0
    audit()


@pytest.mark.parametrize("status", [OrderStatus.chargeback, OrderStatus.canceled])
def test_a_disputed_or_refunded_order_is_no_paid_one(buyer: Buyer, status: OrderStatus) -> None:
    first = make_order(buyer)
    mark_paid(order=first, pay_type="5")
    Order.objects.filter(pk=first.pk).update(status=status)
    assert pay(buyer, make_order(buyer), "transfer")["code"] == 0
    refused(buyer, make_order(buyer), Err.one_long_hold)


def test_an_order_that_waits_has_a_quarter_of_a_products_stock_at_most(buyer: Buyer) -> None:
    rice, tea, last = make_stocked(9, name_en="Rice", name_zh="米"), make_stocked(9), make_stocked(1)
    order = make_order(buyer, (rice, 4), (tea, 3), (last, 1))
    answer = refused(buyer, order, Err.long_hold_share)
    assert answer["whyEn"] == (
        "Until your first order is paid, this payment method is for at most 3 × Rice. Please pay another "
        "way, or cancel the order and order less."
    )
    assert answer["why"] == "首单付款前，此付款方式最多可用于 3 × 米。请换付款方式，或取消订单后减少数量。"
    with nothing_changes(but=[Certificate]):
        assert_refused(send_picture(buyer, order), Err.long_hold_share)
    assert pay(buyer, order, "5")["code"] == 0
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    assert pay(buyer, make_order(buyer, (rice, 3), (tea, 3), (last, 1)), "transfer")["code"] == 0
    # Units that others reserve change nothing: the share is of all units.
    other = Buyer()
    assert pay(other, make_order(other, (rice, 3)), "transfer")["code"] == 0


def test_a_refused_transfer_takes_no_part_from_the_wallet(buyer: Buyer) -> None:
    top_up(buyer.customer, 5)
    held, other = make_order(buyer), make_order(buyer)
    assert pay(buyer, held, "transfer")["code"] == 0
    refused(buyer, other, Err.one_long_hold, walletAmount=5, password="888888")
    assert wallet_of(buyer.customer) == 5


def place_in(shop: PickupShop, number: int) -> dict[str, Any]:
    """Name one of the shop's free hours."""
    hour = slots(shop.hours.all(), timezone.now())[number].starts_at
    return {"terminalDateTime": clock.to_wire(hour)}


def test_before_the_first_paid_order_an_hour_has_one_unpaid_order_of_a_customer(buyer: Buyer) -> None:
    shop, rice = make_shop(), make_stocked()
    stock(rice, 20, shop.location)
    first = ordered(buyer.pick_up(shop, (rice, 1)))
    body = buyer.body((rice, 1), shippingType=3, deliveryAddressId=None, shopId=shop.pk, **place_in(shop, 0))
    with nothing_changes():
        assert_refused(buyer.send("POST", "/order", body), Err.one_unpaid_place)
    assert buyer.pick_up(shop, (rice, 1), **place_in(shop, 1))["code"] == 0
    assert Buyer().pick_up(shop, (rice, 1))["code"] == 0
    cancel_order(customer=buyer.customer, order_no=first.order_no)
    # The code of the refused order is still good.
    assert mark_paid(order=ordered(buyer.send("POST", "/order", body)), pay_type="5")
    assert [buyer.pick_up(shop, (rice, 1))["code"] for _ in range(2)] == [0, 0]


def held_by_concurrent_transfers() -> int:
    """Choose the transfer for four orders of a new customer concurrently; return how many are held."""
    buyer = Buyer()
    orders = [make_order(buyer) for _ in range(4)]
    buyers = [(Buyer(buyer.customer), order) for order in orders]
    concurrently(lambda pair: pay(*pair, "transfer"), buyers)
    late = timezone.now() + timedelta(hours=1)
    return buyer.customer.orders.filter(expires_at__gt=late).count()


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_transfers_of_a_new_customer_one_is_held() -> None:
    assert held_by_concurrent_transfers() == 1


@pytest.mark.django_db(transaction=True)
def test_control_without_the_customers_lock_several_orders_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payable, "lock_customer", lambda _customer: None)
    # A single attempt may miss the moment.
    held = max(held_by_concurrent_transfers() for _ in range(5))
    assert held > 1 if SHOWS_RACES else held == 1


def orders_of_one_hour() -> int:
    """Order four times concurrently for one hour, as a new customer; return how many orders exist."""
    shop, rice, buyer = make_shop(), make_stocked(), Buyer()
    stock(rice, 20, shop.location)
    shoppers = [Shopper(buyer.customer) for _ in range(4)]
    hour = {"shippingType": 3, "deliveryAddressId": None, "shopId": shop.pk, **place_in(shop, 0)}
    concurrently(lambda shopper: shopper.buy((rice, 1), **hour), shoppers)
    return buyer.customer.orders.count()


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_orders_of_a_new_customer_an_hour_has_one() -> None:
    assert orders_of_one_hour() == 1


@pytest.mark.django_db(transaction=True)
def test_control_without_the_customers_lock_an_hour_has_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "lock_customer", lambda _customer: None)
    monkeypatch.setattr(place, "remove_ordered_items", lambda **_units: None)
    made = max(orders_of_one_hour() for _ in range(5))
    assert made > 1 if SHOWS_RACES else made == 1
