"""Disputes of payments that were refunded, and their end (docs/guarantees/money.md#disputes)."""

from decimal import Decimal

import pytest

from catalog.stock.models import StockLevel
from commerce.accounts.models import Customer
from commerce.ledger.audit import differences as wallet_differences
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of, post
from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, press, refuses, wallet_of
from commerce.payments.audit import differences as payment_differences
from commerce.payments.models import Dispute, Payment, Refund
from commerce.payments.services import open_dispute, undo_dispute
from commerce.payments.services.disputes import amount_in_dispute
from commerce.payments.tests.builders import audit_money, make_paid_payment
from commerce.refunds.tests.builders import make_staff, refund, wish
from core.errors import Err
from core.money import ZERO
from core.tests.rows import rolled_back

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

State = Dispute.State


def debt_of(customer: Customer) -> Decimal:
    return balance_of(customer=customer, kind=LedgerAccount.Kind.debt)


def balances(buyer: Buyer) -> tuple[Decimal, Decimal]:
    """Return a customer's wallet and debt."""
    return wallet_of(buyer.customer), debt_of(buyer.customer)


def money(wallet: Decimal | int, debt: Decimal | int) -> tuple[Decimal, Decimal]:
    return Decimal(wallet), Decimal(debt)


def rules() -> set[str]:
    """Return the rules that the audit of payments and wallets finds broken."""
    return {each.rule for each in [*payment_differences(), *wallet_differences()]}


def stock_of(order: Order) -> tuple[int, int]:
    level = StockLevel.objects.get(product=order.lines.get().product)
    return level.on_hand, level.reserved


def test_money_of_a_card_that_went_to_the_wallet_is_taken_out_of_it_again(subtests: pytest.Subtests) -> None:
    for is_spent in (False, True):
        with subtests.test(is_spent=is_spent), rolled_back():
            buyer = Buyer()
            payment = make_paid_payment(buyer)
            order = payment.paid_order
            order.refresh_from_db()
            refund(order, to=Refund.To.wallet)
            assert (order.status, wallet_of(buyer.customer)) == (OrderStatus.canceled.value, payment.amount)
            if is_spent:
                post(
                    customer=buyer.customer,
                    kind=LedgerAccount.Kind.wallet,
                    amount=-payment.amount,
                    reason=LedgerEntry.Reason.adjustment,
                    reference="A1",
                )
            payment.refresh_from_db()

            dispute = open_dispute(payment=payment, note="Case 1")

            order.refresh_from_db()
            assert order.status == OrderStatus.canceled
            assert dispute.amount == dispute.from_wallet == payment.amount
            owed = payment.amount if is_spent else ZERO
            assert balances(buyer) == money(0, owed)
            audit_money()


def test_only_what_went_to_the_source_reduces_what_a_bank_takes() -> None:
    buyer = Buyer()
    payment = make_paid_payment(buyer)
    order, line = payment.paid_order, payment.paid_order.lines.get()
    order.refresh_from_db()
    refund(order, wish(line, 0, "1.00"), to=Refund.To.source)
    refund(order, wish(line, 0, "2.10"), to=Refund.To.wallet)
    payment.refresh_from_db()
    # As the page that records a dispute shows them.
    assert [str(amount) for amount in amount_in_dispute(payment)] == [str(payment.amount - 1), "2.10"]

    dispute = open_dispute(payment=payment, note="Case 1")

    assert (dispute.amount, dispute.from_wallet) == (payment.amount - 1, Decimal("2.10"))
    assert balances(buyer) == money(0, 0)
    taken = Refund.objects.get(reason="chargeback")
    assert (taken.amount, taken.state, taken.message_due) == (payment.amount - Decimal("3.10"), "done", False)
    payment.refresh_from_db()
    assert payment.refunded == payment.amount
    with refuses(Err.not_disputable):
        open_dispute(payment=payment, note="Case 2")
    audit()


