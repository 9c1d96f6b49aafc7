"""Points that pay for products: taken once, never more than there are, and returned for unpaid orders."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import LazySettings
from django.db.models import F
from django.test import Client
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.points import post_points
from commerce.ledger.tests.builders import points_of
from commerce.orders.audit import differences as differences_of_orders
from commerce.orders.models import Order
from commerce.orders.points import spend_points
from commerce.orders.points_audit import differences as differences_of_points
from commerce.orders.services import cancel_order, expire_due_orders, mark_paid
from commerce.orders.tests.agreement import disagreements
from commerce.orders.tests.baskets import lines_of
from commerce.orders.tests.builders import Answer, Buyer, audit, make_stocked, nothing_changes, ordered
from commerce.orders.tests.shoppers import Shopper
from commerce.vouchers.tests.builders import make_voucher
from core.errors import Err
from core.tests.races import SHOWS_RACES
from core.tests.rows import rolled_back
from core.tests.threads import concurrently

Reason = LedgerEntry.Reason
PERTH = "Australia-WA-Perth-6000"

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def buyer() -> Buyer:
    """Return a customer with 5,000 points."""
    buyer = Buyer()
    give(buyer.customer, 5_000)
    return buyer


def give(customer: Customer, points: int) -> None:
    post_points(customer=customer, points=points, reason=Reason.opening, order_no="A0")


def preview(buyer: Buyer, *lines: tuple[Any, int], **body: Any) -> Answer:
    sent = {"orderGoods": lines_of(*lines), "shippingType": "2", "address": PERTH} | body
    return buyer.send("POST", "/order/preview", sent)


def soap_and_rice() -> tuple[tuple[Any, int], tuple[Any, int]]:
    soap = make_stocked(price=Decimal("11.00"), gst_free=False)
    return (soap, 2), (make_stocked(price=Decimal("4.49")), 3)


def test_an_order_costs_the_previewed_sum_and_its_tax_is_of_the_money_paid(buyer: Buyer) -> None:
    lines = soap_and_rice()
    shown = preview(buyer, *lines, points=1_000)["result"]
    order = ordered(buyer.order(*lines, points=1_000))
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert disagreements(shown, detail) == []
    assert (shown["pointsUsable"], shown["pointsAmount"]) == (3_547, 10.0)
    # 22.00 and 13.47 of products, 17.40 of freight; 10.00 of points are 6.20 and 3.80 of them.
    assert (order.goods_amount, order.freight, order.pay_amount) == (
        Decimal("35.47"),
        Decimal("17.40"),
        Decimal("42.87"),
    )
    soap, rice = order.lines.all()
    assert (soap.points_discount, rice.points_discount) == (Decimal("6.20"), Decimal("3.80"))
    # An eleventh of 15.80; of the freight 15.80 / 25.47 are taxed.
    assert (soap.gst, rice.gst, order.freight_gst) == (Decimal("1.44"), Decimal(0), Decimal("0.98"))
    assert points_of(buyer.customer) == 4_000
    audit()


def test_points_may_pay_all_products_and_never_the_freight(buyer: Buyer) -> None:
    lines = soap_and_rice()
    order = ordered(buyer.order(*lines, points=3_547))
    assert (order.pay_amount, order.points_amount) == (order.freight, order.goods_amount)
    assert (sum(line.gst for line in order.lines.all()), order.freight_gst) == (0, Decimal("0.98"))
    assert mark_paid(order=order, pay_type="5")
    # What points have paid earns none.
    assert order.goods_paid == 0
    assert [*differences_of_orders(), *differences_of_points()] == []


def test_a_voucher_comes_before_points(buyer: Buyer) -> None:
    make_voucher(code="TEN", value="10")
    tea = make_stocked(price=Decimal("12.00"))
    assert preview(buyer, (tea, 1), voucherCode="TEN")["result"]["pointsUsable"] == 200
    order = ordered(buyer.order((tea, 1), voucherCode="TEN", points=200))
    found = (order.goods_amount, order.points_amount, order.pay_amount)
    assert found == (Decimal("2.00"), Decimal("2.00"), order.freight)


def test_points_that_cannot_pay_are_refused_by_preview_and_order_alike(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    lines = soap_and_rice()
    for number, err in (
        (5_001, Err.points_insufficient),
        (3_548, Err.points_beyond_goods),
        ("x", Err.parameter_error),
        (-1, Err.parameter_error),
        (2**31, Err.parameter_error),
    ):
        with subtests.test(number=number, err=err), rolled_back():
            body = buyer.body(*lines, points=number)
            with nothing_changes():
                shown, answer = preview(buyer, *lines, points=number), buyer.send("POST", "/order", body)
            assert shown["reason"] == answer["reason"] == err.name
            assert "points" in shown["fields"]
            # The code may be used again.
            ordered(buyer.send("POST", "/order", body | {"points": 100}))


def test_a_cent_is_left_to_pay_where_nothing_is_sent(buyer: Buyer) -> None:
    tea = make_stocked(price=Decimal("12.00"))
    body = {"orderGoods": lines_of((tea, 1)), "shippingType": "3"}
    shown = buyer.send("POST", "/order/preview", body)["result"]
    assert shown["pointsUsable"] == 1_199
    assert buyer.send("POST", "/order/preview", body | {"points": 1_199})["result"]["payAmount"] == 0.01
    refused = buyer.send("POST", "/order/preview", body | {"points": 1_200})
    assert refused["reason"] == "points_beyond_goods"


def test_no_point_can_be_spent_if_the_shop_does_not_allow_it(buyer: Buyer, settings: LazySettings) -> None:
    settings.POINTS_PER_DOLLAR = 0
    lines = soap_and_rice()
    assert preview(buyer, *lines)["result"]["pointsUsable"] == 0
    assert preview(buyer, *lines, points=100)["reason"] == "points_unusable"


def test_a_guests_points_ask_for_a_login(client: Client, buyer: Buyer) -> None:
    body = {"orderGoods": lines_of((make_stocked(), 1)), "points": 100}
    answer = client.post("/api/v1/pc/order/preview", body, content_type="application/json")
    assert answer.json()["reason"] == "login_required"


def test_the_same_request_spends_once_and_another_number_is_another_order(buyer: Buyer) -> None:
    body = buyer.body(*soap_and_rice(), points=1_000)
    first = ordered(buyer.send("POST", "/order", body))
    assert ordered(buyer.send("POST", "/order", body)) == first
    assert buyer.send("POST", "/order", body | {"points": 900})["reason"] == "order_exists"
    assert points_of(buyer.customer) == 4_000


def test_an_order_that_ends_unpaid_gives_its_points_back_once(buyer: Buyer) -> None:
    canceled, expired = (ordered(buyer.order(*soap_and_rice(), points=1_000)) for _ in range(2))
    assert points_of(buyer.customer) == 3_000
    cancel_order(customer=buyer.customer, order_no=canceled.order_no)
    assert points_of(buyer.customer) == 4_000
    Order.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    assert expire_due_orders() == 1
    assert points_of(buyer.customer) == 5_000
    buyer.send("PUT", f"/order/cancel/{canceled.order_no}")
    assert (expire_due_orders(), points_of(buyer.customer)) == (0, 5_000)
    audit()


def test_a_late_payment_takes_the_points_again_or_the_order_stays_canceled(buyer: Buyer) -> None:
    revived, lost = (ordered(buyer.order(*soap_and_rice(), points=2_000)) for _ in range(2))
    for order in (revived, lost):
        cancel_order(customer=buyer.customer, order_no=order.order_no)
    assert mark_paid(order=revived, pay_type="5")
    assert points_of(buyer.customer) == 3_000
    spend_points(customer=buyer.customer, points=1_001, order_no="S0")
    assert not mark_paid(order=lost, pay_type="5")
    lost.refresh_from_db()
    assert (lost.status, points_of(buyer.customer)) == (10, 1_999)
    found = [str(each) for each in differences_of_points()]
    assert found == ["order S0: -1001 points of no such order"]


def test_the_audit_names_points_that_were_spent_without_entries_or_lines(buyer: Buyer) -> None:
    order = ordered(buyer.order(*soap_and_rice(), points=1_000))
    Order.objects.filter(pk=order.pk).update(points=900)
    order.lines.filter(points_discount=Decimal("6.20")).update(points_discount=Decimal("6.00"))
    assert {(each.rule, each.row) for each in differences_of_points()} == {
        ("points-spent", f"order {order}"),
        ("points-of-lines", f"order {order}"),
    }


@pytest.mark.django_db(transaction=True)
def test_two_hundred_orders_that_spend_the_same_points_get_what_there_is(buyer: Buyer) -> None:
    outcomes = concurrently(
        lambda number: spend_points(customer=buyer.customer, points=600, order_no=f"S{number}"), range(200)
    )
    assert (outcomes.count(None), outcomes.count(Err.points_insufficient)) == (8, 192)
    assert points_of(buyer.customer) == 5_000 - 8 * 600


@pytest.mark.django_db(transaction=True)
def test_control_reading_and_then_taking_spends_points_that_are_not_there(buyer: Buyer) -> None:
    account = LedgerAccount.objects.filter(customer=buyer.customer, kind=LedgerAccount.Kind.points)

    def spend(_number: int) -> bool:
        if points_of(buyer.customer) < 600:
            return False
        account.update(balance=F("balance") - 600)
        return True

    concurrently(spend, range(200))
    assert points_of(buyer.customer) < 0 or not SHOWS_RACES


@pytest.mark.django_db(transaction=True)
def test_orders_of_one_customer_at_the_same_time_share_their_points(buyer: Buyer) -> None:
    tea = make_stocked(price=Decimal(40))
    shoppers = [Shopper(buyer.customer) for _ in range(4)]
    outcomes = Counter(concurrently(lambda shopper: shopper.buy((tea, 1), points=3_000), shoppers))
    assert outcomes == {"ok": 1, "points_insufficient": 3}
    assert points_of(buyer.customer) == 2_000
    audit()


@pytest.mark.django_db(transaction=True)
def test_a_cancellation_during_expiry_returns_the_points_once(buyer: Buyer) -> None:
    order = ordered(buyer.order(*soap_and_rice(), points=1_000))
    Order.objects.filter(pk=order.pk).update(expires_at=timezone.now() - timedelta(minutes=1))

    def end(number: int) -> object:
        if number % 2:
            return expire_due_orders()
        return cancel_order(customer=buyer.customer, order_no=order.order_no)

    concurrently(end, range(8))
    assert points_of(buyer.customer) == 5_000
    audit()
