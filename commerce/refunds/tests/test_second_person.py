"""Money that one member of staff may not move alone (docs/guarantees/money.md#second-approval)."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from commerce.accounts.tests.staff import staff_with
from commerce.approvals.models import Approval
from commerce.approvals.services import approve, decline
from commerce.approvals.wagtail_hooks import waiting_approvals
from commerce.ledger.models import LedgerAccount
from commerce.ledger.points import adjust_points
from commerce.ledger.services import balance_of
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, nothing_changes, refuses, wallet_of
from commerce.payments.models import Payment, PayType, Refund
from commerce.payments.services import note_paid_back, record_payment
from commerce.payments.services.record import mark_of_receipts
from commerce.payments.tests.builders import make_paid_payment, switch_on_pay_types
from commerce.refunds.services import mark_of, preview_refund
from commerce.refunds.tests.builders import everything, refund
from commerce.refunds.worth import FreightPart
from core.errors import Err

pytestmark = pytest.mark.django_db

CASH = "cashOnDelivery"


@pytest.fixture(autouse=True)
def limit(settings: Settings) -> None:
    settings.APPROVAL_LIMIT = 5
    switch_on_pay_types()


@pytest.fixture
def anna(client: Client) -> User:
    """Staff who may do everything, logged in."""
    user = User.objects.create_superuser("anna")
    client.force_login(user)
    return user


@pytest.fixture
def bert() -> User:
    return User.objects.create_superuser("bert")


def receipt(order: Order, **values: object) -> dict[str, Any]:
    return {
        "order": order,
        "pay_type": CASH,
        "amount": order.pay_amount,
        "seen": mark_of_receipts(order),
        "note": "till 1",
        **values,
    }


def form_of(order: Order) -> dict[str, str]:
    """Return the values of the form that records all of an order's amount."""
    values = receipt(order)
    return {name: str(values[name]) for name in ("pay_type", "amount", "note", "seen")}


def test_any_money_above_the_limit_needs_a_second_person(subtests: pytest.Subtests, anna: User) -> None:
    order = make_order(Buyer())
    for pay_type in (CASH, "1", "transfer"):
        with subtests.test(pay_type=pay_type), refuses(Err.second_person_needed):
            record_payment(**receipt(order, pay_type=pay_type), staff=anna)
    buyer = Buyer()
    with subtests.test("points"), refuses(Err.second_person_needed):
        adjust_points(customer=buyer.customer, points=1_000, staff=anna, note="Sorry", seen=0)
    paid = make_paid_payment(buyer).paid_order
    paid.refresh_from_db()
    with subtests.test("wallet"), refuses(Err.second_person_needed):
        refund(paid, to=Refund.To.wallet, staff=anna)
    again = Payment.objects.create(
        order=paid, reference=f"{paid}-9", pay_type="5", provider="staff", amount=9, state="paid"
    )
    due = Refund.objects.create(payment=again, reference=f"{paid}-9-r1", amount=9, reason="paid_twice")
    with subtests.test("by hand"), refuses(Err.second_person_needed):
        note_paid_back(refund=due, staff=anna, note="Cash")


def test_a_pay_type_that_is_switched_off_is_refused(anna: User) -> None:
    order = make_order(Buyer())
    PayType.objects.filter(code=CASH).update(enabled=False)
    with refuses(Err.pay_type_off):
        record_payment(**receipt(order, amount=Decimal(1)), staff=anna)


def test_more_than_is_left_asks_first(client: Client, anna: User, settings: Settings) -> None:
    settings.APPROVAL_LIMIT = 1_000
    order = make_order(Buyer())
    with refuses(Err.above_owed):
        record_payment(**receipt(order, amount=order.pay_amount + 5), staff=anna)
    form, page = reverse("order_record", args=[order.pk]), reverse("orders:inspect", args=[order.pk])
    body = form_of(order) | {"amount": str(order.pay_amount + 5)}
    with nothing_changes():
        asked = client.post(form, body).content.decode()
    assert "A$5.00" in asked
    assert re.search(r'name="with_surplus"\s+value="on"', asked)
    assert client.post(form, body | {"with_surplus": "on"}).headers["Location"] == page
    order.refresh_from_db()
    assert (order.status, Refund.objects.get().amount) == (OrderStatus.paid, Decimal(5))
    audit()


