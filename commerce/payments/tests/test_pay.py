from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from commerce.accounts.services import change_profile
from commerce.accounts.tests.builders import PASSWORD, make_customer
from commerce.ledger.models import LedgerEntry
from commerce.orders.models import Order
from commerce.orders.sales import count_due_sales
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    make_order,
    make_stocked,
    nothing_changes,
    ordered,
    refuses,
    top_up,
    wallet_of,
)
from commerce.payments.models import Payment, PayType
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.services.wallet import pay_from_wallet
from commerce.payments.tests.builders import (
    busy_gateway,
    decide,
    let_looks_ask,
    make_collected,
    make_declined,
    make_payment,
    make_van_order,
    pay,
    pay_in_vain,
    result_of,
)
from commerce.rate_limits.models import RateLimitCounter
from core.clock import to_wire
from core.errors import Err
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

SITE = "http://127.0.0.1:1"


def test_the_pay_types_that_can_be_used_are_listed(buyer: Buyer) -> None:
    listed = buyer.client.get("/api/v1/pc/payTypes", headers={"token": ""}).json()["result"]
    assert [row["payType"] for row in listed] == ["5", "2", "4", "Paypal", "0"]
    assert listed[0] == {
        "payName": "信用卡或借记卡",
        "payNameEn": "Credit or debit card",
        "payHint": "在支付页面完成付款后返回本站",
        "payHintEn": "Paid on the payment page, then you come back here",
        "payWarning": "",
        "payWarningEn": "",
        "payCode": "RoyalPayCard",
        "payType": "5",
        "img": "/static/img/pay/cards.svg",
    }


