"""What disputes do to wallets and orders, and how they are undone (docs/guarantees/money.md#disputes)."""

import re
from collections.abc import Callable
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import PASSWORD
from commerce.accounts.tests.staff import staff_with
from commerce.approvals.models import Approval
from commerce.approvals.services import approve
from commerce.ledger import debts
from commerce.ledger import services as ledger
from commerce.ledger.debts import record_debt_settlement
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.pending import customer_debts
from commerce.ledger.services import balance_of, post
from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.points import book_due_points
from commerce.orders.services import cancel_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    make_order,
    make_stocked,
    nothing_changes,
    press,
    refuses,
    top_up,
    wallet_of,
)
from commerce.payments.models import Dispute, Payment, Refund
from commerce.payments.pending import open_disputes, refunds_due
from commerce.payments.providers.base import Notice, Outcome
from commerce.payments.providers.sandbox.provider import SandboxProvider
from commerce.payments.services import (
    disputes,
    lose_dispute,
    note_paid_back,
    open_dispute,
    request_refund,
    retry_refund,
    return_held_money,
    send_refunds,
    settle,
    undo_dispute,
)
from commerce.payments.services.left_to_pay import left_to_pay
from commerce.payments.services.notices import handle_notice
from commerce.payments.services.wallet import hold_from_wallet
from commerce.payments.tests.builders import audit_money, make_paid_payment, make_payment, make_recharge, pay
from core.errors import Err
from core.money import ZERO
from core.tests.races import only_where_races_show
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

State = Dispute.State


@pytest.fixture(autouse=True)
def provider(monkeypatch: pytest.MonkeyPatch) -> SandboxProvider:
    """A provider that confirms every dispute."""
    monkeypatch.setattr(SandboxProvider, "is_disputed", lambda self, **kw: True)
    return SandboxProvider()


def notify(provider: SandboxProvider, payment: Payment, event: str) -> None:
    notice = Notice(payment.reference, event, {}, reports_paid=False, dispute_ref="D1")
    handle_notice(provider=provider, notice=notice)


def another_payment(order: Order, number: int) -> Payment:
    """Make another payment of an order, of five dollars, that its provider has collected."""
    return Payment.objects.create(
        order=order, reference=f"{order}-{number}", pay_type="5", provider="sandbox", amount=5, state="paid"
    )


def collect(payment: Payment, amount: Decimal) -> Payment:
    settle(payment=payment, outcome=Outcome(Payment.State.paid, payment.reference, amount, "AUD"))
    payment.refresh_from_db()
    return payment


def topped_up(buyer: Buyer, dollars: str) -> Payment:
    """Top a wallet up; returns the payment."""
    return collect(make_recharge(buyer, dollars).payments.get(), Decimal(dollars))


def make_boss() -> User:
    """Return staff who may do everything, made if missing."""
    return User.objects.get_or_create(username="boss", defaults={"is_superuser": True, "is_staff": True})[0]


def debt_of(customer: Customer) -> Decimal:
    return balance_of(customer=customer, kind=LedgerAccount.Kind.debt)


def balances(buyer: Buyer) -> tuple[Decimal, Decimal]:
    """Return a customer's wallet and debt."""
    return wallet_of(buyer.customer), debt_of(buyer.customer)


def money(wallet: Decimal | int, debt: Decimal | int) -> tuple[Decimal, Decimal]:
    return Decimal(wallet), Decimal(debt)


def spend(buyer: Buyer) -> Order:
    """Order something and pay from the wallet; returns the order."""
    order = make_order(buyer, (make_stocked(price=Decimal("5.00")), 2))
    assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0
    order.refresh_from_db()
    return order


