"""A local server that gives the answers of a bank, valid and invalid."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Answer = Callable[[BaseHTTPRequestHandler], None]

RBA = """<?xml version="1.0" encoding="utf-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:cb="http://www.cbwiki.net/wiki/index.php/Specification_1.2/">
 <item rdf:about="#USD"><cb:statistics><cb:exchangeRate><cb:observation><cb:value>0.6512</cb:value>
  <cb:unit>AUD</cb:unit></cb:observation><cb:baseCurrency>AUD</cb:baseCurrency>
  <cb:targetCurrency>USD</cb:targetCurrency></cb:exchangeRate></cb:statistics></item>
 <item rdf:about="#CNY"><cb:statistics><cb:exchangeRate><cb:observation><cb:value>{rate}</cb:value>
  <cb:unit>AUD</cb:unit></cb:observation><cb:baseCurrency>AUD</cb:baseCurrency>
  <cb:targetCurrency>CNY</cb:targetCurrency><cb:observationPeriod><cb:frequency>daily</cb:frequency>
  <cb:period>{day}</cb:period></cb:observationPeriod></cb:exchangeRate></cb:statistics></item>
</rdf:RDF>"""
FRANKFURTER = '{{"date": "{day}", "base": "AUD", "quote": "CNY", "rate": {rate}}}'
ECB = """<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"
 xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject>
 <Cube><Cube time="{day}"><Cube currency="USD" rate="1.15"/><Cube currency="AUD" rate="1.77"/>
 <Cube currency="CNY" rate="{rate}"/></Cube></Cube></gesmes:Envelope>"""


class Bank(ThreadingHTTPServer):
    """Answers each path: `bank.answers["/rba"] = body("…")`; records the requests."""

    daemon_threads = True

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class _Handler(BaseHTTPRequestHandler):
    server: Bank

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.answers[self.path](self)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def open_bank() -> Iterator[Bank]:
    with Bank() as bank:
        Thread(target=bank.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield bank
        bank.shutdown()


def body(text: str | bytes, status: int = 200, **headers: str) -> Answer:
    """Answer with a body."""
    data = text.encode() if isinstance(text, str) else text

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    return answer


def silence(seconds: float) -> Answer:
    """Answer nothing for a while."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)

    return answer


def trickle(pause: float, times: int, chunk: bytes = b" ") -> Answer:
    """Answer a chunk again and again, and note in `asked` if all of it was read."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            for _ in range(times):
                request.wfile.write(chunk)
                request.wfile.flush()
                time.sleep(pause)
        except OSError:
            return
        request.server.asked.append("all of it")  # type: ignore[attr-defined]

    return answer


def hang_up(request: BaseHTTPRequestHandler) -> None:
    """Close the connection without an answer."""
    request.connection.close()
