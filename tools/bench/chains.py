"""Runs chains of calls, in which one answer feeds the next call, as fast as they are answered.

    python -m tools.bench.chains < {"port", "connections", "seconds", "steps", "shoppers"} > {"whole", …}

Each connection runs whole chains, each for the next shopper. An answer whose code is not 0 ends its chain: it
is a failure, unless the shop is too busy just now, which is counted apart. Uses only the standard library, as
`tools.bench.client` does, and is a process of its own.
"""

import json
import selectors
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from tools.bench.client import HOST, MAX_SECONDS, Connection, figures

# The shop's answer to requests that would wait too long for a thread.
BUSY = "shop_busy"
# Failures of which the answer is reported.
MAX_EXAMPLES = 3


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


class Chain:
    """The chains of one connection, one after the other."""

    def __init__(self, connection: Connection, steps: list[Step], shoppers: Iterator[dict[str, Any]]) -> None:
        self.connection = connection
        self._steps = steps
        self._shoppers = shoppers
        self._host = f"{HOST}:{connection.port}"
        self._number = 0
        self._values: dict[str, Any] = {}
        self.began_at = 0.0

    def begin(self) -> None:
        """Send the first call of a chain for the next shopper."""
        self._values = dict(next(self._shoppers))
        self._number = 0
        self._send()
        self.began_at = self.connection.sent_at

    def go_on(self) -> bool:
        """Send the next call, with what the last answer gave; False where that was the last of the chain."""
        step = self.step
        if step.keeps:
            self._values[step.keeps] = self.connection.answer()["result"][step.keeps]
        self._number += 1
        if self._number == len(self._steps):
            return False
        self._send()
        return True

    @property
    def step(self) -> Step:
        """The call that is under way."""
        return self._steps[self._number]

    def _send(self) -> None:
        self.connection.ask(self.step.request(self._values, self._host))


def run_chains(
    port: int, connections: int, seconds: float, steps: list[Step], shoppers: list[dict[str, Any]]
) -> dict[str, Any]:
    """Run chains for `seconds`, each connection at least one; returns the figures of chains and of calls.

    A chain that has begun is ended, so that no order is left without its payment.
    """
    waiting: Iterator[dict[str, Any]] = cycle(shoppers)
    whole: list[float] = []
    of_step: dict[str, list[float]] = {step.name: [] for step in steps}
    failures: list[str] = []
    busy = 0
    started = time.perf_counter()
    with selectors.DefaultSelector() as selector:
        for _ in range(connections):
            chain = Chain(Connection(port), steps, waiting)
            selector.register(chain.connection.socket, selectors.EVENT_READ, chain)
            chain.begin()
        under_way = connections
        while under_way:
            for key, _events in selector.select(MAX_SECONDS):
                chain = key.data
                status = chain.connection.read()
                if status is None:
                    continue
                now = time.perf_counter()
                of_step[chain.step.name].append(now - chain.connection.sent_at)
                answer = chain.connection.answer()
                if answer and answer.get("reason") == BUSY:
                    busy += 1
                elif status != 200 or not answer or answer.get("code") != 0:
                    failures.append(f"{chain.step.name}: {status} {str(answer)[:200]}")
                elif chain.go_on():
                    continue
                else:
                    whole.append(now - chain.began_at)
                if now - started < seconds:
                    chain.begin()
                else:
                    under_way -= 1
                    selector.unregister(chain.connection.socket)
                    chain.connection.socket.close()
    took = time.perf_counter() - started
    return {
        "whole": figures(whole, took),
        "steps": {name: figures(latencies, took) for name, latencies in of_step.items()},
        "busy": busy,
        "failed": len(failures),
        "examples": failures[:MAX_EXAMPLES],
    }


def main() -> None:
    """Read the options from stdin, run the chains, print the figures."""
    options = json.load(sys.stdin)
    options["steps"] = [Step(**step) for step in options["steps"]]
    json.dump(run_chains(**options), sys.stdout)


if __name__ == "__main__":
    main()
