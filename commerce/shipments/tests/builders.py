"""Builders of parcels for tests."""

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.stock.tests.builders import stock
from commerce.accounts.tests.builders import PASSWORD
from commerce.delivery.tests.builders import make_shop
from commerce.ledger.models import LedgerAccount
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, make_order, ordered, top_up
from commerce.shipments.models import Carrier, Shipment
from commerce.shipments.services import ship_parcel


def make_carrier(**fields: object) -> Carrier:
    """Return the carrier of tests, made where it is not there; without a provider unless named."""
    values = {
        "name_en": "Kangaroo Post",
        "name_zh": "袋鼠邮政",
        "tracking_link": "https://post.example/track/{number}",
    }
    return Carrier.objects.get_or_create(code="kangaroo", defaults=values | fields)[0]


def pay(buyer: Buyer, order: Order) -> Order:
    """Pay an order from its customer's wallet."""
    if not LedgerAccount.objects.filter(customer=buyer.customer).exists():
        top_up(buyer.customer)
    body = {"orderNo": order.order_no, "payType": "0", "password": PASSWORD}
    assert buyer.send("POST", "/order/pay", body)["code"] == 0
    order.refresh_from_db()
    return order


def make_paid_order(buyer: Buyer | None = None, *lines: tuple[Product, int]) -> Order:
    """Make a paid order that is sent; without lines, of two units of a product with ten."""
    buyer = buyer or Buyer()
    return pay(buyer, make_order(buyer, *lines))


def make_pick_up(buyer: Buyer) -> Order:
    """Make an order of one unit, of five, that is picked up."""
    shop, rice = make_shop(), make_product()
    stock(rice, 5, shop.location)
    return ordered(buyer.pick_up(shop, (rice, 1)))


def make_paid_pick_up(buyer: Buyer | None = None) -> Order:
    """Make a paid order of one unit that is picked up."""
    buyer = buyer or Buyer()
    return pay(buyer, make_pick_up(buyer))


def make_shipment(order: Order | None = None, tracking_no: str = "KP1001", **fields: object) -> Shipment:
    """Send all of an order, by default a new one."""
    return ship_parcel(
        order=order or make_paid_order(), carrier=make_carrier(**fields), tracking_no=tracking_no
    )


def make_followed(order: Order | None = None, tracking_no: str = "EA123456789AU") -> Shipment:
    """Send all of an order by a carrier that the provider of tracking knows."""
    return make_shipment(order, tracking_no, provider_code="ems")
