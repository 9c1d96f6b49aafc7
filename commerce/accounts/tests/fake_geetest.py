"""A fake of GeeTest's server side: a local server that answers whether a captcha was solved."""

import hmac
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

CAPTCHA_ID, KEY = "0123456789abcdef", "EXAMPLE-CAPTCHA-KEY"
LOT = "4dc3cfc2cdff448cad8d13107198d473"
SUCCESS: dict[str, Any] = {"status": "success", "result": "success", "reason": "", "captcha_args": {}}
FAIL = SUCCESS | {"result": "fail", "reason": "pass_token expire"}
REFUSED = {"status": "error", "code": "-50005", "msg": "illegal gen_time", "desc": {"type": "defined error"}}


def solved(lot_number: str = LOT) -> dict[str, str]:
    """Return what GeeTest gives a browser, with a lot number."""
    return {
        "lot_number": lot_number,
        "captcha_output": "xs7VXiVwYnm5w==",
        "pass_token": "2bbb",
        "gen_time": "1767225600",
    }


class FakeGeetest(ThreadingHTTPServer):
    """Answers with `answer` and `status` after `seconds`; records the paths and forms that it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        self.answer: Any = SUCCESS
        self.status = 200
        self.seconds = 0.0
        self.location = ""
        self.asked: list[tuple[str, dict[str, str]]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        """The address that the shop asks."""
        return f"http://127.0.0.1:{self.server_port}/validate"


class _Handler(BaseHTTPRequestHandler):
    server: FakeGeetest

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        form = {name: value for name, [value] in sent.items()}
        self.server.asked.append((self.path, form))
        time.sleep(self.server.seconds)
        answer, status = self.server.answer, self.server.status
        signature = hmac.digest(KEY.encode(), form["lot_number"].encode(), "sha256").hex()
        is_ours = parse_qs(urlsplit(self.path).query) == {"captcha_id": [CAPTCHA_ID]}
        if not is_ours or form["sign_token"] != signature:
            answer = {"status": "error", "code": "-50102", "msg": "illegal captcha_id"}
        self.send_response(status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.end_headers()
        self.wfile.write(answer if isinstance(answer, bytes) else json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def open_geetest() -> Iterator[FakeGeetest]:
    """Open the fake until the block ends."""
    with FakeGeetest() as fake:
        Thread(target=fake.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield fake
        fake.shutdown()