def test_the_rest_of_an_order_that_was_canceled_for_less_money_can_be_disputed() -> None:
    payment = make_paid_payment(Buyer())
    order, line = payment.paid_order, payment.paid_order.lines.get()
    order.refresh_from_db()
    refund(order, wish(line, line.amount, "1.00"), to=Refund.To.source)
    payment.refresh_from_db()
    assert order.status == OrderStatus.canceled
    dispute = open_dispute(payment=payment, note="Case 1")
    assert dispute.amount == payment.amount - 1
    audit()
    undo_dispute(dispute=dispute, state=State.won, staff=make_staff(), note="They agreed")
    order.refresh_from_db()
    assert order.status == OrderStatus.canceled
    audit()


def test_a_dispute_that_is_won_gives_back_status_stock_points_and_wallet() -> None:
    buyer = Buyer()
    payment = make_paid_payment(buyer)
    order, line = payment.paid_order, payment.paid_order.lines.get()
    order.refresh_from_db()
    refund(order, wish(line, 0, "2.00"), to=Refund.To.wallet)
    payment.refresh_from_db()
    press(order, Move.pick)
    before = stock_of(order)
    dispute = open_dispute(payment=payment, note="Case 1")
    assert stock_of(order)[1] == wallet_of(buyer.customer) == 0

    undone = undo_dispute(dispute=dispute, state=State.won, staff=make_staff(), note="They agreed")

    order.refresh_from_db()
    assert (order.status, stock_of(order)) == (OrderStatus.picking, before)
    assert (undone.lacking_units, *balances(buyer)) == (0, *money(2, 0))
    payment.refresh_from_db()
    assert (payment.disputed_at, payment.refunded) == (None, Decimal(2))
    assert Refund.objects.get(reason="chargeback").state == "reversed"
    with refuses(Err.dispute_closed):
        undo_dispute(dispute=dispute, state=State.won, staff=make_staff(), note="Again")
    audit()
    # The customer may dispute it again.
    open_dispute(payment=payment, note="Case 2")
    assert (wallet_of(buyer.customer), Dispute.objects.count()) == (ZERO, 2)
    audit()


def test_units_that_were_sold_during_a_dispute_are_left_to_refund() -> None:
    payment = make_paid_payment(Buyer())
    order, line = payment.paid_order, payment.paid_order.lines.get()
    dispute = open_dispute(payment=payment, note="Case 1")
    StockLevel.objects.filter(product=line.product).update(on_hand=0)

    undone = undo_dispute(dispute=dispute, state=State.won, staff=make_staff(), note="They agreed")

    line.refresh_from_db()
    order.refresh_from_db()
    assert (undone.lacking_units, line.unsent) == (line.amount, line.amount)
    assert order.status == OrderStatus.paid
    refund(order)
    assert order.status == OrderStatus.canceled
    audit_money()


def test_the_audit_names_disputes_and_debts_that_contradict_each_other(subtests: pytest.Subtests) -> None:
    buyer = Buyer()
    payment = make_paid_payment(buyer)
    order = payment.paid_order
    order.refresh_from_db()
    refund(order, to=Refund.To.wallet)
    payment.refresh_from_db()
    # As it was before: the bank took the payment, and the wallet kept the refund.
    with subtests.test("not reversed"), rolled_back():
        Payment.objects.filter(pk=payment.pk).update(disputed_at=payment.created_at)
        assert rules() == {"dispute"}
    dispute = open_dispute(payment=payment, note="Case 1")
    account = LedgerAccount.objects.get(customer=buyer.customer, kind="debt")
    with subtests.test("debt and wallet"), rolled_back():
        LedgerAccount.objects.filter(customer=buyer.customer).exclude(kind="points").update(balance=1)
        assert "wallet-debt" in rules()
    with subtests.test("debt without an entry"), rolled_back():
        Dispute.objects.filter(pk=dispute.pk).update(from_wallet=1)
        assert rules() == {"dispute"}
    with subtests.test("closed without a return"), rolled_back():
        Dispute.objects.filter(pk=dispute.pk).update(state="won")
        assert rules() == {"dispute"}
    with subtests.test("payment that did not leave the wallet"), rolled_back():
        LedgerEntry.objects.create(account=account, amount=-1, balance=-1, reason="chargeback", reference="X")
        assert "wallet-debt" in rules()
    with subtests.test("settlement without a record"), rolled_back():
        LedgerEntry.objects.create(
            account=account, amount=-1, balance=-1, reason="adjustment", reference="D7"
        )
        assert "debt-settled" in rules()
