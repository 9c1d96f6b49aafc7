import re
from datetime import datetime

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.services import mark_paid
from commerce.orders.status import OrderStatus, is_paid, status_label
from commerce.orders.tests.builders import Buyer, make_order, make_paid, make_pick_up, make_stocked, press

pytestmark = pytest.mark.django_db

ORDER_FIELDS = {
    "orderNo", "orderStatus", "statusLabel", "orderAmount", "freight", "payAmount", "payType", "payImg",
    "createTime", "expireTime", "shippingType", "goods",
}  # fmt: skip
DETAIL_FIELDS = ORDER_FIELDS | {
    "address", "shop", "parcels", "remark", "gst", "discount", "voucherCode", "exchangeRate", "invoiceUrl",
    "integral", "history", "payments", "refunds", "soldOutWish", "pickupCode", "pickupQr", "leaveAtDoor",
    "freightGst",    "deliverySlot", "deliveryUntil", "shipments", "idCard",
    "points", "pointsAmount", "integralPending", "leftToPay", "walletHeld", "transfer",
    "cancellation", "mayRequestCancel",
}  # fmt: skip


def numbers(buyer: Buyer, **query: object) -> list[str]:
    return [row["orderNo"] for row in buyer.send("POST", "/orderInfo", query)["result"]["list"]]


def test_orders_are_listed_newest_first_by_page_and_status(buyer: Buyer) -> None:
    orders = [make_paid(buyer), make_order(buyer), make_order(buyer)]
    buyer.send("PUT", f"/order/cancel/{orders[1].order_no}")
    first, second, third = (order.order_no for order in orders)

    assert numbers(buyer) == [third, second, first]
    assert numbers(buyer, status="") == [third, second, first]
    assert numbers(buyer, size=1, page="2") == [second]
    assert numbers(buyer, status="unpaid") == [third]
    assert numbers(buyer, status="paid") == [first]
    assert numbers(buyer, status="canceled") == [second]
    assert numbers(buyer, status="unreceived") == numbers(buyer, status="completed") == []
    page = buyer.send("POST", "/orderInfo", {"page": 9})["result"]
    assert (page["list"], page["total"], page["page"], page["size"]) == ([], 3, 9, 24)
    assert set(buyer.send("POST", "/orderInfo")["result"]["list"][0]) == ORDER_FIELDS


def test_orders_are_counted_by_what_comes_next(buyer: Buyer) -> None:
    make_order(buyer)
    make_paid(Buyer())
    sent, done = make_paid(buyer), make_paid(buyer)
    press(sent, Move.pack, Move.send_out)
    press(done, Move.pack, Move.send_out, Move.deliver)
    counts = buyer.send("GET", "/order/counts")["result"]
    assert counts == {"unpaid": 1, "paid": 0, "unreceived": 1, "claimable": 1}
    assert numbers(buyer, status="claimable") == [done.order_no]


def test_the_detail_has_the_orders_history(buyer: Buyer) -> None:
    order = make_order(buyer)
    # Chosen after it was placed, so that the first step has another label than the order had then.
    Order.objects.update(pay_img="/static/img/pay-in-store.webp")
    mark_paid(order=order, pay_type="5")
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert set(detail) == DETAIL_FIELDS
    steps = [(step["orderStatus"], step["statusLabel"], step["reason"]) for step in detail["history"]]
    assert steps == [(1, "Unpaid", "placed"), (2, "Paid", "payment")]
    found = (detail["integral"], detail["invoiceUrl"], detail["payments"], detail["refunds"])
    assert found == (0, None, [], [])


