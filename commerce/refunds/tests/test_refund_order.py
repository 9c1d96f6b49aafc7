"""What a refund does to an order's money, stock and life (docs/guarantees/money.md#refunds-of-orders)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from catalog.stock.models import StockLevel, StockMovement
from commerce.accounts.tests.builders import PASSWORD
from commerce.delivery.models import PickupSlot
from commerce.ledger.models import LedgerEntry
from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.services import mark_paid
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    dispute,
    make_order,
    make_stocked,
    ordered,
    press,
    refuses,
    top_up,
    wallet_of,
)
from commerce.payments.models import Payment, Refund
from commerce.payments.services import open_dispute, refresh_payment
from commerce.payments.tests.builders import decide, make_paid_payment, pay
from commerce.refunds.models import OrderRefund
from commerce.refunds.services import mark_of, preview_refund
from commerce.refunds.tests.builders import make_staff, refund, wish
from commerce.refunds.worth import FreightPart
from commerce.shipments.services import cancel_unshipped, record_return, units_left
from commerce.shipments.tests.builders import (
    make_paid_order,
    make_paid_pick_up,
    make_partly_shipped,
    make_shipment,
    send_units,
)
from commerce.vouchers.models import Voucher, VoucherUse
from commerce.vouchers.tests.builders import make_voucher
from core.errors import Err

pytestmark = pytest.mark.django_db


def stock_of(order: Order) -> tuple[int, int]:
    level = StockLevel.objects.get(product=order.lines.get().product)
    return level.on_hand, level.reserved


def refused(err: Err, order: Order, **kw: Any) -> None:
    with refuses(err):
        refund(order, **kw)


def paid_in_parts() -> tuple[Order, Payment]:
    """Make an order of two units at 30.00 of which the wallet has paid 20.00; returns the rest's payment."""
    buyer = Buyer()
    order = make_order(buyer, (make_stocked(price=Decimal("30.00")), 2))
    top_up(buyer.customer, 500)
    assert pay(buyer, order, "5", password=PASSWORD, walletAmount=20)["code"] == 0
    card = order.payments.get(pay_type="5")
    decide(card)
    refresh_payment(payment=card)
    order.refresh_from_db()
    return order, card


def test_a_part_goes_back_to_the_wallet_it_came_from_and_is_sold_again() -> None:
    order = make_paid_order(Buyer(), (make_stocked(10, price=Decimal("4.49"), gst_free=False), 3))
    before, line = wallet_of(order.customer), order.lines.get()

    made = refund(order, wish(line, 1), to=Refund.To.source)

    line.refresh_from_db()
    found = (made.number, made.goods_amount, made.freight_amount)
    assert found == (f"CN-{order.order_no}-1", Decimal("4.49"), Decimal(0))
    assert (line.refunded_units, line.refunded_amount, line.unsent) == (1, Decimal("4.49"), 1)
    assert wallet_of(order.customer) == before + Decimal("4.49")
    [leg] = made.legs.all()
    assert (leg.refund.to, leg.refund.state, leg.refund.reason) == ("wallet", "done", "order_refund")
    assert LedgerEntry.objects.filter(reason="refund").count() == 1
    assert (order.status, stock_of(order)) == (OrderStatus.paid, (10, 2))
    # The rest is sent as ever.
    make_shipment(order)
    order.refresh_from_db()
    assert (order.status, stock_of(order)) == (OrderStatus.shipped, (8, 0))
    audit()


def test_a_whole_refund_before_anything_left_ends_the_order_for_good() -> None:
    buyer = Buyer()
    order = make_order(buyer, (make_stocked(), 2))
    payment = make_paid_payment(buyer, order)
    order.refresh_from_db()

    made = refund(order)

    assert made.amount == order.pay_amount
    assert (order.status, stock_of(order)) == (OrderStatus.canceled, (10, 0))
    assert order.history.filter(reason="refunded").get().to_status == OrderStatus.canceled
    [leg] = made.legs.all()
    assert (leg.refund.to, leg.refund.amount) == ("source", order.pay_amount)
    payment.refresh_from_db()
    assert payment.refunded == order.pay_amount
    assert not mark_paid(order=order, pay_type="5")
    audit()
    refused(Err.nothing_to_refund, order)


