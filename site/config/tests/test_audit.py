import ast
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest
from django.core.management import call_command
from django.db import InternalError, OperationalError, connection, transaction
from django.db.models import F, JSONField, Manager, Model, QuerySet, Value
from django.utils import timezone, translation

import core.audit
from catalog.goods.models import Category, Product
from catalog.goods.schemas import MAX_PRODUCTS
from catalog.goods.tests.builders import make_category, make_products
from catalog.promotions.models import PromotionItem
from catalog.promotions.tests.builders import make_promotion
from catalog.search.models import Posting
from catalog.stock.models import Reservation, StockLevel, StockMovement
from commerce.accounts.models import AuthToken, CaptchaProof, Customer, FormerAccount, VerificationCode
from commerce.accounts.tests.builders import PASSWORD, make_customer
from commerce.cart.models import CartItem
from commerce.claims.models import Claim
from commerce.delivery.models import PickupSlot
from commerce.delivery.tests.builders import make_shop
from commerce.invoices.models import Invoice
from commerce.invoices.tests.builders import make_seller
from commerce.ledger.models import DebtSettlement, LedgerAccount, LedgerEntry, PointsAdjustment
from commerce.ledger.points import post_points
from commerce.ledger.services import post
from commerce.messaging.services import write_message
from commerce.orders.models import Order, OrderLine, OrderStatusChange, PromotionUse, RecipientIdCard, Trade
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, make_stocked, top_up
from commerce.payments.models import Dispute, Payment, PaymentEvent, Recharge, Refund
from commerce.payments.tests.builders import make_payment, pay
from commerce.privacy.models import DeletedCustomer
from commerce.refunds.models import CancellationRequest, CreditNote, OrderRefund
from commerce.shipments.models import ParcelState, Shipment, ShipmentLine
from commerce.shipments.tests.builders import make_carrier
from commerce.statements.models import Statement, StatementDifference
from commerce.vouchers.models import Voucher, VoucherUse
from commerce.vouchers.tests.builders import make_voucher
from config.audits.books import BOOKS
from config.audits.meanings import found_of, place_of, subject_of
from core.audit import _ROWS, Difference, _without_rows, about, run_rules, snapshot
from core.encryption import encrypt
from core.protected import writable

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

WALLET, POINTS, DEBT = LedgerAccount.Kind.wallet, LedgerAccount.Kind.points, LedgerAccount.Kind.debt
# The values that a column of JSON may have.
NO_PARCELS: list[Any] = [[{}], "x", [1], [{"freight": "free"}], None, {"a": {"freight": "0.00"}}]
IN_YEARS = datetime(2099, 1, 1, tzinfo=UTC)
BASE = Path(__file__).parents[3]


@pytest.fixture
def paid() -> Order:
    """A shop with an order of each kind: unpaid, canceled, and paid from the wallet with a promotion."""
    buyer = Buyer()
    top_up(buyer.customer)
    make_payment(buyer)
    buyer.send("PUT", f"/order/cancel/{make_order(buyer).order_no}")
    product, promoted = make_stocked(), make_stocked(price=Decimal("5.00"))
    promotion = make_promotion((promoted, "3.50"))
    actions = [{"actionTypeId": promotion.pk, "goodsId": promoted.pk, "goodsAmount": 2}]
    voucher = make_voucher("1.00")
    answer = buyer.order((product, 2), actionGoods=actions, voucherCode=voucher.code)
    order = Order.objects.get(order_no=answer["result"]["orderNo"])
    pay(buyer, order, "0", password=PASSWORD)
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
    return order


def change(sql: str, *values: int) -> Callable[[Order], object]:
    """Change rows by hand, since their models refuse."""

    def run(_order: Order) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, values)

    return run


def set_in(rows: Manager[Any] | QuerySet[Any], **values: Any) -> Callable[[Order], object]:
    """Change every one of the rows."""
    return lambda _order: rows.all().update(**values)


def set_order(**values: Any) -> Callable[[Order], object]:
    """Change the paid order."""
    return lambda order: Order.objects.filter(pk=order.pk).update(**values)


def set_unpaid(**values: Any) -> Callable[[Order], object]:
    """Change the unpaid order."""
    return lambda _order: Order.objects.filter(status=OrderStatus.unpaid).update(**values)


def set_products(**values: Any) -> Callable[[Order], object]:
    """Change every product."""
    return lambda _order: writable(Product.objects.all()).update(**values)


def set_held(**values: Any) -> Callable[[Order], object]:
    """Change what the paid order holds."""
    return lambda order: Reservation.objects.filter(reference=order.order_no).update(**values)


def give_back(**values: Any) -> Callable[[Order], object]:
    """Make a refund of the paid order's payment."""
    return lambda order: Refund.objects.create(payment=order.payments.get(), **values)


