"""A fake of Kuaidi100: it answers questions, takes registrations and sends notices with its signature."""

import json
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.test import Client

NEWS: dict[str, Any] = {
    "message": "ok",
    "status": "200",
    "state": "5",
    "data": [
        {"time": "2026-11-21 09:30:00", "context": "派送中"},
        {"time": "2026-11-20 18:00:00", "context": "离开悉尼"},
    ],
}
REGISTERED = {"result": True, "returnCode": "200", "message": "提交成功"}


class Provider(ThreadingHTTPServer):
    """Answers every question with `answer` and registration with `promise`; records what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        self.answer: Any = NEWS
        self.promise: Any = REGISTERED
        self.status = 200
        self.asked: list[dict[str, str]] = []
        self.registered: list[dict[str, str]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    def notice_of(self, message: Any = None, **result: Any) -> tuple[str, bytes]:
        """Return the path and the form of a notice of the parcel that was registered last.

        `message`: other fields around the result.
        """
        param = json.loads(self.registered[-1]["param"])
        last = {**NEWS, "com": param["company"], "nu": param["number"], "ischeck": "0", **result}
        around = {"status": "polling", "billstatus": "got", "message": "", "lastResult": last}
        text = json.dumps(around | (message or {}), ensure_ascii=False)
        body = signed_form(text, param["parameters"]["salt"])
        return urlsplit(param["parameters"]["callbackurl"]).path, body

    def notify(self, message: Any = None, **result: Any) -> Any:
        """Send that notice; returns the shop's answer."""
        path, body = self.notice_of(message, **result)
        return Client().post(path, body, "application/x-www-form-urlencoded")


def signed_form(param: str, salt: str) -> bytes:
    """Return the form of a notice, signed as the provider signs it."""
    sign = md5((param + salt).encode(), usedforsecurity=False).hexdigest().upper()
    return urlencode({"sign": sign, "param": param}).encode()


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        is_question = self.path.endswith("/query.do")
        sent = self.server.asked if is_question else self.server.registered
        sent.append({name: value for name, [value] in form.items()})
        body = self.server.answer if is_question else self.server.promise
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        pass