def test_a_whole_refund_gives_the_hour_and_the_voucher_back() -> None:
    make_voucher(code="TEN", total_limit=1, customer_limit=1)
    buyer = Buyer()
    by_van = ordered(buyer.order((make_stocked(), 2), voucherCode="TEN"))
    make_paid_payment(buyer, by_van)
    by_van.refresh_from_db()
    pick_up = make_paid_pick_up(buyer)
    assert PickupSlot.objects.get().booked == 1

    refund(by_van, wish(by_van.lines.get(), 1))
    assert Voucher.objects.get().taken == 1
    refund(by_van)
    refund(pick_up)

    assert (Voucher.objects.get().taken, VoucherUse.objects.get().orders) == (0, 0)
    assert (PickupSlot.objects.get().booked, pick_up.pickup_slot) == (0, None)
    audit()


def test_what_came_from_the_wallet_goes_back_there_first_then_by_the_newest_payment() -> None:
    order, _card = paid_in_parts()
    line = order.lines.get()

    preview = preview_refund(
        order=order, lines=[wish(line, 1)], freight=FreightPart.none, to=Refund.To.source
    )
    made = refund(order, wish(line, 1))

    legs = [(leg.refund.payment.pay_type, leg.refund.to, leg.refund.amount) for leg in made.legs.all()]
    assert legs == [("0", "wallet", Decimal("20.00")), ("5", "source", Decimal("10.00"))]
    assert [(row.pay_type, amount, way) for row, amount, way in preview.money] == [
        ("0", Decimal("20.00"), "wallet"),
        ("5", Decimal("10.00"), "provider"),
    ]
    assert wallet_of(order.customer) == 500
    to_wallet = refund(order, to=Refund.To.wallet)
    assert wallet_of(order.customer) == 500 + to_wallet.amount
    assert made.amount + to_wallet.amount == order.pay_amount
    audit()


def test_units_that_came_back_go_into_stock_where_staff_show_it_and_never_more_than_left() -> None:
    order = make_partly_shipped()
    line = order.lines.get()
    refused(Err.restock_above_sent, order, lines=[wish(line, 3, restocked=3)])

    refund(order, wish(line, 1))
    # The last one was left out, so the order goes on as shipped.
    assert (order.status, stock_of(order)) == (OrderStatus.shipped, (8, 0))
    line.refresh_from_db()
    refund(order, wish(line, 2, "1.00", restocked=1))
    assert stock_of(order) == (9, 0)
    assert StockMovement.objects.filter(reason="returned").get().units == 1
    line.refresh_from_db()
    assert (line.unsent, line.refunded_units, order.status) == (1, 3, OrderStatus.shipped)
    audit()


@pytest.mark.both_databases
def test_units_that_were_refunded_before_their_parcel_came_back_are_not_sent_again() -> None:
    order = send_units(make_paid_order(None, (make_stocked(10), 5)), 3, 2)[0].order
    order.refresh_from_db()
    line = order.lines.get()
    refund(order, wish(line, 1, restocked=1))
    record_return(order=order, seen=OrderStatus.shipped)
    order.refresh_from_db()
    assert units_left(order) == {line.pk: 4}
    press(order, Move.pack)
    sent = make_shipment(order, "KP2001")
    order.refresh_from_db()
    assert (sent.lines.get().units, order.status, stock_of(order)) == (4, OrderStatus.shipped, (6, 0))
    audit()


def sent_by_van() -> Order:
    order = make_paid_order()
    press(order, Move.send_out)
    return order


@pytest.mark.parametrize("send", [lambda: make_shipment().order, sent_by_van])
@pytest.mark.parametrize("is_packed", [False, True])
def test_the_form_puts_units_of_an_order_that_came_back_into_stock_as_the_refund_does(
    send: Callable[[], Order], is_packed: bool
) -> None:
    order = send()
    order.refresh_from_db()
    record_return(order=order, seen=OrderStatus(order.status))
    if is_packed:
        press(order, Move.pack)
    line, on_hand = order.lines.get(), stock_of(order)[0]
    for units, restocked in ((1, 1), (line.amount - 1, line.amount - 1)):
        line.refresh_from_db()
        wished = wish(line, units, restocked=restocked)
        shown = preview_refund(order=order, lines=[wished], freight=FreightPart.none, to=Refund.To.source)
        made = refund(order, wished)
        assert shown.priced.amount == made.amount
    assert (order.status, stock_of(order)) == (OrderStatus.returned, (on_hand + line.amount, 0))
    audit()