def test_a_disputed_top_up_leaves_the_wallet_and_what_was_spent_is_a_debt(provider: SandboxProvider) -> None:
    buyer = Buyer()
    whole, part = topped_up(buyer, "30.00"), topped_up(buyer, "50.00")
    notify(provider, whole, "E1")
    assert balances(buyer) == money(50, 0)
    spent = spend(buyer).pay_amount

    notify(provider, part, "E2")
    notify(provider, part, "E3")

    assert balances(buyer) == money(0, spent)
    taken = Refund.objects.order_by("pk").values_list("payment", "amount", "reason", "state")
    assert [*taken] == [
        (whole.pk, Decimal(30), "chargeback", "done"),
        (part.pk, Decimal(50), "chargeback", "done"),
    ]
    entries = buyer.send("GET", "/user/balance/detailed")["result"]["list"]
    shown = [(entry["reason"], entry["amount"], entry["rechargeNo"]) for entry in entries]
    assert shown[0] == ("撤销结算扣回余额", float(spent - 50), part.number)
    boss = make_boss()
    cards = customer_debts(boss), open_disputes(boss)
    assert [card and card.total for card in cards] == [1, 2]
    audit()


def test_what_a_wallet_with_a_debt_gets_pays_the_debt_first() -> None:
    buyer = Buyer()
    top_up_of_30 = topped_up(buyer, "30.00")
    spent = spend(buyer).pay_amount
    open_dispute(payment=top_up_of_30, note="Case 1")
    assert debt_of(buyer.customer) == spent

    topped_up(buyer, "15.00")
    assert balances(buyer) == money(0, spent - 15)
    topped_up(buyer, "15.00")
    assert balances(buyer) == money(30 - spent, 0)
    audit()


def test_staff_record_a_debt_as_paid_once() -> None:
    buyer, boss = Buyer(), make_boss()
    payment = topped_up(buyer, "30.00")
    spent = spend(buyer).pay_amount
    open_dispute(payment=payment, note="Case 1")
    settlement: dict[str, Any] = {"customer": buyer.customer, "staff": boss, "note": "Paid by transfer"}
    with refuses(Err.parameter_error):
        record_debt_settlement(**settlement, amount=spent + 1, seen=spent)
    with refuses(Err.note_missing):
        record_debt_settlement(**settlement | {"note": " "}, amount=spent, seen=spent)

    record_debt_settlement(**settlement, amount=Decimal(1), seen=spent)
    with refuses(Err.debt_moved):
        record_debt_settlement(**settlement, amount=Decimal(1), seen=spent)

    assert debt_of(buyer.customer) == spent - 1
    audit()


def test_staff_settle_a_debt_on_the_page_of_its_customer(client: Client) -> None:
    buyer = Buyer()
    payment = topped_up(buyer, "30.00")
    owed = spend(buyer).pay_amount
    open_dispute(payment=payment, note="Case 1")
    page = reverse("customers:inspect", args=[buyer.customer.pk])
    form = reverse("settle_debt", args=[buyer.customer.pk])
    body = {"amount": str(owed), "note": "In cash", "seen": str(owed)}
    packer = staff_with("view_customer", "view_ledgerentry", "change_order")
    with nothing_changes():
        assert form not in packer.get(page).content.decode()
        assert packer.post(form, body).status_code in {302, 403}
    client.force_login(make_boss())
    assert form in client.get(page).content.decode()
    with nothing_changes():
        client.post(form, body | {"amount": "-1"})
    client.post(form, body)
    assert debt_of(buyer.customer) == 0
    assert form not in client.get(page).content.decode()
    statement = client.get(reverse("customer_debt", args=[buyer.customer.pk])).content.decode()
    assert "boss: In cash" in statement
    assert payment.number in statement


def test_a_held_part_counts_as_balance_when_a_top_up_is_disputed() -> None:
    buyer = Buyer()
    payment = topped_up(buyer, "50.00")
    order = make_order(buyer, (make_stocked(price=Decimal("30.00")), 2))
    hold_from_wallet(order=order, amount=Decimal(20), pay_type="5")

    open_dispute(payment=payment, note="Case 1")

    assert balances(buyer) == money(0, 0)
    assert not Payment.objects.filter(is_held=True).exists()
    # The order waits for all of its amount again, and nothing comes back when it ends.
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    assert return_held_money() == 0
    assert wallet_of(buyer.customer) == 0
    audit()


