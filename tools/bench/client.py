"""Sends requests over keep-alive connections as fast as they are answered; runs as a process of its own.

    python -m tools.bench.client < {"port", "connections", "seconds", "requests", "whole"} > {"requests", …}
    python -m tools.bench.client < {"port", "connections", "seconds", "steps", "shoppers"} > {"whole", …}

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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Protocol

HOST = "127.0.0.1"
# It ends after this time, however slow the answers are.
MAX_SECONDS = 60.0
# The shop's answer to requests that would wait too long for a thread.
BUSY = "shop_busy"
# Failures of which the answer is reported.
MAX_EXAMPLES = 3
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


@dataclass(frozen=True)
class Step:
    """One call of a chain.

    `path` and `body` have `%(name)s` where a value of the shopper belongs, or one that an earlier answer had;
    a call without a body is a GET. `keeps`: what of its result the later calls need.
    """

    name: str
    path: str
    body: str = ""
    keeps: str = ""

    def request(self, values: dict[str, Any], host: str) -> bytes:
        """Return the call as it goes over the wire."""
        # ASCII has as many characters as bytes.
        body = self.body % values
        head = f"{self.method} {self.path % values} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"{head}token: {values.get('token', '')}\r\n\r\n{body}".encode()

    @property
    def method(self) -> str:
        """The method of the call."""
        return "POST" if self.body else "GET"


class Visitor(Protocol):
    """The user of one connection, who makes one visit after the other."""

    connection: Connection

    def begin(self) -> None:
        """Send the first request of a visit."""

    def go_on(self, status: int, now: float) -> bool:
        """Take a complete answer; return True if the visit has sent another request."""


def _visit(visitors: Sequence[Visitor], begins_again: Callable[[float], bool]) -> float:
    """Let each visitor make visits, at least one; return the seconds that all of them took.

    `begins_again`: returns True if another visit begins so many seconds after the first.
    """
    started = time.perf_counter()
    with selectors.DefaultSelector() as selector:
        for visitor in visitors:
            selector.register(visitor.connection.socket, selectors.EVENT_READ, visitor)
            visitor.begin()
        under_way = len(visitors)
        while under_way:
            for key, _events in selector.select(MAX_SECONDS):
                visitor = key.data
                status = visitor.connection.read()
                if status is None:
                    continue
                now = time.perf_counter()
                if visitor.go_on(status, now):
                    continue
                if begins_again(now - started):
                    visitor.begin()
                else:
                    under_way -= 1
                    selector.unregister(visitor.connection.socket)
                    visitor.connection.socket.close()
    return time.perf_counter() - started


@dataclass
class _Asker:
    """Sends single requests; all of a load share the requests and what became of them."""

    connection: Connection
    waiting: Iterator[bytes]
    latencies: list[float]
    statuses: Counter[int]

    def begin(self) -> None:
        self.connection.ask(next(self.waiting))

    def go_on(self, status: int, now: float) -> bool:
        self.latencies.append(now - self.connection.sent_at)
        self.statuses[status] += 1
        return False


def load(
    port: int, connections: int, seconds: float, requests: list[bytes], whole: bool = False
) -> dict[str, Any]:
    """Send requests in turn for `seconds`, if `whole` each at least once; returns counts and latencies."""
    waiting, latencies, statuses = cycle(requests), list[float](), Counter[int]()
    askers = [_Asker(Connection(port), waiting, latencies, statuses) for _ in range(connections)]
    minimum = len(requests) if whole else 0

    def begins_again(age: float) -> bool:
        return age < seconds or (len(latencies) + connections <= minimum and age < MAX_SECONDS)

    took = _visit(askers, begins_again)
    return figures(latencies, took) | {"failed": len(latencies) - statuses[200]}


class _Chains:
    """What became of all chains."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.whole: list[float] = []
        self.of_step: dict[str, list[float]] = {step.name: [] for step in steps}
        self.failures: list[str] = []
        self.busy = 0


class _Shopper:
    """Makes chains of calls on one connection, each for the next shopper.

    An answer feeds the next call. One whose code is not 0 ends its chain: it is a failure, unless the shop is
    too busy just now, which is counted apart.
    """

    def __init__(self, connection: Connection, shoppers: Iterator[dict[str, Any]], chains: _Chains) -> None:
        self.connection = connection
        self._shoppers = shoppers
        self._chains = chains
        self._number = 0
        self._values: dict[str, Any] = {}
        self._began_at = 0.0

    def begin(self) -> None:
        self._values = dict(next(self._shoppers))
        self._number = 0
        self._send()
        self._began_at = self.connection.sent_at

    def go_on(self, status: int, now: float) -> bool:
        chains, step = self._chains, self._chains.steps[self._number]
        chains.of_step[step.name].append(now - self.connection.sent_at)
        answer = self.connection.answer()
        if answer and answer.get("reason") == BUSY:
            chains.busy += 1
            return False
        if status != 200 or not answer or answer.get("code") != 0:
            chains.failures.append(f"{step.name}: {status} {str(answer)[:200]}")
            return False
        if step.keeps:
            self._values[step.keeps] = answer["result"][step.keeps]
        self._number += 1
        if self._number == len(chains.steps):
            chains.whole.append(now - self._began_at)
            return False
        self._send()
        return True

    def _send(self) -> None:
        host = f"{HOST}:{self.connection.port}"
        self.connection.ask(self._chains.steps[self._number].request(self._values, host))


def run_chains(
    port: int, connections: int, seconds: float, steps: list[Step], shoppers: list[dict[str, Any]]
) -> dict[str, Any]:
    """Run chains for `seconds`, each connection at least one; returns the figures of chains and of calls.

    A chain that has begun is ended, so that no order is left without its payment.
    """
    chains, waiting = _Chains(steps), cycle(shoppers)
    visitors = [_Shopper(Connection(port), waiting, chains) for _ in range(connections)]
    took = _visit(visitors, lambda age: age < seconds)
    return {
        "whole": figures(chains.whole, took),
        "steps": {name: figures(latencies, took) for name, latencies in chains.of_step.items()},
        "busy": chains.busy,
        "failed": len(chains.failures),
        "examples": chains.failures[:MAX_EXAMPLES],
    }


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
    """Read the options from stdin, send what they have, print the figures."""
    options = json.load(sys.stdin)
    if "steps" in options:
        options["steps"] = [Step(**step) for step in options["steps"]]
        json.dump(run_chains(**options), sys.stdout)
    else:
        options["requests"] = [request.encode() for request in options["requests"]]
        json.dump(load(**options), sys.stdout)


if __name__ == "__main__":
    main()
