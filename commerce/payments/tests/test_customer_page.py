"""What the back office shows of a customer: wallet, points, orders and payments."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from commerce.accounts.tests.builders import PASSWORD
from commerce.accounts.tests.staff import staff_with
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.points import adjust_points, post_points
from commerce.ledger.tests.builders import book
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, make_order, top_up
from commerce.payments.models import Recharge
from commerce.payments.services import refresh_payment
from commerce.payments.tests.builders import decide, make_payment, make_recharge, pay
from core.money import CENT
from core.tests.pages import html_of
from core.tests.queries import statements_of

pytestmark = pytest.mark.django_db

Reason = LedgerEntry.Reason
LISTS = ("customer_wallet", "customer_points", "customer_orders", "customer_payments")
RIGHTS = ("view_customer", "view_ledgerentry", "view_order", "view_payment", "view_recharge")


@pytest.fixture
def buyer() -> Buyer:
    """A customer with an order that was paid from the wallet."""
    buyer = Buyer()
    top_up(buyer.customer)
    order = make_order(buyer)
    assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0
    return buyer


def text(client: Client, name: str, buyer: Buyer, **query: int) -> str:
    response = client.get(reverse(name, args=[buyer.customer.pk]), query)
    assert response.status_code == 200
    return html_of(response)


def test_a_customers_page_links_to_wallet_points_orders_and_payments(buyer: Buyer) -> None:
    staff = staff_with(*RIGHTS)
    page = text(staff, "customers:inspect", buyer)
    balance = LedgerAccount.objects.get(customer=buyer.customer, kind="wallet").balance
    assert f"A${balance}" in page
    for name in LISTS:
        assert reverse(name, args=[buyer.customer.pk]) in page
    order = buyer.customer.orders.get()
    link = reverse("orders:inspect", args=[order.pk])
    for name in ("customer_wallet", "customer_orders", "customer_payments"):
        assert link in text(staff, name, buyer)


def test_who_may_not_see_them_gets_neither_links_nor_lists(buyer: Buyer) -> None:
    staff = staff_with("view_customer")
    page = text(staff, "customers:inspect", buyer)
    assert "Wallet" not in page
    for name in LISTS:
        url = reverse(name, args=[buyer.customer.pk])
        assert url not in page
        assert staff.get(url).status_code == 302
    # Nor does a list without the right to see customers.
    others = staff_with(*RIGHTS[1:])
    assert others.get(reverse("customer_wallet", args=[buyer.customer.pk])).status_code == 302
    # Of entries alone, the orders are named and not linked.
    reader = staff_with("view_customer", "view_ledgerentry")
    wallet = text(reader, "customer_wallet", buyer)
    order = buyer.customer.orders.get()
    assert order.order_no in wallet
    assert reverse("orders:inspect", args=[order.pk]) not in wallet


def test_the_statement_has_each_movement_with_the_balance_after_it(buyer: Buyer) -> None:
    payment = make_recharge(buyer, "70.00").payments.get()
    decide(payment)
    refresh_payment(payment=payment)
    page = text(staff_with(*RIGHTS), "customer_wallet", buyer)
    order = buyer.customer.orders.get()
    left = 500 - order.pay_amount
    places = [
        page.index(part)
        for part in (
            reverse("recharges:inspect", args=[Recharge.objects.get().pk]),
            "+70.00",
            f"{left + 70}",
            f"-{order.pay_amount}",
            f"{left}",
            "+500.00",
        )
    ]
    assert places == sorted(places)


def test_the_statement_of_points_names_orders_and_the_staff_who_adjusted_them(buyer: Buyer) -> None:
    anna, order = User.objects.create_user("anna"), buyer.customer.orders.get()
    post_points(customer=buyer.customer, points=12, reason=Reason.earned, order_no=order.order_no, detail="x")
    adjust_points(customer=buyer.customer, points=-5, staff=anna, note="Entered twice", seen=0)
    page = text(staff_with(*RIGHTS), "customer_points", buyer)
    for part in ("+12", "-5", "anna: Entered twice", reverse("orders:inspect", args=[order.pk])):
        assert part in page


def test_lists_are_paged_and_take_the_same_queries_for_one_row_and_for_many(buyer: Buyer) -> None:
    staff, customer = staff_with(*RIGHTS), buyer.customer

    def earn(order: Order) -> None:
        post_points(customer=customer, points=1, reason=Reason.earned, order_no=order.order_no)

    def queries(name: str) -> int:
        return len(statements_of(lambda: text(staff, name, buyer)))

    earn(customer.orders.get())
    # Once to fill the caches between requests.
    [queries(name) for name in LISTS]
    before = {name: queries(name) for name in LISTS}
    for _ in range(3):
        earn(make_payment(buyer, make_order(buyer)).paid_order)
        make_recharge(buyer)
    for place in range(20):
        book(customer, CENT, f"place {place}", Reason.adjustment)
    assert {name: queries(name) for name in LISTS} == before
    assert "place 19" in text(staff, "customer_wallet", buyer)
    assert "place 19" not in text(staff, "customer_wallet", buyer, p=2)
    assert "opening" in text(staff, "customer_wallet", buyer, p=2)