def make_disputed_part(buyer: Buyer) -> tuple[Order, Dispute]:
    """Order for 49.90, of which a bank has taken back a part of 29.90 before the order is paid."""
    order = make_order(buyer, (make_stocked(price=Decimal("20.00")), 2))
    payment = topped_up(buyer, "20.00")
    hold_from_wallet(order=order, amount=Decimal(20), pay_type="5")
    part = make_payment(buyer, order)
    # The wallet's part pays the debt, so the rest at the gateway becomes a part itself.
    open_dispute(payment=payment, note="Case 1")
    assert collect(part, part.amount).is_held
    disputed = open_dispute(payment=part, note="Case 2")
    order.refresh_from_db()
    assert (order.status, left_to_pay(order)) == (OrderStatus.unpaid, order.pay_amount)
    return order, disputed


@pytest.mark.parametrize("state", [State.open, State.lost, State.won])
@pytest.mark.parametrize("ends", ["unpaid", "paid", "disputed", "canceled"])
def test_a_part_that_was_disputed_before_its_order_was_paid_is_used_or_goes_back(
    state: Dispute.State, ends: str
) -> None:
    buyer = Buyer()
    order, disputed = make_disputed_part(buyer)
    if ends == "canceled":
        cancel_order(customer=buyer.customer, order_no=order.order_no)
    elif ends != "unpaid":
        whole = make_payment(buyer, order)
        collect(whole, whole.amount)
        if ends == "disputed":
            open_dispute(payment=whole, note="Case 3")

    if state == State.lost:
        lose_dispute(dispute=disputed, staff=make_boss(), note="x")
    elif state == State.won:
        undo_dispute(dispute=disputed, state=state, staff=make_boss(), note="x")

    audit_money()
    if state != State.won:
        return
    part, due = disputed.payment, Refund.objects.filter(reason__in=["order_canceled", "paid_twice"])
    part.refresh_from_db()
    if ends == "unpaid":
        assert (part.is_held, part.refunded, due.exists()) == (True, ZERO, False)
        assert pay(buyer, order)["code"] == 0
        rest = order.payments.get(state=Payment.State.pending)
        assert collect(rest, Decimal(20)).amount == 20
        order.refresh_from_db()
        assert order.status == OrderStatus.paid
        audit_money()
    else:
        assert (part.is_held, part.refunded) == (False, part.amount)
        assert (due.get().amount, due.get().state) == (part.amount, "due")


def test_no_bank_can_take_back_money_of_the_wallet_of_staff_or_that_went_to_its_source() -> None:
    buyer = Buyer()
    top_up(buyer.customer)
    by_wallet = spend(buyer).payments.get()
    by_staff = another_payment(by_wallet.paid_order, 8)
    gone = another_payment(by_wallet.paid_order, 9)
    Payment.objects.filter(pk=by_staff.pk).update(provider="staff")
    request_refund(payment=gone, amount=Decimal(5), reason=Refund.Reason.paid_twice)
    for payment in (by_wallet, by_staff, gone):
        payment.refresh_from_db()
        with refuses(Err.not_disputable):
            open_dispute(payment=payment, note="Case 1")
    with refuses(Err.note_missing):
        open_dispute(payment=gone, note=" ")


def test_a_notice_disputes_the_payment_that_it_names_alone(provider: SandboxProvider) -> None:
    good = make_paid_payment(Buyer())
    other = another_payment(good.paid_order, 9)

    notify(provider, good, "E1")

    assert Order.objects.get().status == OrderStatus.chargeback
    assert [*Refund.objects.values_list("payment", flat=True)] == [good.pk]
    notify(provider, other, "E2")
    assert Refund.objects.filter(payment=other, amount=5, reason="chargeback").count() == 1


def test_what_was_to_be_sent_back_of_a_disputed_payment_waits_for_staff(provider: SandboxProvider) -> None:
    good = make_paid_payment(Buyer())
    again = another_payment(good.paid_order, 9)
    twice = request_refund(payment=again, amount=Decimal(5), reason=Refund.Reason.paid_twice)
    part = request_refund(payment=good, amount=Decimal(1), reason=Refund.Reason.order_refund)

    notify(provider, good, "E1")
    # That of another payment of the order was sent.
    assert send_refunds() == 1

    states = dict(Refund.objects.values_list("pk", "sent_at"))
    assert (states[part.pk], states[twice.pk] is None) == (None, False)
    boss = make_boss()
    card = refunds_due(boss)
    assert card
    assert "AUD 1.00" in [item.text for item in card.items]
    Refund.objects.filter(pk=part.pk).update(state="failed")
    part = Refund.objects.get(pk=part.pk)
    with refuses(Err.payment_disputed):
        retry_refund(refund=part)
    note_paid_back(refund=part, staff=boss, note="The bank has given it")
    assert send_refunds() == 0
    audit_money()


