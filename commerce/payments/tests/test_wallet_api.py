import json
from dataclasses import replace
from decimal import Decimal
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client

from commerce.accounts.tests.builders import PASSWORD
from commerce.ledger.models import LedgerEntry
from commerce.ledger.tests.builders import book
from commerce.orders.tests.builders import (
    Answer,
    Buyer,
    audit,
    make_order,
    nothing_changes,
    top_up,
    wallet_of,
)
from commerce.payments.models import Payment, PayType, Recharge
from commerce.payments.providers.base import UnavailableError
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.services import recharge as recharges
from commerce.payments.tests.builders import collect, decide, gateway_does, let_looks_ask, pay, send_notice
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

STATEMENT = "/user/balance/detailed"


def call(buyer: Buyer, method: str, path: str, **body: Any) -> Answer:
    """Call what is not below /pc."""
    answer: Answer = buyer.client.generic(
        method, f"/api/v1/recharge{path}", json.dumps(body), "application/json"
    ).json()
    return answer


def begin(buyer: Buyer, amount: object = 50, **body: Any) -> Answer:
    """Begin a top-up."""
    return call(buyer, "POST", "", rechargeAmount=amount, source="web", **body)


def begun(buyer: Buyer, amount: object = 50, **body: Any) -> Payment:
    """Begin a top-up, and return its payment."""
    number = begin(buyer, amount, **body)["result"]["rechargeNo"]
    return Payment.objects.get(recharge__number=number)


