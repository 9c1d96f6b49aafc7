"""A started web server: neither slow senders, large bodies nor waiting for a lock stops it.

docs/adr/0029-an-http-front-end.md
"""

import json
import re
import resource
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from config.management.commands.web import HEAD_SECONDS, MAX_HEAD_BYTES, OTHER_FILES
from core.errors import Err
from tests import databases
from tests.browser.shops import environment, free_port

pytestmark = [pytest.mark.slow, pytest.mark.both_databases]

if connection.vendor != "sqlite":
    pytest.skip("The server has an SQLite file of its own", allow_module_level=True)

LOGIN = "/api/v1/pc/login"
NOTICE = "/shop/shopdetails/1/notice"
# Of the server under test.
THREADS, BODY_SECONDS = 2, 1
START_SECONDS = 60
LARGE = 400_000_000
# The open files of a process, unless it asks for more.
MANY_SYSTEMS_ALLOW = 1_024
# More than that, and more than a process accepts in granian's own configuration.
CONNECTIONS = 1_100


class Server(NamedTuple):
    """A web server of one process with a database of its own."""

    port: int
    database: Path
    log: Path

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=f"http://localhost:{self.port}", timeout=10)

    def logged(self, status: int) -> list[dict[str, Any]]:
        """Return the log lines of the requests with a status."""
        lines = [json.loads(line) for line in self.log.read_text("utf-8").splitlines() if line[:1] == "{"]
        return [line for line in lines if line.get("event") == "request" and line["status"] == status]


class Sender:
    """A client that sends a request as slowly as it likes."""

    def __init__(self, server: Server, path: str, *headers: str) -> None:
        self._socket = socket.create_connection(("localhost", server.port), timeout=10)
        head = [f"POST {path} HTTP/1.1", f"Host: localhost:{server.port}", *headers]
        self.send("\r\n".join(head).encode() + b"\r\n\r\n")

    def send(self, part: bytes) -> None:
        self._socket.sendall(part)

    def answer(self) -> httpx.Response:
        """Return the answer to all that was sent."""
        with closing(self._socket), self._socket.makefile("rb") as file:
            status = int(file.readline().split()[1])
            headers = {}
            while line := file.readline().strip():
                name, _, value = line.decode("latin-1").partition(": ")
                headers[name] = value
            return httpx.Response(status, headers=headers, content=file.read(int(headers["content-length"])))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """A web server with an empty shop on SQLite."""
    folder = tmp_path_factory.mktemp("front")
    found = Server(free_port(), folder / "shop.sqlite3", folder / "web.log")
    chosen = {"PORT": str(found.port), "WEB_WORKERS": "1", "WEB_THREADS": str(THREADS), "HOST": "127.0.0.1"}
    run = [sys.executable, "manage.py"]
    environ = environment(folder) | chosen | {"WEB_BODY_SECONDS": str(BODY_SECONDS)}
    with django_db_blocker.unblock():
        databases.copy_migrated_file(found.database)
    with found.log.open("wb") as log:
        process = subprocess.Popen(
            [*run, "web"],
            cwd=settings.BASE_DIR,
            env=environ,
            stdout=log,
            stderr=log,
            preexec_fn=lambda: allow_files(MANY_SYSTEMS_ALLOW),
        )
    try:
        _wait_for(found, process)
        yield found
    finally:
        process.terminate()
        assert process.wait(10) == 0


def allow_files(number: int) -> None:
    """Limit the open files of this process; it may raise this limit again."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


def _wait_for(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    with server.client() as client:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                client.get("/livez")
                client.get("/shop")
                return
            except httpx.TransportError:
                time.sleep(0.05)
    pytest.fail(server.log.read_text("utf-8")[-4000:])


def try_to_log_in(client: httpx.Client) -> httpx.Response:
    """Send an unknown account's password: the try is counted before anything else, by a transaction."""
    return client.post(LOGIN, json=credentials())


def ask_for_a_code(client: httpx.Client) -> httpx.Response:
    """Ask for a code without a captcha: that is found in a transaction."""
    body = {"account": f"{uuid.uuid4().hex}@example.com", "purpose": "register"}
    return client.post("/api/v1/pc/common/sendCode", json=body)


def credentials() -> dict[str, str]:
    # Always another account, since too many tries of one are refused.
    return {"account": f"{uuid.uuid4().hex}@example.com", "password": "888888"}


def milliseconds(client: httpx.Client, path: str) -> float:
    started = time.perf_counter()
    assert client.get(path).status_code == 200
    return (time.perf_counter() - started) * 1000


