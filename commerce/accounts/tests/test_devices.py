"""Where a customer is logged in, and how they end it there (docs/wire.md#devices)."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from commerce.accounts.devices import Device, device_from
from commerce.accounts.models import AuthToken
from commerce.accounts.services import customer_of_token, issue_token
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import PASSWORD, auth_headers, make_customer
from core.ids import digest
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

WINDOWS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0"
    " Safari/537.36"
)
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"


def test_a_device_has_a_short_name_in_both_languages(subtests: pytest.Subtests) -> None:
    for user_agent, zh, en in (
        (WINDOWS, "Windows 上的 Chrome", "Chrome on Windows"),
        (f"{WINDOWS} Edg/126.0", "Windows 上的 Edge", "Edge on Windows"),
        (f"{WINDOWS} OPR/110.0", "Windows 上的 Opera", "Opera on Windows"),
        (f"{IPHONE} Version/17.5 Mobile/15E148 Safari/604.1", "iPhone 上的 Safari", "Safari on iPhone"),
        (f"{IPHONE} CriOS/126.0 Mobile/15E148 Safari/604.1", "iPhone 上的 Chrome", "Chrome on iPhone"),
        (f"{IPHONE} Mobile/15E148 MicroMessenger/8.0.49", "iPhone 上的 微信", "WeChat on iPhone"),
        (
            "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko)"
            " SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
            "Android 上的 三星浏览器",
            "Samsung Internet on Android",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:127.0) Gecko/20100101 Firefox/127.0",
            "Mac 上的 Firefox",
            "Firefox on Mac",
        ),
        ("Opera Mini; Android", "Android", "Android"),
        ("python-httpx/0.27", "未知设备", "Unknown device"),
        ("", "未知设备", "Unknown device"),
    ):
        with subtests.test(user_agent=user_agent, zh=zh, en=en):
            assert device_from(user_agent).names() == (zh, en)


def test_every_known_name_fits_its_column() -> None:
    marks = ["MicroMessenger", "SamsungBrowser", "HuaweiBrowser"]
    for mark in marks:
        device = device_from(f"{mark} {'x' * 500}")
        assert len(device.browser) <= AuthToken._meta.get_field("browser").max_length  # type: ignore[operator]


def devices(api: ApiClient) -> list[dict[str, Any]]:
    answer = api.call("GET", "setting/devices").body
    assert answer["code"] == 0
    rows: list[dict[str, Any]] = answer["result"]["list"]
    return rows


def test_a_login_notes_its_device_and_the_list_shows_which_one_is_this(api: ApiClient) -> None:
    customer = make_customer()
    issue_token(make_customer())
    body = {"account": customer.account, "password": PASSWORD}
    other = api.call("POST", "login", body, HTTP_USER_AGENT=IPHONE).body["result"]["token"]
    api.token = api.call("POST", "login", body, HTTP_USER_AGENT=WINDOWS).body["result"]["token"]
    ids = [AuthToken.objects.get(token_hash=digest(token)).pk for token in (api.token, other)]
    today = str(timezone.localdate())
    rows = devices(api)
    assert [(row["id"], row["device"], row["deviceZh"], row["isCurrent"]) for row in rows] == [
        (ids[0], "Chrome on Windows", "Windows 上的 Chrome", True),
        (ids[1], "iPhone", "iPhone", False),
    ]
    assert {row["lastUsed"] for row in rows} == {today}
    # Nothing that opens the account is among it.
    assert set(rows[0]) == {"id", "device", "deviceZh", "loginTime", "lastUsed", "isCurrent"}


def test_a_registration_notes_its_device_too(api: ApiClient) -> None:
    body = {
        "account": "new@example.com",
        "password": "314159",
        "code": api.code("new@example.com", "register"),
    }
    api.token = api.call("POST", "register", body, HTTP_USER_AGENT=WINDOWS).body["result"]["token"]
    assert [row["device"] for row in devices(api)] == ["Chrome on Windows"]


def test_the_day_of_the_last_use_is_written_once_a_day(
    api: ApiClient, django_assert_num_queries: Any
) -> None:
    customer = make_customer()
    # Noon in Perth.
    start = timezone.now().replace(hour=4, minute=0)
    with time_machine.travel(start, tick=False) as clock:
        api.token, unused = auth_headers(customer)["token"], auth_headers(customer)["token"]
        with django_assert_num_queries(1):
            assert customer_of_token(api.token) == customer
        clock.shift(timedelta(days=1))
        assert customer_of_token(api.token) == customer
        with django_assert_num_queries(1):
            assert customer_of_token(api.token) == customer
        days = {row["isCurrent"]: row["lastUsed"] for row in devices(api)}
        today = timezone.localdate()
        assert days == {True: str(today), False: str(today - timedelta(days=1))}
        assert AuthToken.objects.get(token_hash=digest(unused)).used_on == today - timedelta(days=1)


def test_a_login_of_the_release_before_has_the_day_that_follows_from_its_end(api: ApiClient) -> None:
    customer = make_customer()
    issue_token(customer)
    AuthToken.objects.update(used_on=None, expires_at=timezone.now() + timedelta(days=20))
    api.token = auth_headers(customer)["token"]
    before = str(timezone.localdate() - timedelta(days=10))
    assert [row["lastUsed"] for row in devices(api) if not row["isCurrent"]] == [before]


def test_one_device_is_logged_out_and_no_other(api: ApiClient) -> None:
    customer = make_customer()
    api.token, lost, kept = (auth_headers(customer)["token"] for _ in range(3))
    login_id = AuthToken.objects.get(token_hash=digest(lost)).pk
    assert api.call("DELETE", f"setting/devices/{login_id}").body == {"code": 0, "msg": "", "result": 1}
    assert [customer_of_token(token) for token in (api.token, lost, kept)] == [customer, None, customer]
    # Its browser learns it with its next call.
    again = ApiClient(api.client)
    again.token = lost
    assert again.call("GET", "user/userInfo").body["code"] == 1001
    assert api.call("DELETE", f"setting/devices/{login_id}").body["reason"] == "parameter_error"


def test_this_device_can_be_logged_out_as_well(api: ApiClient) -> None:
    api.token = auth_headers(make_customer())["token"]
    [row] = devices(api)
    assert api.call("DELETE", f"setting/devices/{row['id']}").body["code"] == 0
    assert api.call("GET", "setting/devices").body["code"] == 1001


def test_what_is_no_login_of_the_customer_is_a_wrong_parameter(
    api: ApiClient, subtests: pytest.Subtests
) -> None:
    customer, other = make_customer(), make_customer()
    issue_token(other)
    for login_id in ("another's", "expired", "0", "-1", "x", "9" * 30):
        with subtests.test(login_id=login_id), rolled_back():
            if login_id == "another's":
                login_id = str(other.tokens.get().pk)
            if login_id == "expired":
                issue_token(customer)
                customer.tokens.update(expires_at=timezone.now())
                login_id = str(customer.tokens.get().pk)
            api.token = auth_headers(customer)["token"]
            before = list(AuthToken.objects.order_by("pk").values())
            answer = api.call("DELETE", f"setting/devices/{login_id}").body
            assert (answer["code"], answer["reason"]) == (1002, "parameter_error")
            assert list(AuthToken.objects.order_by("pk").values()) == before


def test_all_other_devices_or_all_are_logged_out(api: ApiClient, subtests: pytest.Subtests) -> None:
    customer, another = make_customer(), make_customer()
    api.token, other, theirs = (auth_headers(each)["token"] for each in (customer, customer, another))
    for everywhere in (False, True):
        with subtests.test(everywhere=everywhere), rolled_back():
            path = "setting/devices?everywhere=true" if everywhere else "setting/devices"
            assert api.call("DELETE", path).body == {"code": 0, "msg": "", "result": 1}
            here = None if everywhere else customer
            assert [customer_of_token(token) for token in (api.token, other, theirs)] == [here, None, another]


def test_a_wrong_wish_to_log_out_everywhere_ends_nothing(api: ApiClient) -> None:
    customer = make_customer()
    api.token, other = (auth_headers(customer)["token"] for _ in range(2))
    assert api.call("DELETE", "setting/devices?everywhere=perhaps").body["code"] == 1002
    assert customer_of_token(other) == customer


def test_a_device_without_system_has_the_browser_alone() -> None:
    assert Device(browser="Firefox").names() == ("Firefox", "Firefox")
