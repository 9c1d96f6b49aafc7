import base64
import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from commerce.accounts.models import CaptchaProof
from commerce.accounts.services import spend_ticket
from commerce.accounts.tests.api_client import ApiClient

pytestmark = pytest.mark.django_db


def exchange(api: ApiClient, payload: Any) -> Any:
    answer = api.call("POST", "common/scc", {"provider": "altcha", "payload": payload})
    assert answer.status_code == 200
    return answer.body


def test_a_challenge_has_what_the_browser_needs(api: ApiClient) -> None:
    result = api.call("GET", "common/captcha").body["result"]
    assert result["provider"] == "altcha"
    assert result["challenge"]["parameters"]["algorithm"] == "PBKDF2/SHA-256"
    assert result["challenge"]["signature"]
    assert result["captchaId"] == result["challenge"]["parameters"]["nonce"]


def test_the_ticket_of_a_solved_captcha_permits_one_use(api: ApiClient) -> None:
    ticket = exchange(api, api.solve())["result"]["ticket"]
    assert spend_ticket(ticket)
    assert not spend_ticket(ticket)
    assert not spend_ticket("")
    assert not spend_ticket("x" * 43)


def test_a_proof_counts_once_in_whatever_encoding_it_is_sent(api: ApiClient) -> None:
    payload = api.solve()
    other = base64.b64encode(json.dumps(json.loads(base64.b64decode(payload)), indent=1).encode()).decode()
    assert other != payload
    assert exchange(api, payload)["code"] == 0
    for same in (payload, other):
        again = exchange(api, same)
        assert (again["code"], again["reason"], again["msg"]) == (1, "captcha_required", "请先完成安全验证")
        assert CaptchaProof.objects.count() == 1


def test_an_expired_proof_is_refused(api: ApiClient) -> None:
    payload = api.solve()
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        assert exchange(api, payload)["reason"] == "captcha_required"


def test_a_ticket_expires(api: ApiClient) -> None:
    ticket = api.ticket()
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        assert not spend_ticket(ticket)


def changed(payload: str, **parts: Any) -> str:
    content = json.loads(base64.b64decode(payload))
    content["solution"] |= parts.get("solution", {})
    content["challenge"]["parameters"] |= parts.get("parameters", {})
    return base64.b64encode(json.dumps(content).encode()).decode()


def test_a_forged_proof_is_refused(api: ApiClient, subtests: pytest.Subtests) -> None:
    for parts in (
        {"solution": {"derivedKey": "00" * 32}},
        {"solution": {"derivedKey": None}},
        {"parameters": {"cost": 2}},
        {"parameters": {"expiresAt": 10**12}},
        {"parameters": {"expiresAt": None}},
        {"parameters": {"keySignature": None}},
    ):
        with subtests.test(parts=parts):
            assert exchange(api, changed(api.solve(), **parts))["reason"] == "captcha_required"
            assert not CaptchaProof.objects.exists()


DEEP = base64.b64encode(b"[" * 9000).decode()


def test_malformed_proofs_are_refused(api: ApiClient, subtests: pytest.Subtests) -> None:
    for payload in ("", "x", "e30=", "bnVsbA==", "W10=", "MQ==", DEEP):
        with subtests.test(payload=payload):
            assert exchange(api, payload)["reason"] == "captcha_required"


def test_a_body_of_another_shape_is_a_parameter_error(api: ApiClient, subtests: pytest.Subtests) -> None:
    for body in (
        {},
        {"provider": "geetest", "payload": {"lot_number": "1"}},
        {"provider": "altcha", "payload": {"challenge": 1}},
        {"provider": "altcha", "payload": 7},
        {"provider": "altcha", "payload": "\x00"},
        {"provider": "altcha", "payload": "\ud800"},
    ):
        with subtests.test(body=body):
            answer = api.call("POST", "common/scc", body)
            assert (answer.status_code, answer.body["code"]) == (200, 1002)