def test_money_for_units_that_were_left_out_goes_back_and_nothing_into_stock() -> None:
    order = make_partly_shipped()
    line = order.lines.get()
    cancel_unshipped(order=order, seen=OrderStatus.partly_shipped, note="Sold out", staff=make_staff())
    refund(order, wish(line, 1))
    line.refresh_from_db()
    assert (line.unsent, line.refunded_units, stock_of(order)) == (1, 1, (8, 0))
    audit()


def test_an_order_that_came_back_and_is_refunded_is_not_sent_again() -> None:
    order = make_shipment().order
    record_return(order=order, seen=OrderStatus.shipped)
    press(order, Move.pack)
    line = order.lines.get()
    refund(order, wish(line, 2, restocked=2))
    assert (order.status, stock_of(order)) == (OrderStatus.returned, (10, 0))
    audit()


def test_a_pick_up_that_was_not_collected_is_canceled_by_its_refund() -> None:
    order = make_paid_pick_up()
    press(order, Move.prepare, Move.record_return)
    refund(order)
    assert (order.status, PickupSlot.objects.get().booked) == (OrderStatus.canceled, 0)
    audit()


def test_what_was_handed_over_stays_so_and_dollars_alone_change_no_units() -> None:
    order = make_paid_pick_up()
    press(order, Move.prepare, Move.hand_over)
    line = order.lines.get()
    refund(order, wish(line, 0, "0.50"))
    refund(order)
    line.refresh_from_db()
    assert (order.status, line.unsent, line.refunded_units) == (OrderStatus.completed, 0, 1)
    assert line.refunded_amount == line.in_money
    audit()


def test_a_refund_is_refused_whole() -> None:
    order = make_order(Buyer(), (make_stocked(), 2))
    refused(Err.not_refundable, order)
    paid = make_paid_order()
    refused(Err.note_missing, paid, note=" ")
    refused(Err.order_moved, paid, seen="0-0")
    refused(Err.refund_above_paid, paid, lines=[wish(paid.lines.get(), 3)])
    # More was given back of the payment than of the order, for example by hand.
    Payment.objects.filter(order=paid).update(refunded=paid.pay_amount)
    refused(Err.refund_above_paid, paid)
    dispute(paid)
    refused(Err.not_refundable, paid)


def test_what_a_disputed_order_had_from_the_wallet_can_still_go_back() -> None:
    order, card = paid_in_parts()
    open_dispute(payment=card, note="Case 1")
    line = order.lines.get()

    # The bank gives back what it has taken.
    refused(Err.refund_above_paid, order, lines=[wish(line, 1)])
    refund(order, wish(line, 1, "20.00"))

    assert (wallet_of(order.customer), stock_of(order)) == (Decimal(500), (10, 0))
    assert order.status == OrderStatus.chargeback
    card.refresh_from_db()
    assert Refund.objects.get(payment=card).amount == card.refunded == card.amount
    refused(Err.not_refundable, order)
    audit()


def test_one_press_refunds_once() -> None:
    order = make_paid_order()
    line, seen = order.lines.get(), mark_of(order)
    refund(order, wish(line, 0, "1.00"), seen=seen)
    refused(Err.order_moved, order, lines=[wish(line, 0, "1.00")], seen=seen)
    assert OrderRefund.objects.count() == 1


def test_cents_that_no_binary_fraction_has_add_up_to_all_that_was_paid() -> None:
    order = make_paid_order(Buyer(), (make_stocked(price=Decimal("0.30")), 1))
    refund(order, wish(order.lines.get(), 0, "0.05"))
    refund(order, wish(order.lines.get(), 0, "0.25"), freight=FreightPart.all)
    assert order.payments.get().refunded == order.pay_amount
    audit()


def test_what_comes_back_after_its_line_was_refunded_whole_is_not_sent_again() -> None:
    products = [make_stocked(price=Decimal(price)) for price in ("3.00", "4.00")]
    order = make_paid_order(Buyer(), (products[0], 2), (products[1], 1))
    refunded, kept = order.lines.order_by("pk")
    make_shipment(order)
    order.refresh_from_db()
    refund(order, wish(refunded, 2))
    record_return(order=order, seen=OrderStatus.shipped)
    press(order, Move.pack)
    again = make_shipment(order, "KP1002")
    assert list(again.lines.values_list("line", "units")) == [(kept.pk, 1)]
    order.refresh_from_db()
    assert order.status == OrderStatus.shipped
    audit()