def book_for_another_customer(order: Order) -> None:
    other = Buyer()
    top_up(other.customer)
    account = LedgerAccount.objects.get(customer=other.customer)
    change("UPDATE ledger_ledgerentry SET account_id = %s WHERE reason = 'payment'", account.pk)(order)


def book_without_account(order: Order) -> None:
    PickupSlot.objects.create(shop=make_shop(), starts_at=order.created_at, capacity=2, booked=1)


def ship_without_a_movement(order: Order) -> None:
    Reservation.objects.filter(reference=order.order_no).update(state="shipped")
    level = StockLevel.objects.filter(reservations__reference=order.order_no)
    level.update(reserved=0)


def move_out_for_nothing(_order: Order) -> None:
    level = StockLevel.objects.all()[0]
    StockMovement.objects.create(level=level, units=-3, reason="shipped", reference="S1")
    StockLevel.objects.filter(pk=level.pk).update(on_hand=F("on_hand") - 3)


def store_parcels(parcels: Any) -> Callable[[Order], object]:
    # As a value, or None would be the database's NULL.
    return lambda order: Order.objects.filter(pk=order.pk).update(parcels=Value(parcels, JSONField()))


def forge_history(**values: Any) -> Callable[[Order], object]:
    return lambda order: OrderStatusChange.objects.filter(order=order, to_status=2).update(**values)


def undo_another_status(order: Order) -> None:
    statuses = (OrderStatus.paid, OrderStatus.shipped, OrderStatus.completed, OrderStatus.ready)
    for seen, to, reason in zip(statuses, statuses[1:], ("shipment", "delivered", "undone"), strict=False):
        OrderStatusChange.objects.create(order=order, from_status=seen, to_status=to, reason=reason)


def make_no_invoice(order: Order) -> None:
    make_seller()
    Order.objects.filter(pk=order.pk).update(paid_at=timezone.now() - timedelta(hours=2))


def write_code(_order: Order, *, sent: bool = False) -> None:
    past = timezone.now() - timedelta(minutes=11)
    message = write_message(
        to="a@example.com", subject="s", text="Code 123456", code="123456", expires_at=past
    )
    if sent:
        type(message).objects.update(sent_at=past)


def receive_yuan() -> Payment:
    Payment.objects.filter(state="pending").update(
        state="paid", received_amount=Decimal("66.00"), received_currency="CNY"
    )
    return Payment.objects.get(received_currency="CNY")


def refund_in_dollars(_order: Order) -> None:
    Refund.objects.create(payment=receive_yuan(), amount=Decimal("66.00"), reason="wrong_currency")


def top_up_without_entry(order: Order, **values: Any) -> None:
    recharge = Recharge.objects.create(number="R1", customer=order.customer, amount=5)
    values |= {"pay_type": "5", "provider": "sandbox", "amount": 5, "state": "paid"}
    Payment.objects.create(recharge=recharge, reference="R1-1", **values)


def post_by_hand(
    customer: Customer,
    kind: LedgerAccount.Kind,
    reason: LedgerEntry.Reason,
    reference: str = "A1",
    amount: str = "5.00",
) -> None:
    post(customer=customer, kind=kind, amount=Decimal(amount), reason=reason, reference=reference)


def book(
    kind: LedgerAccount.Kind, reason: LedgerEntry.Reason, amount: str = "5.00"
) -> Callable[[Order], object]:
    """Post an amount to an account of the order's customer."""
    return lambda order: post_by_hand(order.customer, kind, reason, amount=amount)


def top_up_twice(order: Order, **values: Any) -> None:
    top_up_without_entry(order, **values)
    post_by_hand(order.customer, WALLET, LedgerEntry.Reason.recharge, "R1")


def disputed_without_row(order: Order) -> None:
    top_up_twice(order)
    Refund.objects.create(
        payment=Payment.objects.get(recharge__number="R1"),
        reference="R1-1-r1",
        amount=5,
        reason="chargeback",
        state="done",
    )


def dispute_without_debt(order: Order) -> None:
    disputed_without_row(order)
    payment = Payment.objects.get(recharge__number="R1")
    Payment.objects.filter(pk=payment.pk).update(disputed_at=payment.created_at, refunded=5)
    Dispute.objects.create(payment=payment, reference="R1-1-d1", amount=5, from_wallet=5, note="n")


def owe_with_money(order: Order) -> None:
    top_up(order.customer)
    post_by_hand(order.customer, DEBT, LedgerEntry.Reason.dispute)


def refund_to_another_customer(order: Order) -> None:
    Refund.objects.create(
        payment=order.payments.get(), reference="r1", amount=5, reason="paid_twice", to="wallet", state="done"
    )
    post_by_hand(make_customer(), WALLET, LedgerEntry.Reason.refund, "r1")


