import base64
import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from commerce.accounts.captcha import spend_ticket
from commerce.accounts.models import CaptchaProof
from commerce.accounts.tests.phone import Phone

pytestmark = pytest.mark.django_db


def test_a_challenge_says_what_the_browser_needs(phone: Phone) -> None:
    result = phone.call("GET", "common/captcha").body["result"]
    assert result["provider"] == "altcha"
    assert result["challenge"]["parameters"]["algorithm"] == "PBKDF2/SHA-256"
    assert result["challenge"]["signature"]
    assert result["captchaId"] == result["challenge"]["parameters"]["nonce"]


def test_a_ticket_opens_one_door(phone: Phone) -> None:
    ticket = phone.ticket()
    assert spend_ticket(ticket)
    assert not spend_ticket(ticket)
    assert not spend_ticket("")
    assert not spend_ticket("x" * 43)


def test_a_proof_counts_once(phone: Phone) -> None:
    body = {"provider": "altcha", "payload": phone.solve()}
    assert phone.call("POST", "common/scc", body).body["code"] == 0
    again = phone.call("POST", "common/scc", body).body
    assert (again["code"], again["reason"], again["msg"]) == (1, "captcha_required", "请先完成安全验证")
    assert CaptchaProof.objects.count() == 1


def test_the_same_proof_written_otherwise_counts_once(phone: Phone) -> None:
    payload = phone.solve()
    other = base64.b64encode(json.dumps(json.loads(base64.b64decode(payload)), indent=1).encode()).decode()
    assert other != payload
    phone.call("POST", "common/scc", {"provider": "altcha", "payload": payload})
    again = phone.call("POST", "common/scc", {"provider": "altcha", "payload": other}).body
    assert again["reason"] == "captcha_required"


def test_an_expired_proof_is_refused(phone: Phone) -> None:
    payload = phone.solve()
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        answer = phone.call("POST", "common/scc", {"provider": "altcha", "payload": payload}).body
    assert answer["reason"] == "captcha_required"


def test_a_ticket_expires(phone: Phone) -> None:
    ticket = phone.ticket()
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        assert not spend_ticket(ticket)


def changed(payload: str, **parts: Any) -> str:
    content = json.loads(base64.b64decode(payload))
    content["solution"] |= parts.get("solution", {})
    content["challenge"]["parameters"] |= parts.get("parameters", {})
    return base64.b64encode(json.dumps(content).encode()).decode()


@pytest.mark.parametrize(
    "parts",
    [
        {"solution": {"derivedKey": "00" * 32}},
        {"solution": {"derivedKey": None}},
        {"parameters": {"cost": 2}},
        {"parameters": {"expiresAt": 10**12}},
        {"parameters": {"expiresAt": None}},
        {"parameters": {"keySignature": None}},
    ],
)
def test_a_forged_proof_is_refused(phone: Phone, parts: Any) -> None:
    body = {"provider": "altcha", "payload": changed(phone.solve(), **parts)}
    assert phone.call("POST", "common/scc", body).body["reason"] == "captcha_required"
    assert not CaptchaProof.objects.exists()


DEEP = base64.b64encode(b"[" * 9000).decode()


@pytest.mark.parametrize("payload", ["", "x", "e30=", "bnVsbA==", "W10=", "MQ==", DEEP])
def test_junk_is_refused(phone: Phone, payload: str) -> None:
    answer = phone.call("POST", "common/scc", {"provider": "altcha", "payload": payload})
    assert (answer.status_code, answer.body["reason"]) == (200, "captcha_required")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"provider": "geetest", "payload": {"lot_number": "1"}},
        {"provider": "altcha", "payload": {"challenge": 1}},
        {"provider": "altcha", "payload": 7},
        {"provider": "altcha", "payload": "\x00"},
        {"provider": "altcha", "payload": "\ud800"},
    ],
)
def test_another_form_is_a_wrong_parameter(phone: Phone, body: Any) -> None:
    answer = phone.call("POST", "common/scc", body)
    assert (answer.status_code, answer.body["code"]) == (200, 1002)