def test_a_top_up_begins_at_the_provider_however_the_client_names_it(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    for body, code in (
        ({}, "5"),
        ({"channel": "card", "payType": "RoyalPay"}, "5"),
        ({"channel": "Wechat", "payType": "RoyalPay"}, "2"),
        ({"channel": "Ali"}, "4"),
        ({"channel": "card", "payType": "Paypal"}, "Paypal"),
        ({"payType": "5"}, "5"),
        ({"payType": 2}, "2"),
        ({"payType": "4", "channel": ""}, "4"),
    ):
        with subtests.test(body=body, code=code), rolled_back():
            result = begin(buyer, **body)["result"]
            payment = Payment.objects.get()
            recharge = Recharge.objects.get()
            assert (payment.pay_type, payment.amount, payment.state) == (code, Decimal(50), "pending")
            found = (recharge.customer, recharge.amount, recharge.source)
            assert found == (buyer.customer, Decimal(50), "web")
            assert result["rechargeNo"] == recharge.number
            assert result["jumpUrl"].endswith(f"/sandbox-pay/{payment.reference}")
            assert wallet_of(buyer.customer) == 0


def test_an_amount_between_the_limits_is_asked_for_to_the_cent(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    for amount in (1, "1.00", 49.9, "5000", 5000.0):
        with subtests.test(amount=amount), rolled_back():
            assert begun(buyer, amount).amount == Decimal(str(amount))


def test_another_amount_is_refused_by_its_name(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for amount in (0.99, 0, -5, 5000.01, 10.001, "10.001", "", "abc", "1e2", "١٠", None, True, [5], 1e300):
        with subtests.test(amount=amount):
            with nothing_changes():
                answer = begin(buyer, amount)
            assert (answer["code"], answer["reason"]) == (1002, "parameter_error")
            assert list(answer["fields"]) == ["rechargeAmount"]


def test_a_way_that_tops_up_nothing_is_refused_by_its_name(buyer: Buyer, subtests: pytest.Subtests) -> None:
    PayType.objects.filter(code="2").update(enabled=False)
    for body, field in (
        ({"payType": "3"}, "payType"),
        ({"payType": "0"}, "payType"),
        ({"payType": "transfer"}, "payType"),
        ({"payType": "2"}, "payType"),
        ({"channel": "cash"}, "channel"),
    ):
        with subtests.test(body=body, field=field):
            with nothing_changes():
                answer = begin(buyer, **body)
            assert (answer["reason"], list(answer["fields"])) == ("parameter_error", [field])


def test_a_customer_begins_so_many_top_ups_a_day(buyer: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recharges.PER_CUSTOMER.maximum == 20
    monkeypatch.setattr(recharges, "PER_CUSTOMER", replace(recharges.PER_CUSTOMER, maximum=2))
    begun(buyer)
    begun(buyer)
    with nothing_changes():
        assert begin(buyer)["reason"] == "too_frequent"
    assert begin(Buyer())["code"] == 0


def test_a_paid_top_up_is_in_the_wallet_once_and_in_the_statement(buyer: Buyer) -> None:
    payment = begun(buyer)
    number = str(payment.recharge)
    path = f"/pay/result/{number}"
    waiting = {
        "paid": False,
        "failed": False,
        "status": 1,
        "orderNo": number,
        "payAmount": 50,
        "leftToPay": 50,
        "walletHeld": 0,
        "payType": "5",
        "arrival": None,
        "isRecharge": True,
    }
    assert buyer.send("GET", path)["result"] == waiting
    decide(payment)
    let_looks_ask()
    assert send_notice(payment) == 200
    returned = buyer.client.get(f"/pay/return/{payment.reference}")
    assert returned["Location"] == f"/home/payResult/{number}"
    assert buyer.send("GET", path)["result"] == waiting | {"paid": True, "status": 2, "leftToPay": None}
    assert wallet_of(buyer.customer) == 50
    [entry] = buyer.send("GET", STATEMENT)["result"]["list"]
    assert (entry["amount"], entry["balance"], entry["reason"]) == (50, 50, "充值")
    assert (entry["refNo"], entry["rechargeNo"], entry["orderNo"]) == (number, number, None)
    audit()


def test_money_of_another_amount_than_was_asked_for_is_in_no_wallet(buyer: Buyer) -> None:
    payment = begun(buyer)
    decide(payment, amount=40)
    result = buyer.send("GET", f"/pay/result/{payment.recharge}")["result"]
    assert (result["paid"], result["status"], result["leftToPay"]) == (False, 1, 50)
    assert wallet_of(buyer.customer) == 0


def test_an_open_top_up_is_gone_on_with_until_it_has_ended(buyer: Buyer) -> None:
    first, second = begun(buyer), begun(buyer, 20, payType="Paypal")
    jump_url = call(buyer, "PUT", f"/continue/{first.recharge}")["result"]["jumpUrl"]
    assert jump_url.endswith(f"/sandbox-pay/{first.reference}")
    decide(first)
    decide(second, SandboxCharge.State.declined)
    let_looks_ask()
    for payment in (first, second):
        answer = call(buyer, "PUT", f"/continue/{payment.recharge}")
        assert answer["result"] == {"rechargeNo": str(payment.recharge), "jumpUrl": None}
    assert wallet_of(buyer.customer) == 50
    assert Payment.objects.count() == 2


def test_a_top_up_that_its_provider_did_not_begin_can_be_gone_on_with(buyer: Buyer) -> None:
    with gateway_does("start", Mock(side_effect=UnavailableError)):
        assert begin(buyer)["reason"] == "too_frequent"
    payment = Payment.objects.get()
    answer = call(buyer, "PUT", f"/continue/{payment.recharge}")
    assert answer["result"]["jumpUrl"].endswith(f"/sandbox-pay/{payment.reference}")


def test_top_ups_are_listed_newest_first_and_by_their_state(buyer: Buyer) -> None:
    begun(Buyer())
    paid, waits = begun(buyer), begun(buyer, "12.30", payType="Paypal")
    collect(paid)
    listed = call(buyer, "GET", "")["result"]
    assert [row["rechargeNo"] for row in listed["list"]] == [str(waits.recharge), str(paid.recharge)]
    [row] = call(buyer, "GET", "?status=unpaid")["result"]["list"]
    assert {key: value for key, value in row.items() if key != "createTime"} == {
        "rechargeNo": str(waits.recharge),
        "amount": 12.3,
        "payType": "Paypal",
        "payName": "PayPal",
        "payNameEn": "PayPal",
        "status": "unpaid",
    }
    assert call(buyer, "GET", "?status=pending")["reason"] == "parameter_error"


def test_a_top_up_of_another_customer_is_not_found(buyer: Buyer, client: Client) -> None:
    number = str(begun(Buyer()).recharge)
    with nothing_changes():
        assert call(buyer, "PUT", f"/continue/{number}")["reason"] == "recharge_not_found"
        assert buyer.send("GET", f"/pay/result/{number}")["reason"] == "order_not_found"
        assert client.post("/api/v1/recharge", {}, "application/json").status_code == 401


def test_a_part_from_the_wallet_leaves_the_rest_which_may_fail(buyer: Buyer) -> None:
    top_up(buyer.customer, 10)
    order = make_order(buyer)
    answer = pay(buyer, order, walletAmount=10, password=PASSWORD)
    rest = order.payments.get(state=Payment.State.pending)
    assert answer["result"]["jumpUrl"].endswith(rest.reference)
    left = float(order.pay_amount) - 10
    decide(rest, SandboxCharge.State.declined)
    result = buyer.send("GET", f"/pay/result/{order.order_no}")["result"]
    assert (result["paid"], result["failed"], result["leftToPay"]) == (False, True, pytest.approx(left))
    assert wallet_of(buyer.customer) == 0


def test_the_statement_is_newest_first_and_names_the_order_of_each_entry(buyer: Buyer) -> None:
    top_up(buyer.customer, 500)
    order = make_order(buyer)
    pay(buyer, order, "0", password=PASSWORD)
    book(buyer.customer, "-1.50", reason=LedgerEntry.Reason.adjustment)
    top_up(Buyer().customer)
    first = buyer.send("GET", f"{STATEMENT}?page=1&size=2")["result"]
    assert (first["total"], first["page"], first["size"]) == (3, 1, 2)
    paid = float(order.pay_amount)
    rows = [
        (row["amount"], row["balance"], row["reason"], row["orderNo"], row["rechargeNo"])
        for row in first["list"]
    ]
    assert rows == [
        (-1.5, pytest.approx(498.5 - paid), "管理员调整", None, None),
        (-paid, pytest.approx(500 - paid), "订单付款", order.order_no, None),
    ]
    assert first["list"][1]["refNo"] == order.payments.get().reference
    last = buyer.send("GET", f"{STATEMENT}?page=2&size=2")["result"]["list"]
    assert [row["reason"] for row in last] == ["期初余额"]


def test_every_reason_of_the_statement_has_a_chinese_text(buyer: Buyer) -> None:
    for reason in LedgerEntry.Reason:
        book(buyer.customer, 1, reason=reason)
    rows = buyer.send("GET", STATEMENT)["result"]["list"]
    assert len({row["reason"] for row in rows}) == len(LedgerEntry.Reason)
    assert all("\u4e00" <= char <= "\u9fff" for row in rows for char in row["reason"])
