"""Every failure under /api answers in the envelope (CONTRACT 1)."""

import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from core.errors import Err

pytestmark = pytest.mark.django_db

LOGIN = "/api/v1/pc/login"


def refusal_of(response: Any) -> tuple[int, str, str]:
    body = response.json()
    assert body["result"] is None
    err = Err[body["reason"]]
    assert (body["code"], body["msg"]) == (err.code, err.zh)
    return response.status_code, response["Content-Type"].split(";")[0], body["reason"]


def post(client: Client, body: bytes | str, path: str = LOGIN) -> Any:
    return client.generic("POST", path, body, content_type="application/json")


@pytest.mark.parametrize(
    "path",
    ["/api/nothing", "/api/v1/pc/nothing", "/api/v1/pc/login/", "/api/", "/api/v1/pc/%00", "/api/v1/东"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_path(client: Client, method: str, path: str) -> None:
    assert refusal_of(client.generic(method, path)) == (404, "application/json", "not_found")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"])
def test_a_wrong_method_names_the_right_ones(client: Client, method: str) -> None:
    response = client.generic(method, LOGIN)
    assert refusal_of(response) == (405, "application/json", "method_not_allowed")
    assert response["Allow"] == "POST"


@pytest.mark.parametrize("path", [LOGIN, "/api/v1/pc/logout", "/api/nothing"])
def test_a_body_too_large(client: Client, settings: LazySettings, path: str) -> None:
    body = b" " * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    assert refusal_of(post(client, body, path)) == (413, "application/json", "body_too_large")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nothing",
        b"\xff\xfe{}",
        b'{"account": "\xc3\x28"}',
        b"[]",
        b"1",
        b'"text"',
        b'{"account": 1e999, "password": NaN}',
        b'{"account": "a\\u0000b", "password": "x"}',
        b'{"account": "\\ud800", "password": "x"}',
        b'{"account": {"a": 1}, "password": []}',
        b"1" * 5000,
    ],
    ids=lambda body: body[:20].decode("latin-1"),
)
def test_a_body_that_is_none(client: Client, body: bytes) -> None:
    assert refusal_of(post(client, body)) == (200, "application/json", "parameter_error")


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_a_body_too_deep_at_any_depth(client: Client, opening: bytes) -> None:
    closing = {b"[": b"]"}.get(opening, b"}")
    # Python gives up somewhere near a thousand; before that the parser does, after it what reads its result.
    for depth in [100, *range(850, 1010), 100_000]:
        nested = b'{"page": ' + opening * depth + b"1" + closing * depth + b"}"
        response = post(client, nested, "/api/v1/pc/goods/list")
        assert refusal_of(response) == (200, "application/json", "parameter_error"), depth


def test_a_fault_of_ours_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("SELECT secret FROM somewhere")

    monkeypatch.setattr("catalog.browse.api.current_rate", fail)
    response = Client(raise_request_exception=False).get("/api/v1/pc/exchangeRate")
    assert refusal_of(response) == (500, "application/json", "server_error")
    assert b"SELECT" not in response.content


def test_a_fault_before_the_api_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("Traceback")

    monkeypatch.setattr("django.middleware.common.CommonMiddleware.process_request", fail)
    response = Client(raise_request_exception=False).get("/api/v1/pc/exchangeRate")
    assert refusal_of(response) == (500, "application/json", "server_error")


def test_an_answer_in_the_envelope_stays_as_it_is(client: Client) -> None:
    response = client.get("/api/v1/pc/exchangeRate")
    assert response.status_code == 200
    assert json.loads(response.content)["code"] == 0
    assert refusal_of(client.get("/api/v1/pc/user/userInfo")) == (401, "application/json", "login_required")


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ('{"brandName": {"a": 1}, "page": 0}', {"brandName", "page"}),
        ('{"word": "\\u0000"}', set()),
        ("[]", set()),
    ],
)
def test_fields_are_named_as_the_client_sent_them(client: Client, body: str, fields: set[str]) -> None:
    answer = client.post("/api/v1/pc/goods/list", body, content_type="application/json").json()
    assert (answer["code"], set(answer.get("fields", {}))) == (1002, fields)