def test_lists_take_the_same_queries_for_one_order_and_for_many(
    buyer: Buyer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_order(buyer, (make_stocked(), 1))
    with django_assert_num_queries(4):
        buyer.send("POST", "/orderInfo")
    for _ in range(4):
        make_order(buyer, (make_stocked(), 1), (make_stocked(), 1))
    with django_assert_num_queries(4):
        buyer.send("POST", "/orderInfo")
    number = Order.objects.latest("pk").order_no
    with django_assert_num_queries(12):
        buyer.send("GET", f"/order/detailed/{number}")


def test_status_labels_are_exactly_those_clients_expect(subtests: pytest.Subtests) -> None:
    for code, pay_img, label in (
        (1, "", "Unpaid"),
        (1, "/static/img/pay-in-store.webp", "Pay In Store"),
        (1, "/media/receipt.jpg", "Pay By Transfer Waiting For Review"),
        *[(code, "", "Paid") for code in (0, 2, 3, 4, 5, 51, 8)],
        *[(code, "", "Unreceived") for code in (6, 100, 102, 106)],
        (10, "", "Canceled"),
        (7, "", "Completed"),
        (98, "", "Chargeback"),
        (99, "", "Contact Customer Service"),
        (-1, "x", "Contact Customer Service"),
    ):
        with subtests.test(code=code, pay_img=pay_img, label=label):
            assert status_label(code, pay_img) == label


def test_the_paid_filter_lists_orders_whose_money_was_received() -> None:
    assert [code for code in OrderStatus.values if is_paid(code)] == [
        2, 0, 3, 4, 5, 51, 8, 6, 100, 102, 106, 7, 90,
    ]  # fmt: skip


def test_ones_orders_are_found_by_number_and_by_product_in_either_language(buyer: Buyer) -> None:
    rice = make_order(buyer, (make_stocked(name_en="Jasmine Rice", name_zh="泰国香米", sku="R-1"), 1))
    tea = make_order(buyer, (make_stocked(name_en="Green tea 100%", name_zh="绿茶"), 1))
    other = make_order(Buyer(), (make_stocked(name_en="Jasmine tea"), 1))
    for word in (
        "jasmine",
        "香米",
        "r-1",
        rice.order_no.lower(),
        f" {rice.order_no[:-1]} ",
        rice.order_no[-6:],
    ):
        assert numbers(buyer, word=word) == [rice.order_no]
    assert numbers(buyer, word="100%") == [tea.order_no]
    assert numbers(buyer, word="%") == [tea.order_no]
    assert numbers(buyer, word=other.order_no) == numbers(buyer, word="coffee") == []
    assert numbers(buyer, word="jasmine", status="paid") == []
    assert numbers(buyer, word="") == [tea.order_no, rice.order_no]


def test_ones_orders_are_found_by_the_days_they_were_made_on(buyer: Buyer) -> None:
    zone = timezone.get_current_timezone()
    made = []
    for day in (1, 2, 3):
        order = make_order(buyer)
        # Shortly after midnight and shortly before, at the shop.
        at = datetime(2026, 5, day, 0 if day < 3 else 23, 1 if day < 3 else 59, tzinfo=zone)
        Order.objects.filter(pk=order.pk).update(created_at=at)
        made.append(order.order_no)
    first, second, third = made
    assert numbers(buyer, **{"from": "2026-05-02"}) == [third, second]
    assert numbers(buyer, to="2026-05-02") == [second, first]
    assert numbers(buyer, **{"from": "2026-05-03", "to": "2026-05-03"}) == [third]
    assert numbers(buyer, **{"from": "2026-05-02", "word": third, "to": ""}) == [third]
    assert numbers(buyer, **{"from": "2026-05-04"}) == numbers(buyer, to="2026-04-30") == []


def test_what_makes_no_sense_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for query in (
        *({"status": "Paid"}, {"status": 2}, {"page": 0}, {"size": 101}, {"page": "x"}),
        {"from": "2026-05-02", "to": "2026-05-01"},
        {"from": "yesterday"},
        {"from": "2026-02-30"},
        {"from": 1767225600},
        {"to": "9999-12-31"},
        {"from": "0001-01-01"},
        {"to": ["2026-05-01"]},
        {"word": "x" * 101},
    ):
        with subtests.test(query=query):
            assert buyer.send("POST", "/orderInfo", query)["reason"] == "parameter_error"


def test_a_search_takes_the_same_queries_for_one_order_and_for_many(
    buyer: Buyer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    query = {"word": "rice", "from": "2020-01-01", "to": "2099-01-01", "status": "unpaid"}
    for number in (1, 4):
        for _ in range(number):
            make_order(buyer, (make_stocked(name_en="Rice"), 1))
        with django_assert_num_queries(6):
            buyer.send("POST", "/orderInfo", query)


def test_a_pick_up_shows_its_code_as_digits_and_as_a_qr_code_while_it_can_be_picked_up(buyer: Buyer) -> None:
    order = make_pick_up(buyer)

    def shown() -> tuple[str, str]:
        detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
        return detail["pickupCode"], detail["pickupQr"][:18]

    assert re.fullmatch("[0-9]{6}", order.pickup_code)
    assert shown() == (order.pickup_code, "")
    mark_paid(order=order, pay_type="5")
    assert shown() == (order.pickup_code, "data:image/svg+xml")
    Order.objects.update(status=OrderStatus.completed)
    assert shown() == (order.pickup_code, "")
