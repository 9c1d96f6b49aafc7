"""Pay types are named in both languages, restricted, and refused where they do not fit."""

from decimal import Decimal
from typing import Any

import pytest

from commerce.orders.tests.builders import Buyer, BuyerInChina, make_order, make_pick_up, nothing_changes
from commerce.payments.models import PayType
from commerce.payments.tests.builders import make_payment, pay
from core.tests.pictures import make_picture
from core.tests.queries import statements_of
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

ALL = ["5", "2", "4", "Paypal", "0"]


def restrict(code: str, **values: Any) -> None:
    """Restrict a pay type, as its form does."""
    assert PayType.objects.filter(code=code).update(**values) == 1


def offered(buyer: Buyer, query: str = "") -> list[str]:
    return [row["payType"] for row in buyer.send("GET", f"/payTypes{query}")["result"]]


def test_what_does_not_fit_an_order_is_neither_offered_for_it_nor_taken(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    order = make_order(buyer)
    for restriction in (
        {"countries": "CN, NZ"},
        {"from_amount": Decimal(1000)},
        {"to_amount": Decimal(1)},
        {"for_domestic": False},
    ):
        with subtests.test(restriction=restriction), rolled_back():
            restrict("5", **restriction)
            assert offered(buyer, f"?orderNo={order.order_no}") == ["2", "4", "Paypal", "0"]
            assert offered(buyer) == ALL
            with nothing_changes():
                answer = pay(buyer, order, "5")
            refusal = (answer["reason"], answer["fields"])
            assert refusal == ("pay_type_not_for_order", {"payType": "pay_type_not_for_order"})
            assert pay(buyer, order, "2")["code"] == 0


def test_what_fits_an_order_to_the_cent_is_offered_and_taken(buyer: Buyer) -> None:
    order = make_order(buyer)
    restrict(
        "5",
        countries="AU, NZ",
        from_amount=order.pay_amount,
        to_amount=order.pay_amount,
        for_abroad=False,
        for_pickup=False,
    )
    assert offered(buyer, f"?orderNo={order.order_no}") == ALL
    assert pay(buyer, order, "5")["result"]["jumpUrl"]


def test_an_order_is_restricted_by_the_country_it_goes_to() -> None:
    buyer = BuyerInChina()
    order = make_order(buyer)
    restrict("2", countries="CN")
    restrict("4", countries="AU")
    restrict("5", for_abroad=False)
    assert offered(buyer, f"?orderNo={order.order_no}") == ["2", "Paypal", "0"]


def test_a_pick_up_is_at_home(buyer: Buyer) -> None:
    order = make_pick_up(buyer)
    restrict("2", countries="CN")
    restrict("4", countries="AU")
    restrict("5", for_pickup=False)
    assert offered(buyer, f"?orderNo={order.order_no}") == ["4", "Paypal", "0"]
    assert pay(buyer, order, "5")["reason"] == "pay_type_not_for_order"


def test_before_there_is_an_order_the_pay_types_for_what_it_would_be_are_listed(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    restrict("5", from_amount=Decimal(100))
    restrict("2", for_abroad=False, to_amount=Decimal("99.99"))
    restrict("4", countries="CN")
    for query, fitting in (
        ("amount=99.99&country=China&shippingType=1", ["4", "Paypal", "0"]),
        ("amount=100.00&country=cn&shippingType=1", ["5", "4", "Paypal", "0"]),
        ("amount=100&country=Trinidad%20%26%20Tobago", ["5", "Paypal", "0"]),
        ("country=China&shippingType=3", ["5", "2", "Paypal", "0"]),
        ("country=Atlantis", ["5", "2", "Paypal", "0"]),
        ("amount=&country=&shippingType=", ALL),
    ):
        with subtests.test(query=query, fitting=fitting):
            assert offered(buyer, f"?{query}") == fitting


def test_what_is_asked_for_wrongly_is_refused(buyer: Buyer) -> None:
    order = make_order(Buyer())
    for query, reason in [
        ("shippingType=9", "choose_delivery"),
        ("amount=-1", "parameter_error"),
        ("amount=NaN", "parameter_error"),
        (f"orderNo={order.order_no}", "order_not_found"),
    ]:
        assert buyer.send("GET", f"/payTypes?{query}")["reason"] == reason, query
    url = f"/api/v1/pc/payTypes?orderNo={order.order_no}"
    assert buyer.client.get(url, headers={"token": ""}).json()["reason"] == "order_not_found"


def test_a_pay_type_that_was_switched_off_in_the_meantime_starts_and_continues_nothing(buyer: Buyer) -> None:
    payment = make_payment(buyer)
    restrict("5", enabled=False)
    with nothing_changes():
        answer = pay(buyer, payment.paid_order, "5")
    assert (answer["reason"], answer["fields"]) == ("pay_type_off", {"payType": "pay_type_off"})
    assert answer["msg"] == "该付款方式已停用，请选择其他付款方式"


def test_a_picture_that_staff_choose_takes_the_place_of_the_fixed_one(buyer: Buyer) -> None:
    restrict("5", image=make_picture())
    card, wechat, *_rest = buyer.send("GET", "/payTypes")["result"]
    assert card["img"].startswith("/media/")
    assert wechat["img"] == "/static/img/pay/wechat-pay.svg"


def test_the_list_takes_the_same_queries_for_one_picture_and_for_many(buyer: Buyer) -> None:
    counts = []
    for codes in (["5"], ["2", "4", "0"]):
        for code in codes:
            restrict(code, image=make_picture())
        assert offered(buyer) == ALL
        counts.append(len(statements_of(lambda: offered(buyer))))
    assert counts[0] == counts[1]


def test_payments_of_an_order_are_named_in_both_languages(buyer: Buyer) -> None:
    order = make_payment(buyer).paid_order
    make_payment(buyer, order, "Paypal")
    # Its name outlives the switch.
    PayType.objects.update(enabled=False)
    payments = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]["payments"]
    assert {(row["payType"], row["payName"], row["payNameEn"]) for row in payments} == {
        ("5", "信用卡或借记卡", "Credit or debit card"),
        ("Paypal", "PayPal", "PayPal"),
    }


def test_the_migration_names_every_pay_type_in_both_languages() -> None:
    names = {code: (en, zh) for code, en, zh in PayType.objects.values_list("code", "name_en", "name_zh")}
    assert names["transfer"] == ("Offline bank transfer", "线下银行转账")
    assert names["3"] == ("POLi", "POLi")
    assert all(en and zh for en, zh in names.values())
