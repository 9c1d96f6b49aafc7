"""The parts of the web server's front (docs/adr/0029-an-http-front-end.md)."""

import asyncio
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import LazySettings
from django.core.handlers.wsgi import WSGIRequest
from django.urls import reverse

from config.api import api
from config.body_sizes import MAX_BACK_OFFICE, MAX_UPLOAD, max_body
from config.front_end import bodies
from config.front_end.answers import refuse
from config.front_end.bodies import MAX_IN_MEMORY, Body, BodyReader
from config.front_end.environ import environ_of
from config.front_end.files import SentFile
from config.front_end.server import Front
from config.front_end.worker_pools import hashes_a_password, only_reads
from config.paths import UPLOAD
from core.errors import Err, ShopError

MIB = 1024 * 1024


class Protocol:
    """Granian's side of a request: parts of a body; None for one that never comes."""

    def __init__(self, *parts: bytes | None) -> None:
        self._parts: Iterator[bytes | None] = iter(parts)

    def __aiter__(self) -> "Protocol":
        return self

    async def __anext__(self) -> bytes:
        try:
            part = next(self._parts)
        except StopIteration:
            raise StopAsyncIteration from None
        if part is None:
            await asyncio.Event().wait()
        return part or b""


def read(reader: BodyReader, *parts: bytes | None, maximum: int = 4 * MIB) -> Body:
    return asyncio.run(reader.read(Protocol(*parts), length=None, maximum=maximum))


