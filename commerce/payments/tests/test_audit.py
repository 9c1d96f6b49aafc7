from collections.abc import Callable
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from catalog.stock.models import Reservation, StockLevel, StockMovement
from commerce.accounts.tests.builders import PASSWORD
from commerce.delivery.models import PickupSlot
from commerce.delivery.tests.builders import make_shop
from commerce.ledger.models import LedgerAccount
from commerce.orders.models import Order, OrderStatusChange, Trade
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, top_up
from commerce.payments.models import Payment, Refund
from commerce.payments.tests.builders import make_payment, pay

pytestmark = pytest.mark.django_db


@pytest.fixture
def paid() -> Order:
    """A shop with one order of each kind: unpaid, canceled, and paid from the wallet."""
    buyer = Buyer()
    top_up(buyer.customer)
    make_payment(buyer)
    buyer.send("PUT", f"/order/cancel/{make_order(buyer).order_no}")
    order = make_order(buyer)
    pay(buyer, order, "0", password=PASSWORD)
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
    return order


def forge_entry(order: Order) -> None:
    # By hand, since the model refuses.
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_ledgerentry SET amount = amount + 1 WHERE reason = 'payment'")


def book_nobody(order: Order) -> None:
    PickupSlot.objects.create(shop=make_shop(), starts_at=order.created_at, capacity=2, booked=1)


def forge_total(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(goods_amount=order.goods_amount + 1, freight=order.freight - 1)


FORGERIES: dict[str, tuple[Callable[[Order], object], str]] = {
    "reserved without a reservation": (lambda _: StockLevel.objects.update(reserved=7), "stock level"),
    "stock without a movement": (lambda _: StockLevel.objects.update(on_hand=99), "stock level"),
    "movement without stock": (
        lambda _: StockMovement.objects.create(level=StockLevel.objects.all()[0], units=1, reason="counted"),
        "stock level",
    ),
    "line that holds nothing": (
        lambda order: Reservation.objects.filter(reference=order.order_no).update(state="released"),
        "units of",
    ),
    "hold of no order": (lambda _: Reservation.objects.update(reference="S1"), "no order line S1"),
    "hour of no order": (book_nobody, "pick-up slot"),
    "code that was claimed in vain": (
        lambda order: Trade.objects.create(
            customer=order.customer, code="x", payload_hash="x", expires_at=order.created_at
        ),
        "claimed without an order",
    ),
    "order of a code that was not claimed": (lambda _: Trade.objects.update(payload_hash=""), "trade"),
    "total that is not the lines'": (forge_total, "lines"),
    "balance that is not the entries'": (lambda _: LedgerAccount.objects.update(balance=1), "ledger account"),
    "entry that is not the payment's": (forge_entry, "no wallet entry"),
    "paid order without money": (
        lambda _: Payment.objects.filter(state="paid").update(state="failed"),
        "received 0",
    ),
    "money of an unpaid order": (lambda _: Payment.objects.update(state="paid"), "status 1"),
    "refund of a paid order": (
        lambda order: Refund.objects.create(
            payment=order.payments.get(), amount=Decimal("0.01"), reason="paid_twice"
        ),
        "status 2",
    ),
    "refund in another currency than the payment's": (
        lambda order: (
            Payment.objects.filter(state="pending").update(
                state="paid", received_amount=Decimal("66.00"), received_currency="CNY"
            ),
            Refund.objects.create(
                payment=Payment.objects.get(received_currency="CNY"),
                amount=Decimal("66.00"),
                reason="wrong_currency",
            ),
        ),
        "received 66.00 CNY",
    ),
    "money in another currency without a refund": (
        lambda _: Payment.objects.filter(state="pending").update(
            state="paid", received_amount=Decimal("66.00"), received_currency="CNY"
        ),
        "received 66.00 CNY",
    ),
    "another amount without a refund": (
        lambda order: order.payments.update(received_amount=Decimal("0.01"), received_currency="AUD"),
        "received 0.01",
    ),
    "order paid twice": (
        lambda order: OrderStatusChange.objects.create(order=order, to_status=2, reason="payment"),
        "paid 2 times",
    ),
}


def test_consistent_books_pass(paid: Order) -> None:
    audit()


@pytest.mark.parametrize("forgery", FORGERIES)
def test_an_inconsistency_is_named_and_the_exit_code_is_1(paid: Order, forgery: str) -> None:
    forge, named = FORGERIES[forgery]
    forge(paid)
    out = StringIO()
    with pytest.raises(SystemExit) as stop:
        call_command("audit", stdout=out)
    assert stop.value.code == 1
    assert named in out.getvalue()
