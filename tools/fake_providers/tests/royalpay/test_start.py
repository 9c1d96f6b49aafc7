import re
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from django.conf import LazySettings

from commerce.payments.models import Payment
from commerce.payments.providers.base import Device, Started, UnavailableError
from tools.fake_providers.royalpay import FakeRoyalPay
from tools.fake_providers.tests.royalpay.builders import SITE, a_payment, change_answers, start


@pytest.mark.parametrize(
    ("pay_type", "device", "page"),
    [
        ("5", "desktop", "/channels/card/partners/DEMO/gateway_orders/S1-1/view"),
        ("5", "phone", "/channels/card/partners/DEMO/gateway_orders/S1-1/view"),
        ("5", "wechat", "/channels/card/partners/DEMO/gateway_orders/S1-1/view"),
        ("2", "desktop", "/gateway/partners/DEMO/orders/S1-1/pay"),
        ("2", "phone", "/h5_payment/partners/DEMO/orders/S1-1/pay"),
        ("2", "wechat", "/wechat_jsapi_gateway/partners/DEMO_order_S1-1"),
        ("4", "desktop", "/web_gateway/partners/DEMO/orders/S1-1/pay"),
        ("4", "phone", "/h5_payment/partners/DEMO/orders/S1-1/pay"),
        ("4", "wechat", "/h5_payment/partners/DEMO/orders/S1-1/pay"),
    ],
)
def test_each_device_gets_the_page_of_its_way_to_pay(
    fake: FakeRoyalPay, pay_type: str, device: str, page: str
) -> None:
    started = start(a_payment(pay_type), Device(device))
    [order] = fake.orders.values()
    assert started.provider_ref == order.number
    assert urlsplit(started.jump_url).path == "/api/v1.0" + page
    assert (order.price, order.currency, order.description) == (1230, "AUD", "S1-1")
    assert order.notify_url == f"{SITE}/pay/notice/royalpay"
    assert order.channel == {"5": "Card", "2": "Wechat", "4": "Alipay"}[pay_type]
    query = parse_qs(urlsplit(started.jump_url).query)
    assert query["redirect"] == [f"{SITE}/pay/return/S1-1"]
    assert "No money moves" in httpx.get(started.jump_url).text


@pytest.mark.parametrize(("pay_type", "device"), [("2", "phone"), ("2", "wechat"), ("4", "desktop")])
def test_a_way_that_is_not_permitted_gives_place_to_the_qr_code(
    fake: FakeRoyalPay, pay_type: str, device: str
) -> None:
    fake.not_permitted = {"h5", "jsapi", "web"}
    started = start(a_payment(pay_type), Device(device))
    assert "/gateway/partners/DEMO/orders/S1-1/pay?" in started.jump_url


@pytest.mark.parametrize(("pay_type", "device"), [("5", Device.desktop), ("2", Device.phone)])
def test_a_repeat_begins_nothing_new_on_any_device_and_its_page_is_signed_afresh(
    fake: FakeRoyalPay, pay_type: str, device: Device
) -> None:
    first, second = start(a_payment(pay_type)), start(a_payment(pay_type), device)
    assert len(fake.orders) == 1
    assert second.provider_ref == first.provider_ref
    assert second.jump_url != first.jump_url


def test_a_payment_that_was_made_in_the_meantime_links_back_to_the_shop_which_asks(
    fake: FakeRoyalPay,
) -> None:
    start(a_payment())
    fake.pay("S1-1")
    assert start(a_payment()) == Started(f"{SITE}/pay/return/S1-1")


@pytest.mark.parametrize(
    ("payment", "ways"),
    [
        (a_payment(currency="CNY"), set()),
        (a_payment(amount=Decimal("0.00")), set()),
        (a_payment("2"), {"qr"}),
    ],
)
def test_what_is_refused_for_good_is_logged_and_begins_nothing(
    fake: FakeRoyalPay, caplog: pytest.LogCaptureFixture, payment: Payment, ways: set[str]
) -> None:
    fake.not_permitted = ways
    with pytest.raises(UnavailableError):
        start(payment)
    assert fake.orders == {}
    assert "royalpay refuses payment S1-1: " in caplog.text


def test_another_amount_for_the_same_reference_is_refused(fake: FakeRoyalPay) -> None:
    start(a_payment())
    with pytest.raises(UnavailableError):
        start(a_payment(amount=Decimal("12.31")))
    assert fake.orders["S1-1"].price == 1230


@pytest.mark.parametrize(
    ("setting", "value", "code"),
    [
        ("ROYALPAY_CREDENTIAL", "another", "INVALID_SIGN"),
        ("ROYALPAY_PARTNER_CODE", "OTHER", "INVALID_SHORT_ID"),
    ],
)
@pytest.mark.parametrize("status", [200, 400])
def test_a_wrong_account_is_nothing_known_and_is_logged_without_secrets(
    fake: FakeRoyalPay,
    settings: LazySettings,
    caplog: pytest.LogCaptureFixture,
    setting: str,
    value: str,
    code: str,
    status: int,
) -> None:
    fake.refusal_status = status
    setattr(settings, setting, value)
    with caplog.at_level("DEBUG"), pytest.raises(UnavailableError, match=code):
        start(a_payment())
    assert f"royalpay answers {code}" in caplog.text
    own = [each.getMessage() for each in caplog.records if not each.name.startswith(("httpx", "httpcore"))]
    assert not re.search(r"another|sign=|nonce_str=|[0-9a-f]{64}", "\n".join(own))


@pytest.mark.parametrize(
    "changes",
    [
        {"pay_url": "javascript:alert(1)"},
        {"pay_url": "ftp://pay.example/x"},
        {"pay_url": "//pay.example/x"},
        {"pay_url": "http://["},
        {"pay_url": "https://pay.example/" + "x" * 500},
        {"partner_order_id": "S2-1"},
    ],
)
def test_customers_are_not_sent_to_what_is_no_page_or_that_of_another_payment(
    fake: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]
) -> None:
    change_answers(fake, monkeypatch, "_created", changes)
    with pytest.raises(UnavailableError):
        start(a_payment())
    assert len(fake.orders) == 1


def test_an_address_with_a_query_is_extended_and_none_is_made_up_for(
    fake: FakeRoyalPay, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_answers(fake, monkeypatch, "_created", {"pay_url": "https://pay.example/x?a=1"})
    assert start(a_payment()).jump_url.startswith("https://pay.example/x?a=1&time=")
    change_answers(fake, monkeypatch, "_created", {"pay_url": ""})
    assert start(a_payment()).jump_url.startswith(
        f"{fake.url}/api/v1.0/channels/card/partners/DEMO/gateway_orders/S1-1/view?time="
    )
