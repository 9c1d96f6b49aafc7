"""Every failure under /api answers in the envelope (docs/wire.md#envelope)."""

import json
import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from commerce.accounts.tests.builders import auth_headers, make_customer
from config.api import api
from core.errors import Err
from core.languages import TwoTexts
from core.wire import Refusal, refusal

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


def test_an_unknown_path_is_answered_in_the_envelope(subtests: pytest.Subtests) -> None:
    client = Client(enforce_csrf_checks=True)
    for path in [
        "/api/nothing",
        "/api/v1/pc/nothing",
        "/api/v1/pc/login/",
        "/api/",
        "/api/v1/pc/%00",
        "/api/v1/pc/%0Anothing",
        "/api/v1/pc/order/cancel/1/2",
        "/api/v1/东",
    ]:
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]:
            with subtests.test(path=path, method=method):
                assert refusal_of(client.generic(method, path)) == (404, "application/json", "not_found")


@pytest.mark.parametrize(
    ("path", "allowed", "others"),
    [
        (LOGIN, "POST", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"]),
        ("/api/v1/pc/exchangeRate", "GET, HEAD", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"]),
        ("/api/docs", "GET, HEAD", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
        ("/api/openapi.json", "GET, HEAD", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
    ],
)
def test_a_wrong_method_names_the_allowed_ones(path: str, allowed: str, others: list[str]) -> None:
    client = Client(enforce_csrf_checks=True)
    for method in others:
        response = client.generic(method, path)
        assert refusal_of(response) == (405, "application/json", "method_not_allowed"), method
        assert response["Allow"] == allowed


def test_a_body_that_is_too_large_is_refused(
    client: Client, settings: LazySettings, subtests: pytest.Subtests
) -> None:
    body = b" " * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    for path in [LOGIN, "/api/v1/pc/logout", "/api/nothing"]:
        with subtests.test(path=path):
            assert refusal_of(post(client, body, path)) == (413, "application/json", "body_too_large")


def test_a_body_without_a_length_is_refused_instead_of_read_as_empty(client: Client) -> None:
    headers = {"Transfer-Encoding": "chunked"}
    response = client.generic("POST", "/api/v1/pc/goods/list", b"", "application/json", headers=headers)
    assert refusal_of(response) == (200, "application/json", "parameter_error")


def test_a_body_that_is_no_object_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    for body in [
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
    ]:
        with subtests.test(body=body):
            assert refusal_of(post(client, body)) == (200, "application/json", "parameter_error")


def test_a_body_nested_too_deeply_is_refused_at_any_depth(client: Client) -> None:
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        # Python's recursion limit is near a thousand: the parser refuses below it, its reader above it.
        for depth in [100, *range(850, 1010), 100_000]:
            nested = b'{"page": ' + opening * depth + b"1" + closing * depth + b"}"
            response = post(client, nested, "/api/v1/pc/goods/list")
            assert refusal_of(response) == (200, "application/json", "parameter_error"), depth


@pytest.mark.parametrize(
    "place",
    ["catalog.browse.api.current_rate", "django.middleware.common.CommonMiddleware.process_request"],
)
def test_an_error_in_a_call_or_before_the_api_reveals_nothing(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("SELECT secret FROM somewhere")

    monkeypatch.setattr(place, fail)
    response = Client(raise_request_exception=False).get("/api/v1/pc/exchangeRate")
    assert refusal_of(response) == (500, "application/json", "server_error")
    assert b"SELECT" not in response.content


def test_an_answer_in_the_envelope_stays_unchanged(client: Client) -> None:
    response = client.get("/api/v1/pc/exchangeRate")
    assert response.status_code == 200
    assert json.loads(response.content)["code"] == 0
    assert refusal_of(client.get("/api/v1/pc/user/userInfo")) == (401, "application/json", "login_required")


def test_fields_are_named_as_the_client_sent_them(client: Client) -> None:
    for body, fields in (
        ('{"brandName": {"a": 1}, "page": 0}', {"brandName", "page"}),
        ('{"word": "\\u0000"}', set()),
        ("[]", set()),
    ):
        answer = client.post("/api/v1/pc/goods/list", body, content_type="application/json").json()
        assert (answer["code"], set(answer.get("fields", {}))) == (1002, fields), body


def get_calls() -> list[str]:
    """Return the path of every GET call of the API, its ids filled in."""
    paths = api.get_openapi_schema()["paths"]
    return sorted(re.sub(r"{\w+}", "1", path) for path, methods in paths.items() if "get" in methods)


def test_head_answers_as_get_does(client: Client, subtests: pytest.Subtests) -> None:
    for path in get_calls():
        with subtests.test(path=path):
            for headers in ({}, auth_headers(make_customer())):
                got, head = client.get(path, headers=headers), client.head(path, headers=headers)
                assert (head.status_code, head.content) == (got.status_code, b"")
                assert int(head["Content-Length"]) == len(got.content) > 0
                for answer in (got, head):
                    del answer["X-Request-ID"]
                assert head.headers == got.headers


def test_head_is_refused_by_a_call_that_writes(client: Client) -> None:
    response = client.head(LOGIN)
    assert (response.status_code, response["Allow"], response.content) == (405, "POST", b"")


def test_an_unknown_path_is_not_found_by_head_too(client: Client) -> None:
    response = client.head("/api/v1/pc/nothing")
    assert (response.status_code, response.content) == (404, b"")
    assert response["Content-Length"] == client.get("/api/v1/pc/nothing")["Content-Length"]


def test_the_openapi_shows_that_every_call_may_be_refused() -> None:
    schema = api.get_openapi_schema()
    for path, methods in schema["paths"].items():
        for operation in methods.values():
            answers = operation["responses"]
            assert set(answers) == {200, "4XX", "5XX"}, path
            [content] = answers[200]["content"].values()
            assert {"$ref": "#/components/schemas/Refusal"} in content["schema"]["anyOf"], path
    fields = schema["components"]["schemas"]["Refusal"]["properties"]
    assert set(fields) == {"code", "msg", "result", "reason", "fields", "why", "whyEn"}
    assert set(fields["code"]["enum"]) == {err.code for err in Err if err.code}


def test_every_refusal_has_the_shape_that_the_openapi_shows() -> None:
    for err in Err:
        if err.code:
            Refusal.model_validate(refusal(err, {"name": err.name}, TwoTexts("原因", "Reason")))
