from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from commerce.accounts import geetest as client
from commerce.accounts.models import CaptchaProof
from commerce.accounts.services import spend_ticket
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.fake_geetest import (
    CAPTCHA_ID,
    FAIL,
    KEY,
    LOT,
    REFUSED,
    SUCCESS,
    FakeGeetest,
    solved,
)
from core.gateways import MAX_FAILURES, OPEN_SECONDS
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def exchange(api: ApiClient, payload: Any) -> Any:
    answer = api.call("POST", "common/scc", {"provider": "geetest", "payload": payload})
    assert answer.status_code == 200
    return answer.body


def provider_asked_for(api: ApiClient, query: str = "") -> str:
    return str(api.call("GET", f"common/captcha{query}").body["result"]["provider"])


def test_a_question_is_signed_as_geetest_wants_it() -> None:
    signature = "e4b86b3e1c012ff1c2c56083eafe97faef23790288a8b7159079080715deb4ae"
    assert client.sign(LOT, key="EXAMPLE-CAPTCHA-KEY") == signature


def test_where_it_is_set_visitors_are_given_geetests_captcha(
    api: ApiClient, geetest: FakeGeetest, settings: LazySettings
) -> None:
    assert api.call("GET", "common/captcha").body["result"] == {
        "provider": "geetest",
        "captchaId": CAPTCHA_ID,
        "challenge": {"script": "https://static.geetest.com/v4/gt4.js"},
    }
    assert provider_asked_for(api, "?provider=altcha") == "altcha"
    settings.GEETEST_CAPTCHA_KEY = ""
    assert provider_asked_for(api) == "altcha"


def test_a_captcha_that_geetest_knows_gives_a_ticket_for_one_use(
    api: ApiClient, geetest: FakeGeetest
) -> None:
    ticket = exchange(api, solved())["result"]["ticket"]
    signature = client.sign(LOT, key=KEY)
    assert geetest.asked == [(f"/validate?captcha_id={CAPTCHA_ID}", solved() | {"sign_token": signature})]
    assert spend_ticket(ticket)
    assert not spend_ticket(ticket)


def test_a_lot_number_counts_once(api: ApiClient, geetest: FakeGeetest, subtests: pytest.Subtests) -> None:
    for again in (LOT, LOT.upper()):
        with subtests.test(again=again), rolled_back():
            assert exchange(api, solved())["code"] == 0
            assert exchange(api, solved(again))["reason"] == "captcha_required"
            assert CaptchaProof.objects.count() == 1


def test_a_captcha_that_geetest_does_not_know_gives_no_ticket(api: ApiClient, geetest: FakeGeetest) -> None:
    geetest.answer = FAIL
    for _ in range(2 * MAX_FAILURES):
        assert exchange(api, solved())["reason"] == "captcha_required"
    assert not CaptchaProof.objects.exists()
    # It has answered, so it is asked again.
    assert len(geetest.asked) == 2 * MAX_FAILURES


GARBAGE = [
    b"",
    b"<html>",
    b"[]",
    b"null",
    b"\xff",
    b"[" * 9000,
    b"x" * 70_000,
    {"status": "success"},
    {"result": "success"},
]


def test_an_answer_that_cannot_be_read_or_has_another_status_is_no_solution(
    api: ApiClient, geetest: FakeGeetest, subtests: pytest.Subtests
) -> None:
    answers = [
        *((garbage, 200) for garbage in GARBAGE),
        *((SUCCESS, status) for status in (500, 503, 404, 201)),
    ]
    for answer, status in answers:
        with subtests.test(answer=answer, status=status), rolled_back():
            geetest.answer, geetest.status = answer, status
            assert exchange(api, solved())["reason"] == "captcha_unavailable"
            assert not CaptchaProof.objects.exists()


def test_a_redirect_is_not_followed(api: ApiClient, geetest: FakeGeetest) -> None:
    geetest.status, geetest.location = 302, geetest.url
    assert exchange(api, solved())["reason"] == "captcha_unavailable"
    assert len(geetest.asked) == 1


