"""What every request gets: an id, a line in the log, security headers."""

import gzip
import io
import json
import logging
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from config.logs import logging_config
from config.middleware.compression import MIN_BYTES
from config.middleware.content_policy import content_policy

# Headers, ids and logs.
pytestmark = pytest.mark.django_db

ROUTES = [
    "/",
    "/shop",
    "/zh-hans/shop",
    "/home/cart",
    "/home/login",
    "/nothing/at/all",
    "/livez",
    "/readyz",
    "/api/docs",
    "/api/openapi.json",
    "/api/v1/pc/exchangeRate",
    "/api/nothing",
    "/admin/login/",
    "/sandbox-pay/nothing",
]


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """The log, in the format of production."""
    stream = io.StringIO()
    formatter = logging_config("INFO")["formatters"]["json"]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter.pop("()")(**formatter))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def logged(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_every_route_has_the_security_headers(client: Client, subtests: pytest.Subtests) -> None:
    for route in ROUTES:
        with subtests.test(route=route):
            headers = client.get(route).headers
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
            assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert "camera=()" in headers["Permissions-Policy"]
            policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
            assert policy["default-src"] == policy["base-uri"] == "'none'"
            in_admin = route.startswith("/admin")
            assert policy["script-src"] == ("'self' 'unsafe-inline'" if in_admin else "'self'")
            assert policy["frame-ancestors"] == ("'self'" if in_admin else "'none'")


def test_a_preview_may_be_framed_by_the_back_office(rf: RequestFactory) -> None:
    def preview(_request: HttpRequest) -> HttpResponse:
        # Wagtail renders it by a request of its own, which has passed all middleware.
        return HttpResponse(headers={"Content-Security-Policy": "frame-ancestors 'none'"})

    answer: Any = content_policy(preview)(rf.get("/admin/pages/1/edit/preview/"))
    assert "frame-ancestors 'self'" in answer["Content-Security-Policy"]


def test_a_valid_request_id_is_used(client: Client, subtests: pytest.Subtests) -> None:
    for route in ROUTES:
        with subtests.test(route=route):
            assert client.get(route, headers={"X-Request-ID": "Abc-1.2_3"})["X-Request-ID"] == "Abc-1.2_3"


def test_an_invalid_request_id_is_replaced(client: Client, subtests: pytest.Subtests) -> None:
    for given in ["", "a b", "a\nb", "x" * 129, "<script>", "号", '"', "a;b"]:
        with subtests.test(given=given):
            made = [client.get("/livez", headers={"X-Request-ID": given})["X-Request-ID"] for _ in range(2)]
            assert given not in made
            assert len(set(made)) == 2
            assert all(len(each) == 32 for each in made)


def test_a_request_is_one_log_line_with_its_id(client: Client, lines: io.StringIO) -> None:
    client.get("/api/v1/pc/exchangeRate?word=secret", headers={"X-Request-ID": "mine", "token": "t0ken"})
    (line,) = logged(lines)
    assert line["ms"] >= 0
    fields = {
        name: line[name] for name in ("event", "request_id", "method", "path", "status", "customer", "level")
    }
    assert fields == {
        "event": "request",
        "request_id": "mine",
        "method": "GET",
        "path": "/api/v1/pc/exchangeRate",
        "status": 200,
        "customer": None,
        "level": "info",
    }
    assert line["logger"] == "shop.request"
    assert datetime.fromisoformat(line["timestamp"]).utcoffset() == timedelta()
    assert "secret" not in lines.getvalue()
    assert "t0ken" not in lines.getvalue()


def test_a_link_from_a_message_is_not_logged(
    client: Client, lines: io.StringIO, subtests: pytest.Subtests
) -> None:
    for path in [
        "/shop/notices/",
        "/zh-hans/shop/notices/",
        "/zh-hans/shared/",
        "/home/unsubscribe/",
        "/admin/password_reset/confirm/MQ/",
    ]:
        with subtests.test(path=path):
            client.get(f"{path}s3cr3t/")
            logging.getLogger("django.security.csrf").warning(
                "Forbidden (%s): %s", "no token", f"{path}s3cr3t/"
            )
            assert "s3cr3t" not in lines.getvalue()
            assert any(line.get("path", "").endswith("/…") for line in logged(lines))


def test_health_is_not_logged(client: Client, lines: io.StringIO) -> None:
    client.get("/livez")
    assert not logged(lines)


def test_a_row_that_a_database_error_quotes_is_not_logged(
    lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "refused\nDETAIL:  Failing row contains (1, Wilhelmina\n\nFeather, 1 Hay Street)."

    def fail(*_args: object) -> None:
        try:
            raise ValueError(text)
        except ValueError as error:
            raise RuntimeError(str(error)) from error

    monkeypatch.setattr("catalog.browse.api.current_rate", fail)
    Client(raise_request_exception=False).get("/api/v1/pc/exchangeRate")
    logging.getLogger("shop").error("not saved: %s", "DETAIL:  Key (name)=(Wilhelmina, 1 Hay Street) exists.")
    (fault,) = (line for line in logged(lines) if "exception" in line)
    assert "RuntimeError: refused\nDETAIL: …" in fault["exception"]
    assert fault["exception"].count("DETAIL: …") == 2
    assert "not saved: DETAIL: …" in [line["event"] for line in logged(lines)]
    for personal in ("Wilhelmina", "Feather", "Hay Street"):
        assert personal not in lines.getvalue()


def test_an_error_that_quotes_a_very_long_word_is_logged_immediately(lines: io.StringIO) -> None:
    try:
        raise ValueError("x" * 500_000)
    except ValueError:
        begun = time.thread_time()
        logging.getLogger("shop").exception("unreadable")
        assert time.thread_time() - begun < 2
    assert len(logged(lines)) == 1


def test_an_error_is_logged_with_its_request_but_without_personal_data(
    lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        password = "hunter2hunter2"
        raise RuntimeError(f"Key (account)=(+61412345678) or someone@example.com exists {len(password)}")

    monkeypatch.setattr("catalog.browse.api.current_rate", fail)
    client = Client(raise_request_exception=False)
    client.get("/api/v1/pc/exchangeRate", headers={"X-Request-ID": "mine"})
    (fault,) = (line for line in logged(lines) if "exception" in line)
    (request,) = (line for line in logged(lines) if line["event"] == "request")
    assert fault["request_id"] == request["request_id"] == "mine"
    assert "RuntimeError: Key (account)=(+…) or … exists" in fault["exception"]
    assert request["status"] == 500
    for personal in ("412345678", "someone@", "hunter2hunter2'"):
        assert personal not in lines.getvalue()


def test_production_redirects_to_https(settings: LazySettings) -> None:
    settings.SECURE_HSTS_SECONDS = 31_536_000
    assert Client().get("/livez", secure=True)["Strict-Transport-Security"] == "max-age=31536000"


def test_an_answer_of_one_packet_is_not_compressed(client: Client) -> None:
    answer = client.get("/api/v1/pc/exchangeRate", headers={"accept-encoding": "gzip"})
    assert len(answer.content) < MIN_BYTES
    assert "Content-Encoding" not in answer


def test_a_compressed_answer_has_a_length_that_shows_nothing(client: Client) -> None:
    # Else its length would reveal how well a guess in the request repeats a secret in the answer (BREACH).
    headers = {"accept-encoding": "gzip"}
    answers = [client.get("/api/openapi.json", headers=headers).content for _ in range(8)]
    assert len({gzip.decompress(answer) for answer in answers}) == 1
    assert len({len(answer) for answer in answers}) > 1


def test_pages_and_answers_are_compressed_for_clients_that_accept_it(client: Client) -> None:
    for path in ("/shop", "/api/openapi.json"):
        plain, packed = client.get(path), client.get(path, headers={"accept-encoding": "gzip"})
        assert "Content-Encoding" not in plain
        assert packed["Content-Encoding"] == "gzip"
        assert len(packed.content) < len(plain.content) / 2
