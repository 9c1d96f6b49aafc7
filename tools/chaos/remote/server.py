"""The provider itself: a server of charges that can hang."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tools.chaos.engines import HOST


class Provider:
    """Its charges by reference; a charge is opened once, however often it is asked for."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.charges: dict[str, dict[str, Any]] = {}
        self.calls = 0
        self._lock = threading.Lock()
        self._answers = threading.Event()
        self._answers.set()

    def hang(self, seconds: float) -> None:
        """Take every request from now on, and answer none for some seconds."""
        self._answers.clear()
        threading.Timer(seconds, self._answers.set).start()

    @property
    def is_hanging(self) -> bool:
        """Whether it answers no request now."""
        return not self._answers.is_set()

    def open(self, charge: dict[str, Any]) -> dict[str, Any]:
        """Open a charge, or return the one that is open."""
        with self._lock:
            return self.charges.setdefault(charge["reference"], charge | {"is_paid": False})

    def collect(self) -> None:
        """Let every customer pay."""
        for charge in self.charges.values():
            charge["is_paid"] = True

    def wait(self) -> None:
        """Return when it answers again."""
        self.calls += 1
        self._answers.wait()


@contextmanager
def provider_at_work() -> Iterator[Provider]:
    """Run a provider on a free port of the loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            charge = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            # It knows of the charge before it hangs, so the shop has begun more than it knows.
            opened = provider.open(charge)
            provider.wait()
            self._answer(200, {"url": f"{provider.url}/pay/{opened['reference']}"})

        def do_GET(self) -> None:
            provider.wait()
            charge = provider.charges.get(self.path.rpartition("/")[2])
            self._answer(200 if charge else 404, charge or {})

        def _answer(self, status: int, body: dict[str, Any]) -> None:
            sent = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Print nothing about a shop that did not wait for its answer."""

    with Server((HOST, 0), Handler) as server:
        provider = Provider(f"http://{HOST}:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