def test_what_staff_collect_shows_where_unless_staff_have_written_a_hint(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    PayType.objects.update(enabled=True)
    PayType.objects.filter(code="4").update(hint_en="Only here")

    def texts_of(query: str, code: str) -> tuple[str, ...]:
        rows = {row["payType"]: row for row in buyer.send("GET", f"/payTypes{query}")["result"]}
        return tuple(rows[code][name] for name in ("payName", "payNameEn", "payHint", "payHintEn"))

    for query, texts in (
        (
            "?shippingType=3",
            ("到店付款", "Pay in store", "到店取货时付款", "Pay in store when you pick it up"),
        ),
        (
            "?shippingType=2",
            ("货到付款", "Cash on delivery", "收货时付现金", "Pay in cash when your order arrives"),
        ),
        (
            "",
            (
                "货到付款",
                "Cash on delivery",
                "到店取货时或送货时付款",
                "Pay in store at pick-up, or on delivery",
            ),
        ),
    ):
        with subtests.test(query=query, texts=texts):
            assert texts_of(query, "cashOnDelivery") == texts
            service = "Contact us to pay: your products are held for 24 hours"
            assert texts_of(query, "1")[2:] == ("请联系我们付款：商品为您保留 24 小时", service)
            assert (texts_of(query, "4")[2:], texts_of(query, "2")[2:]) == (("", "Only here"), ("", ""))


def test_cash_needs_a_store_or_the_van_and_a_transfer_warns_of_a_time_that_is_near(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    PayType.objects.update(enabled=True)
    soon = to_wire(timezone.now() + timedelta(hours=20))
    late = to_wire(timezone.now() + timedelta(days=3))
    for query, has_cash, warns in (
        ("?shippingType=1", False, False),
        ("?shippingType=2&slot=", False, False),
        (f"?shippingType=2&slot={soon}", True, True),
        (f"?shippingType=2&slot={late}", True, False),
        (f"?shippingType=3&slot={soon}", True, True),
    ):
        with subtests.test(query=query):
            rows = {row["payType"]: row for row in buyer.send("GET", f"/payTypes{query}")["result"]}
            assert ("cashOnDelivery" in rows) is has_cash
            assert bool(rows["transfer"]["payWarningEn"]) is warns
            assert not rows["5"]["payWarning"]
    order, by_van = make_order(buyer), make_van_order(buyer, days=1)
    with nothing_changes():
        refused = pay(buyer, order, "cashOnDelivery")
    assert (refused["reason"], refused["fields"]) == (
        "pay_type_not_for_order",
        {"payType": "pay_type_not_for_order"},
    )
    assert "window of our van" in refused["whyEn"]
    rows = buyer.send("GET", f"/payTypes?orderNo={by_van.order_no}")["result"]
    assert [row["payType"] for row in rows if row["payWarning"]] == ["transfer"]
    assert pay(buyer, by_van, "cashOnDelivery")["code"] == 0


def test_without_the_sandbox_only_the_wallet_is_offered(buyer: Buyer, settings: Settings) -> None:
    settings.SANDBOX_GATEWAY = False
    order = make_order(buyer)
    assert [row["payType"] for row in buyer.send("GET", "/payTypes")["result"]] == ["0"]
    with nothing_changes():
        assert pay(buyer, order)["reason"] == "pay_type_off"


def test_a_pay_type_without_a_collector_is_not_offered_even_when_enabled(buyer: Buyer) -> None:
    PayType.objects.update(enabled=True)
    assert [row["payType"] for row in buyer.send("GET", "/payTypes")["result"]] == [
        "5", "2", "4", "Paypal", "0", "transfer", "cashOnDelivery", "1",
    ]  # fmt: skip


def test_a_gateway_payment_starts_in_the_customers_language(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for account, lang, path in (
        ("zh-hans", "en", "/sandbox-pay/"),
        ("en", "zh", "/zh-hans/sandbox-pay/"),
        ("zh-hans", "", "/zh-hans/sandbox-pay/"),
        ("", "", "/sandbox-pay/"),
    ):
        with subtests.test(account=account, lang=lang, path=path), rolled_back():
            change_profile(customer=buyer.customer, language=account)
            order = make_order(buyer)
            # The order was sent without `lang`.
            assert order.language == (account or "en")
            body = {"orderNo": order.order_no, "payType": "5"}
            answer = buyer.send("POST", "/order/pay", body, lang=lang)
            assert answer["result"]["jumpUrl"] == f"{SITE}{path}{order.order_no}-1"
            charge = SandboxCharge.objects.get()
            assert (charge.amount, charge.currency) == (order.pay_amount, "AUD")
            assert charge.notify_url == f"{SITE}/pay/notice/sandbox"
            assert charge.return_url == f"{SITE}/pay/return/{order.order_no}-1"


def test_only_the_demonstrations_own_addresses_are_believed_of_a_request(
    buyer: Buyer, settings: Settings, subtests: pytest.Subtests
) -> None:
    settings.PRODUCTION, settings.PORT = False, 8000
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver", "*"]
    for host, site in (
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("localhost:8000", "http://localhost:8000"),
        # Another server may listen there.
        ("localhost:6379", SITE),
        ("localhost", SITE),
        ("shop.example:8000", SITE),
    ):
        with subtests.test(host=host, site=site), rolled_back():
            answer = buyer.send(
                "POST", "/order/pay", {"orderNo": make_order(buyer).order_no, "payType": "5"}, Host=host
            )
            assert answer["result"]["jumpUrl"].startswith(f"{site}/sandbox-pay/")
            assert SandboxCharge.objects.get().notify_url == f"{site}/pay/notice/sandbox"


def test_in_production_no_address_of_a_request_is_believed(buyer: Buyer, settings: Settings) -> None:
    settings.PORT, settings.ALLOWED_HOSTS = 8000, ["localhost", "testserver"]
    body = {"orderNo": make_order(buyer).order_no, "payType": "5"}
    answer = buyer.send("POST", "/order/pay", body, Host="localhost:8000")
    assert answer["result"]["jumpUrl"].startswith(f"{SITE}/sandbox-pay/")


def test_a_second_click_links_to_the_same_payment(buyer: Buyer) -> None:
    order = make_order(buyer)
    first = pay(buyer, order)
    # But for the time of the question whether it is still open.
    with nothing_changes(but=[Payment]):
        assert pay(buyer, order) == first
        assert order.payments.count() == 1


def test_what_was_declined_at_its_gateway_gives_way_to_another_payment_and_what_was_paid_is_not_paid_again(
    buyer: Buyer,
) -> None:
    declined, paid = make_declined(buyer), make_collected(buyer)
    assert pay(buyer, declined.paid_order)["result"]["jumpUrl"].endswith("-2")
    assert pay(buyer, paid.paid_order)["reason"] == "order_paid"
    audit()


def test_a_payment_whose_gateway_cannot_be_asked_links_to_the_same_place(buyer: Buyer) -> None:
    order = make_order(buyer)
    first = pay(buyer, order)
    with busy_gateway():
        assert pay(buyer, order) == first


def test_a_payment_that_was_opened_with_another_provider_is_started_with_no_other(buyer: Buyer) -> None:
    payment = make_payment(buyer)
    Payment.objects.update(provider="royalpay", jump_url="")
    SandboxCharge.objects.all().delete()
    with nothing_changes():
        pay_in_vain(buyer, payment.paid_order)
    assert not SandboxCharge.objects.exists()


def test_another_pay_type_starts_another_payment(buyer: Buyer) -> None:
    order = make_order(buyer)
    make_payment(buyer, order, "5")
    assert make_payment(buyer, order, "2").reference == f"{order.order_no}-2"
    assert Order.objects.get().pay_type == "2"


def test_an_order_has_a_limited_number_of_payments(buyer: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commerce.payments.services.pay.MAX_PAYMENTS", 2)
    order = make_order(buyer)
    make_payment(buyer, order, "5")
    make_payment(buyer, order, "2")
    body = {"orderNo": order.order_no, "payType": "4"}
    with nothing_changes():
        answer = buyer.client.post("/api/v1/pc/order/pay", body, "application/json")
    assert answer.json()["reason"] == "too_frequent"
    # One that is open can be gone on with.
    assert pay(buyer, order, "2")["code"] == 0


def test_after_a_declined_payment_the_order_can_be_paid_again(buyer: Buyer) -> None:
    payment = make_declined(buyer)
    order = payment.paid_order
    assert result_of(buyer, order) == {
        "paid": False,
        "failed": True,
        "status": 1,
        "orderNo": order.order_no,
        "payAmount": float(payment.amount),
        "leftToPay": float(payment.amount),
        "walletHeld": 0,
        "payType": "5",
        "arrival": {"window": None, "parcels": [], "pickup": None, "expectedDate": None},
        "isRecharge": False,
    }
    payment.refresh_from_db()
    assert payment.state == Payment.State.failed
    again = make_payment(buyer, order)
    assert again.reference == f"{order.order_no}-2"
    assert not result_of(buyer, order)["failed"]
    # Another way to pay that fails in the meantime ends nothing.
    make_declined(buyer, order, "2")
    assert not result_of(buyer, order)["failed"]
    decide(again)
    let_looks_ask()
    result = result_of(buyer, order)
    assert (result["paid"], result["failed"]) == (True, False)
    audit()


def test_the_sales_of_a_payment_are_counted_by_the_next_job(buyer: Buyer, subtests: pytest.Subtests) -> None:
    rice = make_stocked()
    top_up(buyer.customer)
    order = make_order(buyer, (rice, 3))
    for pay_type in ("0", "5"):
        with subtests.test(pay_type=pay_type), rolled_back():
            if pay_type == "0":
                pay(buyer, order, "0", password=PASSWORD)
            else:
                make_collected(buyer, order)
                result_of(buyer, order)
            rice.refresh_from_db()
            assert rice.units_sold == 0
            count_due_sales()
            rice.refresh_from_db()
            assert rice.units_sold == 3


def test_the_wallet_pays_immediately(buyer: Buyer) -> None:
    top_up(buyer.customer, 500)
    order = make_order(buyer)

    assert pay(buyer, order, "0", password=PASSWORD)["result"] == {"jumpUrl": None}

    order.refresh_from_db()
    assert (order.status, order.pay_type) == (OrderStatus.paid, "0")
    assert wallet_of(buyer.customer) == 500 - order.pay_amount
    assert Payment.objects.get().settled_at is not None
    entry = LedgerEntry.objects.get(reason="payment")
    assert (entry.amount, entry.reference) == (-order.pay_amount, f"{order.order_no}-1")
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert [(row["payType"], row["status"]) for row in detail["payments"]] == [("0", "paid")]
    with nothing_changes():
        assert pay(buyer, order, "0", password=PASSWORD)["reason"] == "order_paid"
        assert pay(buyer, order, "5")["reason"] == "order_paid"
    audit()


def test_the_wallet_does_not_pay_without_the_pay_password(buyer: Buyer, subtests: pytest.Subtests) -> None:
    top_up(buyer.customer)
    order = make_order(buyer)
    for password, reason in (
        ("000000", "password_wrong"),
        ("12345", "password_format"),
        (None, "password_format"),
    ):
        with subtests.test(password=password, reason=reason), rolled_back():
            with nothing_changes():
                assert pay(buyer, order, "0", password=password)["reason"] == reason
            assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0


def test_a_customer_without_a_pay_password_does_not_pay_by_wallet() -> None:
    buyer = Buyer(make_customer(pay_password=""))
    top_up(buyer.customer)
    order = make_order(buyer)
    with nothing_changes():
        assert pay(buyer, order, "0", password=PASSWORD)["reason"] == "password_wrong"


def test_too_little_money_leaves_the_order_unchanged(buyer: Buyer) -> None:
    order = make_order(buyer)
    top_up(buyer.customer, 1)
    with nothing_changes():
        assert pay(buyer, order, "0", password=PASSWORD)["reason"] == "balance_insufficient"


def test_a_canceled_or_expired_order_cannot_be_paid(buyer: Buyer, subtests: pytest.Subtests) -> None:
    top_up(buyer.customer)
    late, dead = make_order(buyer), make_order(buyer)
    Order.objects.filter(pk=late.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    buyer.send("PUT", f"/order/cancel/{dead.order_no}")
    for pay_type in ("0", "5"):
        with subtests.test(pay_type=pay_type), nothing_changes():
            assert pay(buyer, late, pay_type, password=PASSWORD)["reason"] == "order_timeout"
            assert pay(buyer, dead, pay_type, password=PASSWORD)["reason"] == "order_cancelled"


def test_an_order_that_ends_while_it_is_being_paid_takes_no_money(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    top_up(buyer.customer)
    order = make_order(buyer)
    for change, err in (
        ({"status": OrderStatus.canceled}, Err.order_cancelled),
        ({"status": OrderStatus.paid}, Err.order_paid),
        ({"expires_at": timezone.now()}, Err.order_timeout),
    ):
        with subtests.test(change=change, err=err), rolled_back():
            # The order as it was read stays unpaid.
            Order.objects.filter(pk=order.pk).update(**change)
            with refuses(err):
                pay_from_wallet(order=order, pay_type=PayType.objects.get(code="0"))


def test_an_order_that_cannot_be_paid_is_refused_before_the_password_is_compared(buyer: Buyer) -> None:
    order = make_order(buyer)
    Order.objects.filter(pk=order.pk).update(status=OrderStatus.canceled)
    assert pay(buyer, order, "0", password="000000")["reason"] == "order_cancelled"
    assert not RateLimitCounter.objects.filter(limit="pay password").exists()


def test_an_unknown_or_disabled_pay_type_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_order(buyer)
    # One is no text.
    cases: list[tuple[Any, str]] = [
        *((off, "pay_type_off") for off in ("3", "transfer", "cashOnDelivery", "1")),
        *((unknown, "parameter_error") for unknown in ("nothing", "", 7)),
    ]
    for pay_type, reason in cases:
        with subtests.test(pay_type=pay_type, reason=reason):
            with nothing_changes():
                answer = pay(buyer, order, pay_type)
            assert (answer["reason"], answer["fields"]) == (reason, {"payType": reason})


def test_with_a_busy_gateway_the_customer_is_asked_to_retry_and_the_retry_continues(buyer: Buyer) -> None:
    order = make_order(buyer)
    with busy_gateway():
        pay_in_vain(buyer, order)
    assert not SandboxCharge.objects.exists()
    assert pay(buyer, order)["result"]["jumpUrl"].endswith("-1")


def test_a_busy_gateway_does_not_delay_the_result(buyer: Buyer) -> None:
    payment = make_collected(buyer)
    with busy_gateway():
        assert result_of(buyer, payment.paid_order)["paid"] is False
    let_looks_ask()
    assert result_of(buyer, payment.paid_order)["paid"] is True


def test_the_amount_charged_is_that_of_the_order(buyer: Buyer) -> None:
    order = make_order(buyer)
    pay(buyer, order, amount=0.01, payAmount=0.01)
    assert Payment.objects.get().amount == order.pay_amount > Decimal("9.90")


def test_a_whole_purchase_takes_at_most_forty_statements_in_all(
    buyer: Buyer, settings: Settings, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    # What processes share was read by an earlier purchase.
    settings.SNAPSHOT_SECONDS = 3600
    top_up(buyer.customer, 500)
    products = [make_stocked() for _ in range(3)]
    goods = [{"goodsId": product.pk, "goodsAmount": 1} for product in products]
    address = {"address": buyer.address.wire_text(), "shippingType": 2}

    def buy() -> None:
        code = buyer.send("POST", "/toTrade", {"orderGoods": goods})["result"]["transactionCode"]
        assert buyer.send("POST", "/common/freight", address | {"orderGoods": goods})["code"] == 0
        order = ordered(buyer.order(*((product, 1) for product in products), code=code))
        assert pay(buyer, order, "0", password=PASSWORD)["code"] == 0

    buy()
    for line in goods:
        buyer.send("POST", "/shoppingCart", line)
    # One more, since the test itself looks up the order.
    with django_assert_max_num_queries(40 + 1):
        buy()