def test_an_answer_that_takes_too_long_is_no_solution(
    api: ApiClient, geetest: FakeGeetest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MAX_SECONDS", 0.1)
    geetest.seconds = 1
    assert exchange(api, solved())["reason"] == "captcha_unavailable"
    assert not CaptchaProof.objects.exists()


def test_an_address_without_a_server_is_no_solution(
    api: ApiClient, geetest: FakeGeetest, settings: LazySettings
) -> None:
    settings.GEETEST_VALIDATE_URL = "http://127.0.0.1:1/validate"
    assert exchange(api, solved())["reason"] == "captcha_unavailable"
    assert not CaptchaProof.objects.exists()


def test_while_every_slot_waits_for_geetest_no_request_joins_them(
    api: ApiClient, geetest: FakeGeetest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SLOT_TIMEOUT_SECONDS", 0.01)
    with client._slot(), client._slot():
        assert exchange(api, solved())["reason"] == "captcha_unavailable"
    assert geetest.asked == []
    assert exchange(api, solved())["code"] == 0


def test_after_failures_in_a_row_the_embedded_captcha_is_asked_for_a_while(
    api: ApiClient, geetest: FakeGeetest
) -> None:
    geetest.status = 500
    for _ in range(MAX_FAILURES):
        assert exchange(api, solved())["reason"] == "captcha_unavailable"
    assert exchange(api, solved())["reason"] == "captcha_unavailable"
    assert len(geetest.asked) == MAX_FAILURES
    assert provider_asked_for(api) == "altcha"
    body = {"provider": "altcha", "payload": api.solve()}
    assert spend_ticket(api.call("POST", "common/scc", body).body["result"]["ticket"])
    with time_machine.travel(timezone.now() + timedelta(seconds=OPEN_SECONDS)):
        assert provider_asked_for(api) == "geetest"


def test_a_request_that_geetest_refuses_is_no_failure_of_geetest(
    api: ApiClient, geetest: FakeGeetest
) -> None:
    geetest.answer = REFUSED
    for _ in range(2 * MAX_FAILURES):
        assert exchange(api, solved())["reason"] == "captcha_unavailable"
    assert not CaptchaProof.objects.exists()
    geetest.answer = SUCCESS
    assert exchange(api, solved())["code"] == 0


def test_malformed_values_are_refused_and_geetest_is_not_asked(
    api: ApiClient, geetest: FakeGeetest, subtests: pytest.Subtests
) -> None:
    malformed: list[Any] = [
        "text",
        None,
        [],
        {},
        {"lot_number": LOT},
        solved(""),
        solved("x" * 65),
        solved(" " + LOT),
        solved(LOT + "\n"),
        solved() | {"captcha_output": ""},
        solved() | {"captcha_output": "x" * 8001},
        solved() | {"pass_token": {}},
        solved() | {"gen_time": "x" * 21},
    ]
    for payload in malformed:
        with subtests.test(payload=payload):
            answer = exchange(api, payload)
            assert (answer["code"], answer["fields"]) == (1002, {"payload": "parameter_error"})
            assert geetest.asked == []
            assert not CaptchaProof.objects.exists()


def test_without_its_key_geetest_is_no_provider(api: ApiClient, settings: LazySettings) -> None:
    answer = exchange(api, solved())
    assert (answer["code"], answer["fields"]) == (1002, {"provider": "parameter_error"})
    assert not CaptchaProof.objects.exists()


ASKING = (
    "/home/login",
    "/zh-hans/home/login",
    "/home/createOrder/delivery",
    "/home/createOrder/payType",
    "/home/account/password",
    "/home/account/orderdetails/1",
)
OTHERS = ("/", "/shop", "/home/cart", "/home/account/accountdetails", "/home/account/orders", "/admin/login/")


def test_only_pages_that_may_ask_for_a_captcha_let_geetest_in(
    api: ApiClient, geetest: FakeGeetest, settings: LazySettings
) -> None:
    settings.GEETEST_SCRIPT_URL, settings.GEETEST_HOSTS = "https://a.test/gt4.js", ["https://b.test"]

    def policies(paths: tuple[str, ...]) -> list[str]:
        return [api.client.get(path).headers["Content-Security-Policy"] for path in paths]

    assert not any(".test" in policy for policy in policies(OTHERS))
    for policy in policies(ASKING):
        directives = dict(part.split(" ", 1) for part in policy.split("; "))
        opened = {name: rule for name, rule in directives.items() if "https://a.test https://b.test" in rule}
        assert opened.keys() == {"script-src", "style-src", "img-src", "connect-src", "frame-src"}
        assert opened["script-src"] == "'self' https://a.test https://b.test"
        assert (directives["default-src"], directives["frame-ancestors"]) == ("'none'", "'none'")
    settings.GEETEST_CAPTCHA_KEY = ""
    assert not any(".test" in policy for policy in policies(ASKING))
