import pytest

from commerce.orders.models import Order
from commerce.orders.searching import search_orders
from commerce.orders.tests.builders import Buyer, make_order
from commerce.shipments.tests.builders import make_paid_order, make_shipment

pytestmark = pytest.mark.django_db


def test_staff_find_an_order_by_the_whole_tracking_number_of_a_parcel() -> None:
    make_order(Buyer())
    sent = make_shipment(tracking_no="KP1001").order
    assert list(search_orders(Order.objects.all(), "kp 1001")) == [sent]
    assert not search_orders(Order.objects.all(), "KP10")


def test_customers_find_their_own_orders_alone_by_a_tracking_number() -> None:
    buyer = Buyer()
    mine = make_shipment(make_paid_order(buyer), "KP1001").order
    make_order(buyer)
    make_shipment(tracking_no="KP1001")
    answer = buyer.send("POST", "/orderInfo", {"word": "kp 1001"})["result"]
    assert [order["orderNo"] for order in answer["list"]] == [mine.order_no]