def post_points_of(order_no: str, points: int, reason: LedgerEntry.Reason) -> Callable[[Order], object]:
    def run(order: Order) -> None:
        opening = LedgerEntry.Reason.opening
        post_points(customer=order.customer, points=100, reason=opening, order_no="A1")
        number = order_no or order.order_no
        post_points(customer=order.customer, points=points, reason=reason, order_no=number)

    return run


def let_points_be_late(order: Order) -> None:
    long_ago = timezone.now() - timedelta(hours=2)
    Order.objects.filter(pk=order.pk).update(status=7, paid_at=long_ago)
    OrderStatusChange.objects.update(created_at=long_ago)


def confirm_without_refund(order: Order) -> None:
    """Confirm a request to cancel whose order was not refunded."""
    CancellationRequest.objects.create(order=order, state="confirmed", answered_at=timezone.now())


def make_refund(order: Order, **kw: Any) -> OrderRefund:
    nothing = dict.fromkeys(("gst", "freight_amount", "freight_gst"), 0)
    values = nothing | {"number": "CN-1", "goods_amount": 1, "destination": "source", "note": "n"} | kw
    return OrderRefund.objects.create(order=order, **values)


def make_claim(order: Order, line: OrderLine | None = None, *, units: int = 1, **kw: Any) -> Claim:
    claimed = line or order.lines.all()[0]
    values = {"claim_no": "C1", "customer": order.customer, "wish": "refund", "request_hash": "h"} | kw
    claim = Claim.objects.create(order=order, **values)
    claim.lines.create(line=claimed, kind="damaged", units=units)
    claim.thread.create(author="customer", text="t", to_state="waiting")
    return claim


def restock_what_never_left(order: Order) -> None:
    line = order.lines.first()
    assert line
    make_refund(order).lines.create(line=line, units=1, amount=1, gst=0, restocked=1)


def make_no_credit_note(order: Order) -> None:
    make_seller()
    Order.objects.filter(pk=order.pk).update(invoice_due=False)
    make_refund(order)
    OrderRefund.objects.update(created_at=timezone.now() - timedelta(hours=2))


def lose_a_credit_note(order: Order) -> None:
    make_seller()
    refund = make_refund(order, credit_note_due=False)
    CreditNote.objects.create(order_refund=refund, name="n", sha256="0", made_at=timezone.now())


def report_paid(_order: Order) -> None:
    payment = Payment.objects.get(state="pending")
    PaymentEvent.objects.create(
        provider="sandbox", event_id="e1", payment=payment, body={}, reports_paid=True
    )
    PaymentEvent.objects.update(created_at=timezone.now() - timedelta(minutes=61))


def find_money_elsewhere(_order: Order) -> None:
    statement = Statement.objects.create(provider="paypal", day="2026-01-31", state="fetched")
    theirs = {"their_amount": "9.99", "their_currency": "AUD", "reference": "S0-1"}
    StatementDifference.objects.create(statement=statement, reason="only_there", kind="payment", **theirs)


def move_category(_order: Order) -> None:
    other: Category = make_category()
    writable(Product.objects.all()).update(top_category=other)


def send(order: Order) -> Shipment:
    return Shipment.objects.create(order=order, number=1, carrier=make_carrier(), tracking_no="KP0001")


def send_too_much(order: Order) -> None:
    ShipmentLine.objects.create(shipment=send(order), line=order.lines.earliest("pk"), units=99)


def deliver_without_news(order: Order) -> None:
    send(order)
    Shipment.objects.update(state=ParcelState.delivered)


def order_in_another_promotion(order: Order) -> None:
    line = order.lines.get(promotion__isnull=False)
    line.pk, line.product = None, make_stocked()
    line.promotion = make_promotion((line.product, "3.00"))
    line.save(force_insert=True)


def keep_id_card(order: Order, *, days: int, number: str = "x") -> None:
    RecipientIdCard.objects.create(
        order=order, number=number, masked="*" * 18, delete_at=timezone.now() + timedelta(days=days)
    )


def overfill_cart(order: Order) -> None:
    products = make_products(MAX_PRODUCTS + 1)
    CartItem.objects.bulk_create(
        CartItem(customer=order.customer, product=product, amount=1) for product in products
    )


def delete_long_ago(customer: Customer) -> None:
    DeletedCustomer.objects.create(customer=customer)
    DeletedCustomer.objects.update(deleted_at=timezone.now() - timedelta(hours=2))


