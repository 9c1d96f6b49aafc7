"""Builders of parcels for tests."""

from typing import Any

from django.contrib.auth.models import User

from catalog.goods.models import Product
from commerce.accounts.tests.builders import PASSWORD
from commerce.ledger.models import LedgerAccount
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.moves import Move
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order, make_pick_up, make_stocked, press, top_up
from commerce.shipments.models import Carrier, Shipment
from commerce.shipments.services import Undo, record_return, ship_parcel, undo_move


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


def make_paid_pick_up(buyer: Buyer | None = None) -> Order:
    """Make a paid order of one unit that is picked up."""
    buyer = buyer or Buyer()
    return pay(buyer, make_pick_up(buyer))


def make_shipment(
    order: Order | None = None,
    tracking_no: str = "KP1001",
    *,
    units: dict[int, int] | None = None,
    **fields: object,
) -> Shipment:
    """Send an order, by default all of a new one, or units of its lines."""
    carrier = make_carrier(**fields)
    order = order or make_paid_order()
    return ship_parcel(order=order, carrier=carrier, tracking_no=tracking_no, units=units)


def send_units(order: Order, *units: int) -> list[Shipment]:
    """Send units of an order's only line, each number in a parcel of its own."""
    line = order.lines.get().pk
    sent = [make_shipment(order, f"KP100{number}", units={line: each}) for number, each in enumerate(units)]
    order.refresh_from_db()
    return sent


def make_partly_shipped(buyer: Buyer | None = None) -> Order:
    """Make a paid order of three units, two of which were sent in a parcel."""
    order = make_paid_order(buyer, (make_stocked(10), 3))
    send_units(order, 2)
    return order


def end(order: Order, move: Move, staff: User) -> OrderStatusChange:
    """End an order by an action of staff; return the row that it wrote in the history."""
    order.refresh_from_db()
    values: dict[str, Any] = {"order": order, "seen": OrderStatus(order.status), "staff": staff}
    if move == Move.record_return:
        record_return(**values)
    else:
        move_order(move=move, pickup_code=order.pickup_code, **values)
    return order.history.latest("pk")


def make_handed_over(staff: User, order: Order | None = None) -> Order:
    """Let staff hand a paid order over, by default a new one of one unit."""
    order = order or make_paid_pick_up()
    press(order, Move.prepare)
    end(order, Move.hand_over, staff)
    return order


def undo(order: Order, staff: User) -> Undo:
    """Undo the last action on an order, as the page shows it."""
    row = Order.objects.get(pk=order.pk)
    return undo_move(order=row, staff=staff, change_id=row.history.latest("pk").pk)


def make_followed(order: Order | None = None, tracking_no: str = "EA123456789AU") -> Shipment:
    """Send all of an order by a carrier that the provider of tracking knows."""
    return make_shipment(order, tracking_no, provider_code="ems")
