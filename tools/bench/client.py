"""Sends requests over keep-alive connections as fast as they are answered; runs as a process of its own.

    client.py < {"port", "connections", "seconds", "requests": [text, …], "whole"} > {"requests", "p50_ms", …}

Uses only the standard library, so that it starts immediately and needs little of the machine.
"""

import gzip
import json
import re
import selectors
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from typing import Any

HOST = "127.0.0.1"
# It ends after this time, however slow the answers are.
MAX_SECONDS = 60.0
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_GZIP = re.compile(rb"\r\ncontent-encoding: *gzip", re.IGNORECASE)
_HEAD_END = b"\r\n\r\n"
_CHUNKS_END = b"0\r\n\r\n"


class Connection:
    """One connection with one request under way."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port), timeout=MAX_SECONDS)
        self.port = port
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sent_at = 0.0
        self._answer = b""

    def ask(self, request: bytes) -> None:
        """Send a request."""
        self._answer = b""
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)

    def read(self) -> int | None:
        """Read what has arrived; returns the status of a complete answer. Raises OSError if it is lost."""
        part = self.socket.recv(1 << 18)
        if not part:
            raise ConnectionResetError("the server closed the connection")
        self._answer += part
        end = self._answer.find(_HEAD_END)
        if end < 0:
            return None
        length = _LENGTH.search(self._answer, 0, end + 2)
        whole = (
            len(self._answer) >= end + len(_HEAD_END) + int(length[1])
            if length
            else self._answer.endswith(_CHUNKS_END)
        )
        return int(self._answer[9:12]) if whole else None

    def answer(self) -> Any:
        """Return the JSON of the complete answer, which has a length; None for anything else."""
        head, _, body = self._answer.partition(_HEAD_END)
        try:
            return json.loads(gzip.decompress(body) if _GZIP.search(head) else body)
        except ValueError:
            return None


def load(
    port: int, connections: int, seconds: float, requests: list[bytes], whole: bool = False
) -> dict[str, Any]:
    """Send requests in turn for `seconds`, if `whole` each at least once; returns counts and latencies."""
    waiting: Iterator[bytes] = cycle(requests)
    statuses: Counter[int] = Counter()
    latencies: list[float] = []
    minimum = len(requests) if whole else 0
    started = time.perf_counter()
    with selectors.DefaultSelector() as selector:
        for _ in range(connections):
            connection = Connection(port)
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            connection.ask(next(waiting))
        under_way = connections
        while under_way:
            for key, _events in selector.select(MAX_SECONDS):
                connection = key.data
                status = connection.read()
                if status is None:
                    continue
                now = time.perf_counter()
                latencies.append(now - connection.sent_at)
                statuses[status] += 1
                age = now - started
                if age < seconds or (len(latencies) + under_way <= minimum and age < MAX_SECONDS):
                    connection.ask(next(waiting))
                else:
                    under_way -= 1
                    selector.unregister(connection.socket)
                    connection.socket.close()
    took = time.perf_counter() - started
    return figures(latencies, took) | {"failed": len(latencies) - statuses[200]}


def figures(latencies: list[float], took: float) -> dict[str, Any]:
    """Return how many answers there were in some seconds, and how long they took."""
    ordered = sorted(latencies)

    def milliseconds(share: float) -> float:
        return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000, 2) if ordered else 0.0

    return {
        "requests": len(ordered),
        "per_second": round(len(ordered) / took, 1),
        "p50_ms": milliseconds(0.5),
        "p95_ms": milliseconds(0.95),
        "p99_ms": milliseconds(0.99),
        "max_ms": milliseconds(1.0),
    }


def main() -> None:
    """Read the options from stdin, send the requests, print the figures."""
    options = json.load(sys.stdin)
    options["requests"] = [request.encode() for request in options["requests"]]
    json.dump(load(**options), sys.stdout)


if __name__ == "__main__":
    main()