@pytest.mark.parametrize("how", [f"Content-Length: {LARGE}", "Transfer-Encoding: chunked"])
def test_a_body_that_is_too_large_is_refused_while_it_arrives(server: Server, how: str) -> None:
    for path in (NOTICE, LOGIN):
        sender = Sender(server, path, how, "X-Request-ID: large")
        if "chunked" in how:
            # More than the limit, and no end of it.
            sender.send(b"%x\r\n" % LARGE + bytes(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
        answer = sender.answer()
        assert (answer.status_code, answer.headers["x-request-id"]) == (413, "large")
        if path == LOGIN:
            assert answer.json()["reason"] == "body_too_large"
        else:
            assert Err.body_too_large.en in answer.text
            assert Err.body_too_large.zh in answer.text
    logged = server.logged(413)[-2:]
    assert [line["path"] for line in logged] == [NOTICE, LOGIN]
    assert {line["request_id"] for line in logged} == {"large"}


def test_a_large_body_of_the_back_office_is_read_with_a_session_only(server: Server) -> None:
    content = bytes(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    with server.client() as client:
        visitor = client.post("/admin/login/", content=content)
        # Refused by Django, which has read it: the form has no token.
        staff = client.post("/admin/login/", content=content, headers={"Cookie": "a=1; sessionid=x"})
    assert (visitor.status_code, staff.status_code) == (413, 403)


def test_a_body_in_chunks_is_read(server: Server) -> None:
    content = json.dumps(credentials()).encode()
    with server.client() as client:
        in_chunks = client.post(
            LOGIN, content=iter([content[:9], content[9:]]), headers={"Content-Type": "application/json"}
        )
    assert in_chunks.json()["reason"] == "account_or_password_wrong"


def test_slow_senders_are_refused_while_others_are_answered(server: Server) -> None:
    senders = [Sender(server, LOGIN, "Content-Length: 99") for _ in range(20)]
    senders += [Sender(server, NOTICE, "Transfer-Encoding: chunked") for _ in range(20)]
    for sender in senders[20:]:
        sender.send(b"1\r\na\r\n")
    with server.client() as client:
        took = sorted(milliseconds(client, "/shop") for _ in range(40))
        assert try_to_log_in(client).json()["reason"] == "account_or_password_wrong"
    assert took[37] < 500
    answers = [sender.answer() for sender in senders]
    assert {answer.status_code for answer in answers} == {408}
    assert answers[0].json()["reason"] == "body_too_slow"
    assert Err.body_too_slow.zh in answers[-1].text
    assert len(server.logged(408)) == len(senders)


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let the test open all its connections."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    allow_files(max(allowed, CONNECTIONS + OTHER_FILES))
    yield
    allow_files(allowed)


@pytest.mark.usefixtures("many_files")
def test_connections_that_send_nothing_more_hold_up_nothing_and_are_closed(server: Server) -> None:
    line = f"GET /livez HTTP/1.1\r\nHost: localhost:{server.port}\r\n".encode()
    with ExitStack() as stack, server.client() as client:
        # Half of them have sent half of a request, the others are answered and stay open.
        for number in range(CONNECTIONS):
            opened = stack.enter_context(socket.create_connection(("localhost", server.port), timeout=10))
            opened.sendall(line if number % 2 else line + b"\r\n")
        assert milliseconds(client, "/livez") < 2_000
        assert milliseconds(client, "/shop") < 2_000
        started = time.monotonic()
        while opened.recv(1_000):
            pass
        assert time.monotonic() - started < HEAD_SECONDS + 2


def test_a_head_that_is_too_large_is_refused(server: Server) -> None:
    with server.client() as client:
        assert client.get("/livez", headers={"Cookie": "a" * (MAX_HEAD_BYTES // 2)}).status_code == 200
        assert client.get("/livez", headers={"Cookie": "a" * (4 * MAX_HEAD_BYTES)}).status_code == 431


def test_requests_that_wait_for_a_lock_hold_up_nothing_else(server: Server) -> None:
    with ExitStack() as stack:
        lock = stack.enter_context(closing(sqlite3.connect(server.database, isolation_level=None)))
        lock.execute("BEGIN IMMEDIATE")
        pool = stack.enter_context(ThreadPoolExecutor(10))
        clients = [stack.enter_context(server.client()) for _ in range(11)]
        tries = [pool.submit(ask_for_a_code, client) for client in clients[:9]]
        page = pool.submit(clients[10].get, "/admin/login/")
        took = []
        while sum(each.done() for each in tries) < 9 - THREADS or not page.done():
            took += [milliseconds(clients[9], path) for path in ("/livez", "/shop")]
        lock.execute("ROLLBACK")
        answers = [each.result() for each in tries]
    assert statistics.median(took) < 200
    busy = [answer for answer in answers if answer.status_code == 429]
    assert len(busy) == 9 - THREADS
    assert {answer.headers["retry-after"] for answer in busy} == {"1"}
    assert {answer.json()["reason"] for answer in answers} == {"shop_busy", "captcha_required"}
    for text in (Err.shop_busy.en, Err.shop_busy.zh):
        assert text in page.result().text
    assert len(server.logged(429)) == len([*busy, page])


def test_logins_that_wait_hold_up_nothing_else_that_may_write(server: Server) -> None:
    with ExitStack() as stack:
        lock = stack.enter_context(closing(sqlite3.connect(server.database, isolation_level=None)))
        lock.execute("BEGIN IMMEDIATE")
        pool = stack.enter_context(ThreadPoolExecutor(9))
        clients = [stack.enter_context(server.client()) for _ in range(10)]
        tries = [pool.submit(try_to_log_in, client) for client in clients[:9]]
        assert clients[9].get("/admin/login/").status_code == 200
        assert not all(each.done() for each in tries)
        lock.execute("ROLLBACK")
        reasons = {each.result().json()["reason"] for each in tries}
    # Those that have waited for the lock itself for too long are refused.
    assert reasons - {"shop_busy"} == {"account_or_password_wrong"}


def test_a_file_is_sent_whole_in_part_and_not_at_all(server: Server) -> None:
    with server.client() as client:
        page = client.get("/shop").text
        path = re.search(r'/static/[^"]+\.css', page)
        assert path
        whole = client.get(path[0], headers={"Accept-Encoding": "identity"})
        part = client.get(path[0], headers={"Accept-Encoding": "identity", "Range": "bytes=10-29"})
        head = client.head(path[0], headers={"Accept-Encoding": "identity"})
        again = client.get(path[0], headers={"If-None-Match": whole.headers["etag"]})
    assert int(whole.headers["content-length"]) == len(whole.content)
    assert (part.status_code, part.content) == (206, whole.content[10:30])
    assert (head.status_code, head.headers["content-length"]) == (200, whole.headers["content-length"])
    assert (again.status_code, again.content) == (304, b"")