def test_points_of_a_completed_order_come_back_with_the_end_of_its_dispute() -> None:
    buyer = Buyer()
    payment = make_paid_payment(buyer)
    order = payment.paid_order
    Order.objects.filter(pk=order.pk).update(points_rate=1)
    press(order, Move.send_out, Move.deliver)
    book_due_points()
    earned = balance_of(customer=buyer.customer, kind=LedgerAccount.Kind.points)
    assert earned
    for case in (1, 2):
        dispute = open_dispute(payment=payment, note=f"Case {case}")
        assert balance_of(customer=buyer.customer, kind=LedgerAccount.Kind.points) == 0
        undo_dispute(dispute=dispute, state=State.mistaken, staff=make_boss(), note="Another order")
        assert balance_of(customer=buyer.customer, kind=LedgerAccount.Kind.points) == earned
    order.refresh_from_db()
    assert order.status == OrderStatus.completed
    audit()


def test_an_order_stays_disputed_until_all_its_disputes_are_over() -> None:
    first = make_paid_payment(Buyer())
    second = another_payment(first.paid_order, 9)
    one, two = open_dispute(payment=first, note="Case 1"), open_dispute(payment=second, note="Case 2")
    undo_dispute(dispute=one, state=State.won, staff=make_boss(), note="They agreed")
    order = Order.objects.get()
    assert order.status == OrderStatus.chargeback
    undo_dispute(dispute=two, state=State.won, staff=make_boss(), note="They agreed")
    order.refresh_from_db()
    assert order.status == OrderStatus.paid


def test_a_lost_dispute_keeps_its_debt_and_leaves_the_dashboard() -> None:
    buyer, boss = Buyer(), make_boss()
    payment = topped_up(buyer, "30.00")
    spent = spend(buyer).pay_amount
    dispute = open_dispute(payment=payment, note="Case 1")
    with refuses(Err.note_missing):
        lose_dispute(dispute=dispute, staff=boss, note=" ")
    lose_dispute(dispute=dispute, staff=boss, note="Final")
    card = open_disputes(boss)
    assert card
    assert (card.total, debt_of(buyer.customer)) == (0, spent)
    with refuses(Err.dispute_closed):
        undo_dispute(dispute=dispute, state=State.won, staff=boss, note="Too late")
    audit()


def test_a_won_dispute_reduces_the_debt_before_it_fills_the_wallet() -> None:
    buyer, boss = Buyer(), make_boss()
    payment = topped_up(buyer, "30.00")
    spent = spend(buyer).pay_amount
    dispute = open_dispute(payment=payment, note="Case 1")
    assert debt_of(buyer.customer) == spent
    undo_dispute(dispute=dispute, state=State.won, staff=boss, note="They agreed")
    assert balances(buyer) == money(30 - spent, 0)
    audit()


def first_button(html: str, field: str) -> str:
    """Return the first button of the form with this field."""
    forms = re.findall(r"<form.*?</form>", html, re.S)
    [form] = [form for form in forms if f'name="{field}"' in form]
    return str(re.findall(r"<button[^>]*>", form)[0])