def test_a_body_is_read_whole_from_memory_or_a_file(subtests: pytest.Subtests) -> None:
    for size in [2, MAX_IN_MEMORY, MAX_IN_MEMORY + 2]:
        with subtests.test(size=size):
            body = read(BodyReader(), bytes(size // 2), bytes(size // 2), b"")
            assert body.file.read() == bytes(size)
            assert body.size == size
            assert body.file._rolled == (size > MAX_IN_MEMORY)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("parts", "err"),
    [
        # Granian ends a body by an empty part, and one that breaks off by two.
        ((b"half", b"", b""), Err.parameter_error),
        ((bytes(MIB), bytes(1), b""), Err.body_too_large),
        ((b"half", None), Err.body_too_slow),
    ],
)
def test_a_body_that_is_refused_leaves_no_space_taken(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, parts: tuple[bytes | None, ...], err: Err
) -> None:
    settings.WEB_BODY_SECONDS = 0.01
    monkeypatch.setattr(bodies, "MAX_SPOOLED", 2 * MIB)
    reader = BodyReader()
    for _ in range(3):
        with pytest.raises(ShopError) as caught:
            read(reader, *parts, maximum=MIB)
        assert caught.value.err is err
    # As much as fits, so nothing else is left.
    assert read(reader, bytes(2 * MIB), b"").size == 2 * MIB


def test_bodies_in_files_have_a_bounded_space_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MAX_SPOOLED", 2 * MIB)
    reader = BodyReader()
    first = read(reader, bytes(MIB), bytes(MIB), b"")
    with pytest.raises(ShopError) as caught:
        read(reader, bytes(MIB), b"")
    assert (caught.value.err, caught.value.retry_after) == (Err.shop_busy, 1)
    assert read(reader, bytes(MAX_IN_MEMORY), b"").size == MAX_IN_MEMORY
    reader.release(first)
    assert read(reader, bytes(2 * MIB), b"").size == 2 * MIB


def test_a_refusal_closes_the_connection_unless_the_body_was_read() -> None:
    sent: list[dict[str, str]] = []
    protocol = SimpleNamespace(response_bytes=lambda _status, headers, _body: sent.append(dict(headers)))
    scope = SimpleNamespace(headers={}, method="POST")
    error = ShopError(Err.shop_busy, retry_after=1)
    for is_read in (True, False):
        refuse(scope, protocol, "/api/v1/pc/order", error, started=0.0, is_read=is_read)
    assert [headers.get("Connection") for headers in sent] == [None, "close"]


def test_only_files_may_have_more_than_a_form(settings: LazySettings) -> None:
    form, file = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, "multipart/form-data; boundary=x"
    assert max_body(UPLOAD, file) == MAX_UPLOAD
    assert max_body("/admin/images/add/", file, "csrftoken=a; sessionid=b") == MAX_BACK_OFFICE
    for cookies in ("", "csrftoken=sessionid"):
        assert max_body("/admin/login/", file, cookies) == form
    for path in ("/", "/admin/redirects/import/"):
        assert max_body(path, file, "sessionid=b") == form
    for path in ("/", "/shop/shopdetails/1/notice", "/pay/notice/x", "/administrator", f"{UPLOAD}s"):
        assert max_body(path, file) == form
    assert max_body(UPLOAD, "application/json") == form


def request(
    path: str, *headers: tuple[str, str], query: str = "a=1&b=%E4%B8%9C", body: Body | None = None
) -> WSGIRequest:
    scope = SimpleNamespace(
        method="POST",
        query_string=query,
        client="[::1]:40000",
        server="127.0.0.1:8000",
        http_version="1.1",
        scheme="http",
        headers=SimpleNamespace(items=lambda: headers),
    )
    return WSGIRequest(environ_of(scope, path, body or read(BodyReader(), b"")))


def test_django_reads_the_request_that_was_sent() -> None:
    body = read(BodyReader(), b"word=", b"tea", b"")
    found = request(
        "/shop//东 %2F",
        ("host", "shop.example"),
        ("content-type", "application/x-www-form-urlencoded"),
        ("transfer-encoding", "chunked"),
        ("cookie", "a=1"),
        ("cookie", "b=2"),
        ("accept", "text/html"),
        ("accept", "*/*"),
        ("x_forwarded_for", "10.0.0.1"),
        body=body,
    )
    assert (found.method, found.path, found.GET["b"]) == ("POST", "/shop//东 %2F", "东")
    assert found.META["REMOTE_ADDR"] == "::1"
    assert found.META["CONTENT_LENGTH"] == "8"
    assert found.POST["word"] == "tea"
    assert found.COOKIES == {"a": "1", "b": "2"}
    assert found.headers["Accept"] == "text/html,*/*"
    assert not {"HTTP_X_FORWARDED_FOR", "HTTP_TRANSFER_ENCODING"} & set(found.META)


def test_a_query_that_was_not_escaped_is_read() -> None:
    assert request("/shop", query="word=东&page=1").GET.dict() == {"word": "东", "page": "1"}


def test_a_whole_file_is_sent_from_its_path_and_another_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    whole, rest = path.open("rb"), path.open("rb")
    rest.seek(4)
    assert SentFile(whole).path() == str(path)
    assert SentFile(rest).path() is None
    assert b"".join(SentFile(rest)) == b"456789"
    assert SentFile(BytesIO(b"made")).path() is None
    SentFile(whole).close()
    assert whole.closed
    rest.close()


@pytest.mark.parametrize(
    ("method", "path", "reads", "hashes"),
    [
        ("GET", "/home", True, False),
        ("HEAD", "/static/css/shop.css", True, False),
        ("GET", "/api/v1/pc/shoppingCart", True, False),
        ("POST", "/api/v1/pc/goods/list", True, False),
        # They may wait for a lock or a provider.
        ("GET", "/admin/", False, False),
        ("GET", "/admin/login/", False, False),
        ("GET", "/pay/return/abc", False, False),
        ("GET", "/api/v1/pc/pay/result/1", False, False),
        ("POST", "/pay/notice/sandbox", False, False),
        ("POST", "/api/v1/pc/order", False, False),
        ("POST", "/api/v1/pc/logout", False, False),
        ("PUT", "/api/v1/pc/setting/pay/password", False, False),
        ("DELETE", "/api/v1/pc/shoppingCart/1", False, False),
        ("BREW", "/shop", False, False),
        ("POST", "/api/v1/pc/login", False, True),
        ("PUT", "/api/v1/pc/setting/login/password", False, True),
        ("POST", "/admin/login/", False, True),
    ],
)
def test_requests_that_read_and_logins_have_worker_pools_of_their_own(
    method: str, path: str, reads: bool, hashes: bool
) -> None:
    assert (only_reads(method, path), hashes_a_password(method, path)) == (reads, hashes)


def test_reading_writing_and_logins_have_threads_of_their_own() -> None:
    front = Front()
    paths = [("GET", "/shop"), ("POST", "/api/v1/pc/order"), ("POST", "/api/v1/pc/login")]
    assert len({id(front._pool_for(method, path)) for method, path in paths}) == 3


def test_every_call_that_has_a_worker_pool_by_its_name_still_exists() -> None:
    from config.front_end.worker_pools import _HASHING_PATHS, _READING_CALLS

    calls = set(api.get_openapi_schema()["paths"])
    assert calls | {reverse("wagtailadmin_login")} >= _READING_CALLS | _HASHING_PATHS
