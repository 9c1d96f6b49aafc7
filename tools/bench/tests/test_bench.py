"""The bench: its client, its subjects and its verdict. No test asserts how fast the shop is."""

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.conf import LazySettings

from catalog.goods.tests.builders import make_category, make_product
from catalog.stock.tests.builders import stock
from tools.bench import client
from tools.bench.__main__ import PAGE, with_figures
from tools.bench.catalogues import BenchError
from tools.bench.client import Step, run_chains
from tools.bench.subjects import queries_of, raw_requests, subjects
from tools.bench.targets import BARE, CACHED, LARGE, LIST, MIDDLE, ROWS, SMALL, compared
from tools.launch import POSTGRESQL


# How the bench measures; on PostgreSQL it counts the queries of each subject itself, whenever it runs.
class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    asked: list[str] = []
    calls: list[tuple[str, str | None, Any]] = []

    def do_GET(self) -> None:
        self._answer(b"x" * 200_000)

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        token = self.headers["token"]
        self.calls.append((self.path, token, sent))
        refused = {"/broken": {"code": 7}, "/crowded": {"code": 1, "reason": "shop_busy"}}
        text = json.dumps(refused.get(self.path, {"code": 0, "result": {"key": f"key for {token}"}}))
        self._answer(gzip.compress(text.encode()), ("Content-Encoding", "gzip"))

    def _answer(self, body: bytes, *headers: tuple[str, str]) -> None:
        self.asked.append(self.path)
        self.send_response(404 if self.path == "/missing" else 200)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        """Log nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    _Answers.asked.clear()
    _Answers.calls.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answers) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server.server_port
        server.shutdown()


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode()


@pytest.mark.parametrize("connections", [1, 4])
def test_the_client_counts_complete_answers_over_persistent_connections(port: int, connections: int) -> None:
    found = client.load(port, connections, 0.1, [get("/a"), get("/b")], whole=True)
    assert found["failed"] == 0
    assert found["requests"] == len(_Answers.asked)
    assert set(_Answers.asked) == {"/a", "/b"}
    assert 0 < found["p50_ms"] <= found["p95_ms"]


def test_the_client_sends_each_request_once_where_all_are_wanted(port: int) -> None:
    paths = [f"/{number}" for number in range(30)]
    client.load(port, 4, 0.0, [get(path) for path in paths], whole=True)
    assert set(_Answers.asked) == set(paths)


def test_the_client_reports_refused_requests(port: int) -> None:
    found = client.load(port, 1, 0.05, [get("/missing")])
    assert found["failed"] == found["requests"] > 0


def test_in_a_chain_an_answer_feeds_the_next_call_of_the_same_shopper(port: int) -> None:
    steps = [Step("open", "/open", '{"of": "%(name)s"}', keeps="key"), Step("end", "/end", '["%(key)s"]')]
    shoppers = [{"name": name, "token": f"token of {name}"} for name in ("Li", "Mei")]
    # Without seconds each of the two connections does one chain.
    found = run_chains(port, 2, 0.0, steps, shoppers)
    for name in ("Li", "Mei"):
        assert [(path, sent) for path, token, sent in _Answers.calls if token == f"token of {name}"] == [
            ("/open", {"of": name}),
            ("/end", [f"key for token of {name}"]),
        ]
    assert (found["failed"], found["busy"], found["whole"]["requests"]) == (0, 0, 2)
    assert [found["steps"][name]["requests"] for name in ("open", "end")] == [2, 2]


def test_a_refusal_ends_its_chain_and_a_busy_shop_is_counted_apart(port: int) -> None:
    broken, crowded = (Step("first", path, "{}") for path in ("/broken", "/crowded"))
    found = run_chains(port, 3, 0.0, [broken, Step("next", "/next", "{}")], [{}])
    assert (found["failed"], found["busy"], found["whole"]["requests"]) == (3, 0, 0)
    assert "'code': 7" in found["examples"][0]
    found = run_chains(port, 3, 0.0, [crowded, Step("next", "/next", "{}")], [{}])
    assert (found["failed"], found["busy"], found["whole"]["requests"]) == (0, 3, 0)


@pytest.mark.django_db
@pytest.mark.usefixtures("demo_content")
@pytest.mark.slow
def test_every_measured_request_is_answered_and_its_queries_counted(settings: LazySettings) -> None:
    settings.ROOT_URLCONF = "tools.bench.urls"
    settings.PAGE_CACHE, settings.HOST, settings.ALLOWED_HOSTS = True, "127.0.0.1", ["127.0.0.1"]
    category = make_category(parent=make_category())
    for _ in range(30):
        stock(make_product(category=category), 5)
    for subject in subjects():
        facts = queries_of(subject)
        assert facts["queries"] <= facts["max_queries"] < 100
        assert not subject.cached or (facts["queries"], facts["rendered_with"] > 0) == (0, True)
        assert all(request.startswith(("GET /", "POST /")) for request in raw_requests(subject))


def row(subject: str, size: int, connections: int, per_second: float, p95_ms: float = 1.0) -> dict[str, Any]:
    return {
        "engine": POSTGRESQL,
        "size": size,
        "subject": subject,
        "connections": connections,
        "floor": "" if subject in (BARE, ROWS) else BARE,
        "per_second": per_second,
        "p50_ms": 1.0,
        "p95_ms": p95_ms,
        "queries": 1,
    }


def test_unmeasured_targets_are_neither_reached_nor_missed() -> None:
    figures = [
        row(subject, MIDDLE, connections, per_second)
        for subject, per_second in ((BARE, 1000.0), (CACHED[0], 900.0), (CACHED[1], 899.0), (ROWS, 100.0))
        for connections in (1, 16)
    ]
    growth = [row(LIST, size, 1, 9, p95) for size, p95 in ((SMALL, 2.0), (LARGE, 4.1))]
    results: dict[str, Any] = {
        "figures": figures + growth,
        "imports": [{"engine": POSTGRESQL, "size": MIDDLE, "seconds": 120.0, "peak_mb": 401.0}],
        "memory": [],
        "loops": [],
    }
    reached = {target["target"]: target["reached"] for target in compared(results)}
    assert reached[f"{CACHED[0]}: share of the {BARE}"] is True
    assert reached[f"{CACHED[1]}: share of the {BARE}"] is False
    assert reached[f"{LIST}: p95 at 1,000,000 products, times that at 490"] is False
    assert reached["import of 100,000 products, s"] is True
    assert reached["import of 100,000 products, peak MB"] is False
    assert reached["memory of a worker at 1,000,000 products, times that at 490"] is None


def test_published_figures_replace_those_between_the_markers_of_their_part() -> None:
    page = PAGE.read_text("utf-8")
    before, after = page.split("<!-- bench -->")[0], page.split("<!-- /bench -->")[1]
    assert with_figures(page, "new\n") == f"{before}<!-- bench -->\nnew\n<!-- /bench -->{after}"
    bench = page[page.index("<!-- bench -->") : page.index("<!-- /bench -->")]
    published = with_figures(page, "new\n", "screens")
    assert "<!-- screens -->\nnew\n<!-- /screens -->" in published
    assert bench in published
    with pytest.raises(BenchError):
        with_figures("nothing to replace", "new\n")