# What breaks the books, the rule that finds it, and a part of its text.
FORGERIES: list[tuple[Callable[[Order], object], str, str]] = [
    (move_category, "top-category", "its category has"),
    (lambda _: Posting.objects.all().delete(), "search-index", "lacks"),
    (set_products(sold_out=True), "sold-out", "marked as sold out"),
    (set_in(StockLevel.objects, reserved=7), "stock-counters", "reserved 7"),
    (set_in(StockLevel.objects, on_hand=99), "stock-counters", "on hand 99"),
    (
        lambda _: StockMovement.objects.create(level=StockLevel.objects.all()[0], units=1, reason="counted"),
        "stock-counters",
        "moved 11",
    ),
    (move_out_for_nothing, "shipment", "3 units moved for S1"),
    (ship_without_a_movement, "shipment", "0 moved"),
    (set_held(state="released"), "line-held", "0 units of"),
    (set_order(status=OrderStatus.completed), "left-whole", "units of it are held"),
    (set_order(status=OrderStatus.shipped), "parcels-of-order", "status Shipped, 0 of"),
    (send_too_much, "units-in-parcels", "99 of"),
    (set_in(Reservation.objects, reference="S1"), "reservation-of-a-line", "order S1 has no line"),
    (book_without_account, "slot-booked", "booked 1, orders 0"),
    (set_in(PromotionItem.objects, taken=3), "quota-taken", "3 taken"),
    (set_in(PromotionItem.objects, taken=0), "quota-taken", "0 taken, 2 ordered"),
    (set_in(PromotionUse.objects, amount=1), "share-of-a-customer", "1 counted, 2 ordered"),
    (lambda _: PromotionUse.objects.all().delete(), "share-of-a-customer", "are missing"),
    (set_in(PromotionItem.objects, limit_amount=1), "share-of-a-customer", "limit 1"),
    (set_in(Voucher.objects, taken=2), "voucher-taken", "2 taken, 1 ordered"),
    (set_in(VoucherUse.objects, orders=3), "voucher-of-a-customer", "3 counted, 1 ordered"),
    (
        lambda _: VoucherUse.objects.all().delete(),
        "voucher-of-a-customer",
        "is missing in the customer’s uses",
    ),
    (lambda _: PromotionItem.objects.all().delete(), "promotion-item", "of which 2 units are ordered"),
    (
        lambda order: Trade.objects.create(
            customer=order.customer, code="x", payload_hash="x", expires_at=order.created_at
        ),
        "code-claimed",
        "claimed without an order",
    ),
    (set_in(Trade.objects, payload_hash=""), "code-claimed", "no record of its request"),
    (
        change("UPDATE orders_order SET goods_amount = goods_amount + 1, freight = freight - 1"),
        "order-lines",
        "lines",
    ),
    (set_order(parcels=[]), "order-parcels", "of its parcels A$0.00"),
    (
        store_parcels([{"freight": "14.90"}, {"freight": "0.01"}]),
        "order-parcels",
        "delivery cost A$14.90, of its parcels A$14.91",
    ),
    (
        change("UPDATE orders_order SET goods_amount = goods_amount + 0.01, pay_amount = pay_amount + 0.01"),
        "order-lines",
        "products A$14.99, lines A$14.98",
    ),
    (
        change("UPDATE ledger_ledgerentry SET balance = balance + 0.01 WHERE reason = 'payment'"),
        "running-balance",
        "500.00 before",
    ),
    (
        change("UPDATE payments_payment SET amount = amount - 0.01 WHERE state = 'paid'"),
        "order-money",
        "status Paid",
    ),
    *[(store_parcels(parcels), "order-parcels", "of its parcels –") for parcels in NO_PARCELS],
    (
        lambda order: set_in(Order.objects.filter(pk=order.pk), customer=Buyer().customer)(order),
        "order-customer",
        "its code was given to",
    ),
    (
        forge_history(to_status=OrderStatus.canceled),
        "status-history",
        "status Paid, its history ends with Canceled",
    ),
    (lambda order: order.history.all().delete(), "status-history", "without a history"),
    (
        lambda order: OrderStatusChange.objects.create(
            order=order, from_status=OrderStatus.paid, to_status=OrderStatus.unpaid, reason="payment"
        ),
        "status-move",
        "moved from Paid to Unpaid",
    ),
    (
        lambda order: OrderStatusChange.objects.create(
            order=order, from_status=OrderStatus.paid, to_status=OrderStatus.shipped, reason="undone"
        ),
        "status-move",
        "moved from Paid to Shipped",
    ),
    (undo_another_status, "status-move", "moved from Completed to Ready for pick-up, after Completed"),
    (
        forge_history(from_status=OrderStatus.shipped),
        "status-move",
        "moved from Shipped to Paid, after Unpaid",
    ),
    (set_unpaid(expires_at=timezone.now() - timedelta(minutes=11)), "expiry", "unpaid, held until"),
    (set_unpaid(expires_at=None), "expiry", "held until –"),
    (set_unpaid(expires_at=IN_YEARS), "expiry", "held until 1 Jan 2099"),
    (set_order(paid_at=None), "time-paid", "status Paid, paid at –"),
    (set_unpaid(paid_at=timezone.now()), "time-paid", "status Unpaid, paid at"),
    (
        set_in(Payment.objects.filter(state="pending"), next_query_at=None),
        "payment-asked",
        "is asked next at –",
    ),
    (
        set_in(Payment.objects.filter(state="pending"), next_query_at=IN_YEARS),
        "payment-asked",
        "is asked next at 1 Jan 2099",
    ),
    (
        set_order(paid_at=timezone.now() - timedelta(hours=2), sales_counted_at=None),
        "sales-counted",
        "its sales are not counted",
    ),
    (make_no_invoice, "invoice-made", "its invoice is not made"),
    (
        lambda order: Invoice.objects.create(
            order=order, number="INV-1", name="n", sha256="0", made_at=timezone.now()
        ),
        "invoice-file",
        "its file is missing",
    ),
    (set_in(LedgerAccount.objects, balance=1), "balance", "balance 1.00"),
    (
        change("UPDATE ledger_ledgerentry SET amount = amount + 1 WHERE reason = 'payment'"),
        "wallet-payment",
        "has no entry of",
    ),
    (
        set_in(Payment.objects.filter(state="paid"), provider="sandbox"),
        "wallet-payment",
        "nothing that explains it: Order payment",
    ),
    (book_for_another_customer, "wallet-payment", "has no entry of"),
    (set_in(Payment.objects.filter(state="paid"), state="failed"), "order-money", "received A$0.00"),
    (set_in(Payment.objects, state="paid"), "order-money", "status Unpaid"),
    (give_back(amount=Decimal("0.01"), reason="paid_twice"), "order-money", "status Paid"),
    (lambda order: order.payments.update(is_held=True), "held-money", "waits for the rest"),
    (
        set_in(Payment.objects.filter(state="pending"), state="paid", is_held=True),
        "held-money",
        "unpaid, holds",
    ),
    (lambda order: order.payments.update(refunded=1), "refunded", "counts 1.00"),
    (
        give_back(amount=1, reason="order_refund", to="wallet", state="done"),
        "wallet-refund",
        "has no entry of 1.00",
    ),
    (
        set_order(points_booked_at=timezone.now(), points_earned=5_000),
        "points-earned",
        "5000 points earned, entries 0",
    ),
    (post_points_of("", -5, LedgerEntry.Reason.spent), "points-spent", "0 points spent, entries 5"),
    (let_points_be_late, "points-booked", "its points are not booked"),
    (post_points_of("S0", 5, LedgerEntry.Reason.earned), "points-of-an-order", "5 points of no such order"),
    (
        lambda order: order.lines.update(points_discount=Decimal("0.01")),
        "points-of-lines",
        "points pay A$0.00, of lines A$0.0",
    ),
    (lambda order: order.lines.update(refunded_units=1), "refunded-line", "1 units counted, 0 given back"),
    (set_order(refunded_freight=1), "refunded-freight", "delivery cost of A$1.00 counted, A$0.00 given back"),
    (make_refund, "refund-sum", "products A$1.00, its lines A$0.00"),
    (confirm_without_refund, "cancellation-request", "cancelled on request, not refunded"),
    (make_refund, "refund-money", "A$1.00, of which A$0.00 goes back"),
    (restock_what_never_left, "restocked", "0 had left"),
    (make_no_credit_note, "credit-note-made", "is not made"),
    (lose_a_credit_note, "credit-note-file", "its file is missing"),
    (
        lambda _: Statement.objects.create(
            provider="paypal", day="2026-01-31", next_try_at=IN_YEARS, tries=9
        ),
        "statement-fetched",
        "not fetched after 9 tries",
    ),
    (
        find_money_elsewhere,
        "statement-difference",
        "Payment S0-1: Only in the provider’s list, there AUD 9.99, here –",
    ),
    (set_unpaid(pay_img="/pay/certificate/x"), "transfer-review", "no picture waits for its review"),
    (top_up_without_entry, "recharge", "AUD 0.00 in the wallet"),
    (
        lambda order: top_up_twice(order, refunded=5),
        "recharge",
        "AUD 5.00 came, AUD 5.00 in the wallet, AUD 5.00 goes back",
    ),
    (
        lambda order: top_up_without_entry(order, received_amount=3, received_currency="AUD"),
        "recharge",
        "AUD 3.00 came, AUD 0.00 in the wallet, AUD 0.00 goes back",
    ),
    (refund_to_another_customer, "wallet-refund", "nothing that explains it: Refund r1"),
    (
        give_back(amount=1, reason="paid_twice", state="sending"),
        "refund-asked",
        "state On its way, the provider is asked next at –",
    ),
    (
        book(WALLET, LedgerEntry.Reason.chargeback),
        "dispute",
        "nothing that explains it: Taken back after a chargeback A1",
    ),
    (
        disputed_without_row,
        "dispute",
        "dispute of A$0.00, of it A$0.00 from the wallet; taken A$5.00, of it A$5.00",
    ),
    (dispute_without_debt, "dispute", "A$5.00 from the wallet, debt A$0.00, returned A$0.00"),
    (
        book(DEBT, LedgerEntry.Reason.dispute),
        "dispute",
        "nothing that explains it: Taken back by the bank A1",
    ),
    (owe_with_money, "wallet-debt", "debt 5.00 although the wallet has money"),
    (book(DEBT, LedgerEntry.Reason.chargeback), "wallet-debt", "the wallet has no entry of 5.00"),
    (book(DEBT, LedgerEntry.Reason.adjustment), "debt-settled", "5.00 of a debt without a record"),
    (
        lambda order: DebtSettlement.objects.create(customer=order.customer, amount=5, note="n"),
        "debt-settled",
        "5.00 of a debt without an entry",
    ),
    (book(WALLET, LedgerEntry.Reason.earned), "entry-reason", "Points for an order in an account of Wallet"),
    (book(POINTS, LedgerEntry.Reason.adjustment), "points-adjusted", "5.00 points without a record"),
    (
        lambda order: PointsAdjustment.objects.create(customer=order.customer, points=5, note="n"),
        "points-adjusted",
        "5 points without an entry",
    ),
    (lambda order: make_claim(order, units=order.lines.all()[0].amount + 1), "claim-units", "3 claimed of 2"),
    (lambda order: make_claim(order).lines.update(refund_target=3), "claim-units", "3 to be given back of 2"),
    (lambda order: make_claim(order, customer=make_customer()), "claim-order", "another customer’s"),
    (
        lambda order: make_claim(order, OrderLine.objects.exclude(order=order)[0]),
        "claim-order",
        "a line of another order",
    ),
    (
        lambda order: make_claim(order).thread.update(to_state="asking"),
        "claim-state",
        "Waiting for the shop with 1 messages, its thread Waiting for the customer’s answer with 1",
    ),
    (lambda order: make_claim(order).thread.all().delete(), "claim-state", "its thread – with 0"),
    (
        lambda order: make_claim(order).thread.get().pictures.create(name="n"),
        "claim-picture",
        "file is missing",
    ),
    (
        set_order(goods_refunded=Decimal("0.01")),
        "refunded-goods",
        "products for A$0.01 counted, A$0.00 given back",
    ),
    (
        lambda order: Order.objects.filter(pk=order.pk).update(
            points=100,
            points_returned=5,
            points_amount=Decimal("0.01"),
            pay_amount=order.pay_amount - Decimal("0.01"),
        ),
        "points-returned",
        "5 points given back, 0 have paid",
    ),
    (refund_in_dollars, "order-money", "received CNY 66.00"),
    (lambda _: receive_yuan(), "order-money", "received CNY 66.00"),
    (
        lambda order: order.payments.update(received_amount=Decimal("0.01"), received_currency="AUD"),
        "order-money",
        "received A$0.01",
    ),
    (
        lambda order: OrderStatusChange.objects.create(
            order=order, from_status=1, to_status=2, reason="payment"
        ),
        "paid-once",
        "paid 2 times",
    ),
    (report_paid, "reported-paid", "reported it paid by event e1"),
    (lambda order: keep_id_card(order, days=-9, number=encrypt("x")), "id-card-deleted", "still there"),
    (lambda order: keep_id_card(order, days=9), "id-card-encrypted", "under none of the keys"),
    (set_held(reference="S1", state="shipped"), "reservation-of-a-line", "order S1 has no line"),
    (order_in_another_promotion, "one-promotion", "of 2 promotions"),
    (lambda order: order.lines.update(gst=Decimal("0.99")), "order-tax", "GST A$0.99 in"),
    (set_order(freight_gst=F("freight")), "order-tax", "in the delivery cost"),
    (
        set_order(status=OrderStatus.shipped, complete_at=timezone.now() - timedelta(hours=7)),
        "completion",
        "still on its way",
    ),
    (deliver_without_news, "parcel-state", "state Delivered, its newest event No events yet"),
    (book(POINTS, LedgerEntry.Reason.adjustment, "0.50"), "whole-points", "0.50 points"),
    (set_products(price=F("price") + 1), "price-history", "its history ends with"),
    (set_products(market_price=F("price") + 1), "was-price", "or never cost it"),
    (overfill_cart, "cart-size", f"{MAX_PRODUCTS + 1} products"),
    (
        lambda order: order.customer.cart_items.create(product=Product.objects.all()[0], amount=100_001),
        "cart-size",
        "100001 units",
    ),
    (set_in(AuthToken.objects, token_hash="a-token"), "secret-hashed", "token_hash is not a hash"),
    (
        lambda _: VerificationCode.objects.create(
            account="a@example.com", purpose="pay", code_hash="123456", expires_at=timezone.now()
        ),
        "secret-hashed",
        "code_hash is not a hash",
    ),
    (
        lambda _: CaptchaProof.objects.create(proof_hash="proof", ticket_hash="0" * 64, expires_at=IN_YEARS),
        "secret-hashed",
        "proof_hash is not a hash",
    ),
    (
        lambda order: FormerAccount.objects.create(
            customer=order.customer, account_hash="a@example.com", expires_at=IN_YEARS
        ),
        "secret-hashed",
        "account_hash is not a hash",
    ),
    (set_in(Customer.objects, password="secret"), "secret-hashed", "password is not a hash"),
    (set_in(Customer.objects, pay_password="888888"), "secret-hashed", "pay_password is not a hash"),
    (
        set_in(AuthToken.objects, expires_at=timezone.now() - timedelta(days=4)),
        "secret-deleted",
        "days after its end",
    ),
    (lambda order: delete_long_ago(order.customer), "deleted-erased", "not erased"),
    (
        lambda order: DeletedCustomer.objects.create(customer=order.customer, erased_at=timezone.now()),
        "deleted-customer",
        "still has a name",
    ),
    (
        change("DROP INDEX one_hold_per_order_and_level"),
        "constraint",
        "does not hold to one_hold_per_order_and_level",
    ),
    (
        lambda order: order.history.update(created_at=timezone.now() - timedelta(days=3)),
        "order-message",
        "customer not notified",
    ),
    (write_code, "message-sent", "not sent"),
    (write_code, "code-wiped", "kept after its end"),
    (lambda order: write_code(order, sent=True), "code-wiped", "kept after its end"),
]