def test_only_staff_with_the_right_record_and_close_disputes(client: Client) -> None:
    payment = make_paid_payment(Buyer())
    page = reverse("payment_dispute", args=[payment.pk])
    packer = staff_with("view_order", "change_order", "view_payment", "view_dispute")
    assert page not in packer.get(reverse("payments:inspect", args=[payment.pk])).content.decode()
    with nothing_changes():
        assert packer.get(page).status_code in {302, 403}
        assert packer.post(page, {"note": "Case 1"}).status_code in {302, 403}
    client.force_login(make_boss())
    with nothing_changes():
        html = client.get(page).text
        assert "Case" not in html
        # The Enter key presses the first button of the form, which does nothing.
        assert "disabled" in first_button(html, "note")
        assert client.post(page, {"note": ""}).status_code == 200
    assert client.post(page, {"note": "Case 1"}).status_code == 302
    dispute = Dispute.objects.get()
    assert (dispute.note, dispute.staff and dispute.staff.username) == ("Case 1", "boss")
    assert client.get(reverse("disputes:index")).status_code == 200
    html = client.get(reverse("disputes:inspect", args=[dispute.pk])).text
    assert "disabled" in first_button(html, "state")
    close = reverse("dispute_close", args=[dispute.pk])
    with nothing_changes():
        client.post(close, {"note": "No such state", "state": "forgotten"})
        assert packer.post(close, {"note": "They agreed", "state": "won"}).status_code in {302, 403}
    client.post(close, {"note": "They agreed", "state": "won"})
    dispute = Dispute.objects.get()
    assert (dispute.state, Order.objects.get().status) == ("won", OrderStatus.paid)


@pytest.mark.django_db(transaction=True)
def test_notices_of_a_dispute_at_the_same_time_next_to_payments_take_a_top_up_once(
    provider: SandboxProvider,
) -> None:
    buyer = Buyer()
    payment = topped_up(buyer, "50.00")
    orders = [make_order(buyer, (make_stocked(price=Decimal("30.00")), 2)) for _ in range(4)]

    def act(number: int) -> None:
        if number < len(orders):
            hold_from_wallet(order=orders[number], amount=Decimal(10), pay_type="5")
        else:
            notify(provider, payment, f"E{number}")

    outcomes = concurrently(act, range(12))
    assert set(outcomes) <= {None, Err.balance_insufficient}
    # A part that was held while the dispute was recorded returns with the next job.
    return_held_money()
    assert balances(buyer) == money(ZERO, ZERO)
    assert not Payment.objects.filter(is_held=True).exists()
    assert Refund.objects.get(reason="chargeback").amount == 50
    assert Dispute.objects.count() == 1
    audit()


def spent_top_up(buyer: Buyer) -> tuple[Payment, Payment]:
    """Top up and spend 30.00 dollars, and begin to top up as much again; returns both payments."""
    payment = topped_up(buyer, "30.00")
    post(
        customer=buyer.customer,
        kind=LedgerAccount.Kind.wallet,
        amount=Decimal(-30),
        reason=LedgerEntry.Reason.adjustment,
        reference="A1",
    )
    return payment, make_recharge(buyer, "30.00").payments.get()


def credit_during_a_dispute(buyer: Buyer, spent: Payment, arriving: Payment) -> tuple[Decimal, Decimal]:
    """Dispute the spent top-up while the other one arrives; returns wallet and debt."""
    acts: list[Callable[[], object]] = [
        lambda: collect(arriving, Decimal(30)),
        lambda: open_dispute(payment=spent, note="Case 1"),
    ]
    outcomes = concurrently(lambda act: act() and None, acts)
    assert [*outcomes] == [None, None]
    return wallet_of(buyer.customer), debt_of(buyer.customer)


@pytest.mark.django_db(transaction=True)
def test_money_that_arrives_during_a_dispute_pays_its_debt() -> None:
    buyer = Buyer()
    assert credit_during_a_dispute(buyer, *spent_top_up(buyer)) == (ZERO, ZERO)
    audit()