def test_a_receipt_waits_for_a_colleague_and_is_recorded_once(client: Client, anna: User, bert: User) -> None:
    order = make_order(Buyer())
    form = reverse("order_record", args=[order.pk])
    body = form_of(order)
    client.post(form, body)
    approval = Approval.objects.get()
    with nothing_changes():
        client.post(form, body)
    assert Approval.objects.count() == 1
    assert not order.payments.exists()
    with refuses(Err.approval_by_same):
        approve(approval=approval, staff=anna)
    mine, theirs = waiting_approvals(anna), waiting_approvals(bert)
    assert mine
    assert theirs
    assert (mine.total, theirs.total) == (0, 1)

    approve(approval=approval, staff=bert)

    order.refresh_from_db()
    payment = order.payments.get()
    assert (order.status, payment.staff, payment.note) == (OrderStatus.paid, anna, "till 1")
    approval.refresh_from_db()
    assert (approval.state, approval.decided_by) == ("approved", bert)
    for decide in (approve, decline):
        with refuses(Err.approval_decided):
            decide(approval=approval, staff=bert)
    audit()


def test_what_has_changed_since_is_not_approved(client: Client, anna: User, bert: User) -> None:
    order = make_order(Buyer())
    client.post(reverse("order_record", args=[order.pk]), form_of(order))
    record_payment(**receipt(order, amount=Decimal(1)), staff=bert)
    approval = Approval.objects.get()
    with refuses(Err.order_moved):
        approve(approval=approval, staff=bert)
    approval.refresh_from_db()
    assert approval.state == "waiting"
    decline(approval=approval, staff=anna)
    approval.refresh_from_db()
    assert approval.state == "declined"


def test_refunds_to_the_wallet_points_and_refunds_by_hand_are_approved_too(
    client: Client, anna: User, bert: User
) -> None:
    buyer = Buyer()
    payment = make_paid_payment(buyer)
    order = payment.paid_order
    order.refresh_from_db()
    page = reverse("order_refund", args=[order.pk])
    line = order.lines.get()
    body = {
        f"units_{line.pk}": str(line.amount),
        f"amount_{line.pk}": "",
        f"restocked_{line.pk}": "0",
        "freight": "all",
        "to": "wallet",
        "note": "Sold out",
    }
    preview = client.post(page, body).context
    confirmed = {"seen": preview["seen"], "previewed": preview["previewed"], "confirm": "yes"}
    with nothing_changes():
        client.post(page, body | confirmed)
    points = {"points": "900", "note": "Sorry", "seen": "0"}
    client.post(reverse("adjust_points", args=[buyer.customer.pk]), points)

    for approval in Approval.objects.order_by("pk"):
        approve(approval=approval, staff=bert)

    order.refresh_from_db()
    assert (order.status, wallet_of(buyer.customer)) == (OrderStatus.canceled, payment.amount)
    assert balance_of(customer=buyer.customer, kind=LedgerAccount.Kind.points) == 900
    assert order.order_refunds.get().staff == anna
    audit()


def test_a_refund_by_hand_waits_for_a_colleague_and_is_not_shown_as_done(
    client: Client, anna: User, bert: User
) -> None:
    payment = make_paid_payment(Buyer())
    due = Refund.objects.create(payment=payment, reference="r1", amount=9, reason="paid_twice")
    Payment.objects.filter(pk=payment.pk).update(provider="staff", refunded=9)
    press = reverse("refund_paid_back", args=[due.pk])
    shown = list(client.post(press, {"note": "Cash"}, follow=True).context["messages"])
    assert [message.level_tag for message in shown] == ["warning"]
    due.refresh_from_db()
    assert due.state == "due"
    approve(approval=Approval.objects.get(), staff=bert)
    due.refresh_from_db()
    assert (due.state, due.staff) == ("done", anna)


def test_money_that_came_from_the_wallet_returns_there_without_a_second_person(anna: User) -> None:
    payment = make_paid_payment(Buyer())
    order = payment.paid_order
    order.refresh_from_db()
    Payment.objects.filter(pk=payment.pk).update(provider="wallet")
    seen = mark_of(order)
    assert preview_refund(order=order, lines=everything(order), freight=FreightPart.all, to=Refund.To.wallet)
    made = refund(order, to=Refund.To.wallet, staff=anna, seen=seen)
    assert made.amount == order.pay_amount


def test_only_staff_with_the_right_of_the_action_decide(client: Client, anna: User) -> None:
    order = make_order(Buyer())
    client.post(reverse("order_record", args=[order.pk]), form_of(order))
    approval = Approval.objects.get()
    page = reverse("approvals:inspect", args=[approval.pk])
    buttons = [reverse(f"approval_{name}", args=[approval.pk]) for name in ("approve", "decline")]
    own = client.get(page).content.decode()
    assert [button in own for button in buttons] == [False, True]
    other = staff_with("view_approval")
    seen = other.get(page).content.decode()
    assert [button in seen for button in buttons] == [False, False]
    with nothing_changes():
        for button in buttons:
            other.post(button)
    approval.refresh_from_db()
    assert approval.state == "waiting"
    client.force_login(User.objects.create_superuser("bert"))
    assert client.get(reverse("approvals:index")).status_code == 200
    client.post(buttons[0])
    order.refresh_from_db()
    assert order.status == OrderStatus.paid