def report() -> dict[str, Any]:
    """Run the audit, which finds something; returns its JSON document."""
    out = StringIO()
    with pytest.raises(SystemExit) as stop:
        call_command("audit", "--json", stdout=out)
    assert stop.value.code == 1
    document: dict[str, Any] = json.loads(out.getvalue())
    assert document["count"] == len(document["differences"])
    return document


def test_consistent_books_pass(paid: Order) -> None:
    audit()
    out = StringIO()
    call_command("audit", "--json", stdout=out)
    assert json.loads(out.getvalue()) == {"differences": [], "count": 0}


def test_amounts_that_binary_fractions_add_up_wrong_are_no_inconsistency() -> None:
    buyer, prices = Buyer(), ("0.10", "0.20", "0.70")
    order = make_order(buyer, *[(make_stocked(price=Decimal(price)), 1) for price in prices])
    freight = Decimal("0.30")
    Order.objects.filter(pk=order.pk).update(
        parcels=[{"freight": "0.10"}, {"freight": "0.20"}],
        freight=freight,
        pay_amount=order.goods_amount + freight,
    )
    for number, dollars in enumerate(["0.10", "0.20", "-0.30", "0.70", "0.10"]):
        post(
            customer=buyer.customer,
            kind=LedgerAccount.Kind.wallet,
            amount=Decimal(dollars),
            reason=LedgerEntry.Reason.adjustment,
            reference=str(number),
        )
    audit()