@only_where_races_show
@pytest.mark.django_db(transaction=True)
def test_control_without_the_locks_of_the_wallet_a_debt_stays_next_to_money(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    buyer = Buyer()
    payments = spent_top_up(buyer)
    both_have_written, both_have_read = Barrier(2), Barrier(2)
    settle_debt = ledger.settle_debt

    def late(**values: object) -> None:
        both_have_written.wait(10)
        settle_debt(**values)  # type: ignore[arg-type]
        both_have_read.wait(10)

    monkeypatch.setattr(disputes, "lock_wallet", lambda customer: True)
    monkeypatch.setattr(ledger, "settle_debt", late)
    monkeypatch.setattr(debts, "settle_debt", late)
    assert credit_during_a_dispute(buyer, *payments) == money(30, 30)


def owing(buyer: Buyer) -> tuple[Dispute, Decimal]:
    """Top up 30 dollars, spend a part, and dispute the top-up; returns the dispute and the debt."""
    payment = topped_up(buyer, "30.00")
    spent = spend(buyer).pay_amount
    return open_dispute(payment=payment, note="Case 1"), spent


def test_what_staff_settled_of_a_debt_is_no_money_of_the_wallet_when_the_dispute_is_over() -> None:
    buyer, boss = Buyer(), make_boss()
    dispute, owed = owing(buyer)
    record_debt_settlement(
        customer=buyer.customer, staff=boss, note="Written off", amount=owed - 1, seen=owed
    )
    topped_up(buyer, "5.00")
    assert balances(buyer) == money(4, 0)

    undone = undo_dispute(dispute=dispute, state=State.won, staff=boss, note="They agreed")

    dispute.refresh_from_db()
    assert undone.by_hand == dispute.by_hand == owed - 1
    assert balances(buyer) == money(30 - owed + 5, 0)
    audit()
    Dispute.objects.update(by_hand=0)
    with pytest.raises(AssertionError):
        audit_money()


def test_a_debt_that_staff_wrote_off_takes_nothing_from_what_the_wallet_paid_of_another() -> None:
    buyer, boss = Buyer(), make_boss()
    paid_by_wallet = open_dispute(payment=topped_up(buyer, "30.00"), note="Case 1")
    dispute, owed = owing(buyer)
    record_debt_settlement(customer=buyer.customer, staff=boss, note="Written off", amount=owed, seen=owed)

    # The wallet has paid all of the first debt, and what was left in it of the second.
    undone = undo_dispute(dispute=dispute, state=State.won, staff=boss, note="They agreed")
    assert (undone.by_hand, *balances(buyer)) == (owed, *money(30 - owed, 0))
    undone = undo_dispute(dispute=paid_by_wallet, state=State.won, staff=boss, note="They agreed")
    assert (undone.by_hand, *balances(buyer)) == (ZERO, *money(60 - owed, 0))
    audit()


def test_the_end_of_a_dispute_above_the_limit_needs_a_second_person(
    client: Client, settings: Settings
) -> None:
    settings.APPROVAL_LIMIT = 29
    buyer, boss, colleague = Buyer(), make_boss(), User.objects.create_superuser("bert")
    dispute, owed = owing(buyer)
    for state in (State.won, State.mistaken):
        with refuses(Err.second_person_needed):
            undo_dispute(dispute=dispute, state=state, staff=boss, note="They agreed")
    client.force_login(boss)
    client.post(reverse("dispute_close", args=[dispute.pk]), {"state": "won", "note": "They agreed"})
    assert balances(buyer) == money(0, owed)

    approve(approval=Approval.objects.get(kind="dispute_over"), staff=colleague)

    dispute.refresh_from_db()
    assert (dispute.state, dispute.closed_by) == (State.won, boss)
    assert balances(buyer) == money(30 - owed, 0)
    audit()


def test_a_debt_above_the_limit_is_settled_by_two_persons(client: Client, settings: Settings) -> None:
    settings.APPROVAL_LIMIT = 1
    buyer, boss, colleague = Buyer(), make_boss(), User.objects.create_superuser("bert")
    _dispute, owed = owing(buyer)
    client.force_login(boss)
    body = {"amount": str(owed), "note": "In cash", "seen": str(owed)}
    client.post(reverse("settle_debt", args=[buyer.customer.pk]), body)
    assert debt_of(buyer.customer) == owed
    approval = Approval.objects.get(kind="debt")
    User.objects.filter(pk=boss.pk).update(is_active=False)
    with refuses(Err.approval_by_former):
        approve(approval=approval, staff=colleague)
    User.objects.filter(pk=boss.pk).update(is_active=True)

    approve(approval=approval, staff=colleague)

    assert debt_of(buyer.customer) == 0
    audit()