def test_only_what_the_database_doubts_becomes_an_object(
    paid: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    from_db = Model.from_db.__func__  # type: ignore[attr-defined]  # of a class method

    def note(cls: type[Model], *args: Any) -> Model:
        built.append(cls.__name__)
        row: Model = from_db(cls, *args)
        return row

    monkeypatch.setattr(Model, "from_db", classmethod(note))
    audit()
    assert not built


def calls_in(app: ModuleType) -> list[ast.Call]:
    """Read from an app's audit where it makes a difference."""
    assert app.__file__
    return [
        call
        for call in ast.walk(ast.parse(Path(app.__file__).read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Difference"
    ]


def rules_of(app: ModuleType) -> set[str]:
    """Read from an app's audit the names of its rules."""
    return {
        call.args[0].value
        for call in calls_in(app)
        if isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }


# Values that may be anything; any other is a number, a label or a time.
SAME_IN_EVERY_LANGUAGE = frozenset({"column", "event", "name", "picture", "reference"})


def english_in_chinese(difference: Difference) -> list[str]:
    """Return the English words that staff read of a difference in a Chinese back office."""
    stored = json.loads(json.dumps(difference.as_stored()))
    with translation.override("zh-hans"):
        shown = f"{place_of(difference.row)} {found_of(stored)}"
    row = difference.row
    same = {row.removeprefix("search term "), row.split()[-1], "PayPal"}
    same |= {str(value) for name, value in difference.values.items() if name in SAME_IN_EVERY_LANGUAGE}
    for each in sorted(same, key=len, reverse=True):
        shown = shown.replace(each, "")
    return re.findall("[a-z]{2,}", shown)


def test_every_inconsistency_is_named_by_its_rule_in_both_languages(paid: Order) -> None:
    # A whole audit for each would take a minute.
    app_of = {rule: app for app in BOOKS for rule in rules_of(app)}
    unnamed, english = [], []
    rules = tuple(_ROWS)
    ran: set[Any] = set()
    for forge, rule, text in FORGERIES:
        with transaction.atomic():
            forge(Order.objects.get(pk=paid.pk))
            found = [each for each in app_of[rule].differences() if each.rule == rule]
            ran.update(set(rules) - _without_rows(rules))
            transaction.set_rollback(True)
        if not any(text in each.found for each in found):
            unnamed.append((rule, text, [each.found for each in found]))
        if words := [word for each in found for word in english_in_chinese(each)]:
            english.append((rule, text, words))
    assert not unnamed
    assert not english
    # No declared rows are missing in every forgery.
    assert ran == set(rules)
    # Nothing of a forgery is left for the next.
    audit()


def test_every_rule_of_the_audit_is_broken_once_here() -> None:
    rules = set().union(*map(rules_of, BOOKS))
    assert rules == {rule for _, rule, _ in FORGERIES}
    page = (BASE / "docs/audit.md").read_text("utf-8")
    assert [rule for rule in sorted(rules) if f"`{rule}`" not in page] == []
    assert [rule for rule in sorted({*rules, "unreadable"}) if subject_of(rule) == rule] == []


def sentences_of(call: ast.Call) -> list[Any]:
    """Return the sentences that a call of `Difference` marks for translation, None for one it does not."""
    sentence = call.args[2]
    choices = [sentence.body, sentence.orelse] if isinstance(sentence, ast.IfExp) else [sentence]
    return [
        ast.literal_eval(each.args[0])
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "_"
        else None
        for each in choices
    ]


def test_every_sentence_of_the_audit_can_be_translated_and_names_its_values(
    subtests: pytest.Subtests,
) -> None:
    for app in [*BOOKS, core.audit]:
        with subtests.test(app=app):
            calls = calls_in(app)
            assert calls
            for call in calls:
                names = {keyword.arg for keyword in call.keywords}
                for sentence in sentences_of(call):
                    assert sentence, ast.unparse(call)
                    assert set(re.findall(r"%\((\w+)\)s", sentence)) == names, sentence


def test_a_rule_that_fails_is_named_and_the_others_go_on(
    paid: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commerce.orders.audit._shares", lambda: iter(int(each) for each in ["no number"]))
    LedgerAccount.objects.update(balance=1)
    Order.objects.filter(status=1).update(expires_at=None)
    named = {each["rule"]: each["found"] for each in report()["differences"]}
    assert named.keys() == {"unreadable", "balance", "expiry"}
    assert "no number" in named["unreadable"]


def test_a_rule_without_rows_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.audit, "_ROWS", {})

    @about(CaptchaProof, Customer.objects.filter(account="a"))
    def declared() -> Iterator[Difference]:
        yield Difference("declared", "row", "found")

    def always() -> Iterator[Difference]:
        yield Difference("always", "row", "found")

    def named() -> list[str]:
        return [each.rule for each in run_rules(declared, always)]

    make_customer(account="b")
    assert named() == ["always"]
    Customer.objects.update(account="a")
    assert named() == ["declared", "always"]
    Customer.objects.update(account="b")
    CaptchaProof.objects.create(proof_hash="p", ticket_hash="t", expires_at=IN_YEARS)
    assert named() == ["declared", "always"]


def test_people_read_one_line_for_each_difference(paid: Order) -> None:
    LedgerAccount.objects.update(balance=1)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("audit", stdout=out)
    assert out.getvalue().splitlines()[-1] == "1 differences"
    assert "balance 1.00, entries" in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_the_audit_sees_one_moment_while_others_go_on_writing() -> None:
    product = make_stocked(units=10)

    def sell_one() -> None:
        try:
            StockLevel.objects.filter(product=product).update(on_hand=9)
        finally:
            connection.close()

    with snapshot():
        before = StockLevel.objects.get(product=product).on_hand
        seller = Thread(target=sell_one)
        seller.start()
        # On SQLite it would wait for a transaction that holds the write lock.
        seller.join(5)
        assert not seller.is_alive()
        assert StockLevel.objects.get(product=product).on_hand == before == 10
    assert StockLevel.objects.get(product=product).on_hand == 9
    with transaction.atomic():
        StockLevel.objects.filter(product=product).update(on_hand=8)
    assert StockLevel.objects.get(product=product).on_hand == 8


@pytest.mark.django_db(transaction=True)
def test_the_snapshot_of_an_audit_changes_nothing_on_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no read-only transactions")
    make_stocked(units=10)
    with pytest.raises((InternalError, OperationalError)), snapshot():
        StockLevel.objects.update(on_hand=9)
    assert StockLevel.objects.get().on_hand == 10
