"""Measures whether answer times reveal that an account exists: login, codes, registration and reset.

Known and unknown accounts take turns over one connection, each with a network of its own.
"""

import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from tools.bench.catalogues import BenchError, Catalogue
from tools.bench.client import HOST, Connection
from tools.bench.loads import run_module
from tools.bench.server import environment_of, serving

ANSWERS = 200
WARM = 20
# Of so many the middle one counts: other programs on the machine may hit one kind of account more.
ROUNDS = 3
API = "/api/v1/pc"
# The limits of a network are separated by the client's claimed address.
RAISED = {"TRUSTED_PROXIES": "1", "CODES_PER_DAY": "1000000"}
KNOWN, UNKNOWN = "known", "unknown"
_CODE = '"code": "000000", "password": "a long and unusual one"'


@dataclass(frozen=True)
class Call:
    """A call for an account; `reason` is what it answers, empty for a success. `group`: which accounts."""

    name: str
    path: str
    body: str
    reason: str
    group: int


# A wrong code is compared with one that was sent before.
CALLS = (
    Call("login, wrong password", "/login", '"password": "888887"', "account_or_password_wrong", 0),
    Call("sendCode, register", "/common/sendCode", '"purpose": "register", "ticket": "%s"', "", 1),
    Call("register, wrong code", "/register", _CODE, "verification_code_error", 1),
    Call("sendCode, reset", "/common/sendCode", '"purpose": "reset", "ticket": "%s"', "", 2),
    Call("resetPassword, wrong code", "/resetPassword", _CODE, "verification_code_error", 2),
)
_GROUPS = 3


def measured(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return for each call the median times of known and unknown accounts, of the middle round.

    Raises BenchError.
    """
    with serving(catalogue, more=RAISED) as server:
        environment = environment_of(catalogue, server.port) | RAISED | {"LOG_LEVEL": "ERROR"}
        number = str(_GROUPS * ROUNDS * (ANSWERS + WARM))
        made = json.loads(run_module("tools.bench.accounts", number, environment=environment))
        client = _Client(Connection(server.port), iter(made["tickets"]))
        found = []
        for call in CALLS:
            pairs = list(zip(made[KNOWN], made[UNKNOWN], strict=True))[call.group :: _GROUPS]
            rounds = [
                compared(call.name, [*client.turns(call, pairs[number::ROUNDS])][2 * WARM :])
                for number in range(ROUNDS)
            ]
            found.append(sorted(rounds, key=itemgetter("ratio"))[ROUNDS // 2])
        run_module("tools.bench.accounts", environment=environment)
    return found


def compared(name: str, times: list[tuple[str, float]]) -> dict[str, Any]:
    """Return the medians of the seconds that answers took, by kind of account, and how much they differ."""
    known, unknown = (
        statistics.median(seconds for kind, seconds in times if kind == wanted) * 1000
        for wanted in (KNOWN, UNKNOWN)
    )
    return {
        "subject": name,
        "answers": len(times) // 2,
        "known_ms": round(known, 2),
        "unknown_ms": round(unknown, 2),
        "ratio": round(max(known, unknown) / min(known, unknown), 3),
    }


@dataclass
class _Client:
    connection: Connection
    tickets: Iterator[str]
    networks: int = 0

    def turns(self, call: Call, pairs: list[tuple[str, str]]) -> Iterator[tuple[str, float]]:
        """Send a call for each account of each pair, once this one first and once that one."""
        for number, (known, unknown) in enumerate(pairs):
            turn = [(KNOWN, known), (UNKNOWN, unknown)]
            for kind, account in turn if number % 2 else reversed(turn):
                yield kind, self._seconds(call, account)

    def _seconds(self, call: Call, account: str) -> float:
        """Send a call; returns how long its answer took. Raises BenchError for an answer not expected."""
        rest = call.body % next(self.tickets) if "%s" in call.body else call.body
        body = f'{{"account": "{account}", {rest}}}'
        self.networks += 1
        network = f"10.{self.networks >> 16}.{self.networks >> 8 & 255}.{self.networks & 255}"
        head = (
            f"POST {API}{call.path} HTTP/1.1\r\nHost: {HOST}:{self.connection.port}\r\n"
            f"X-Forwarded-For: {network}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        )
        self.connection.ask(f"{head}\r\n{body}".encode())
        status = None
        while status is None:
            status = self.connection.read()
        seconds = time.perf_counter() - self.connection.sent_at
        answer = self.connection.answer() or {}
        if (status, answer.get("reason", "")) != (200, call.reason):
            raise BenchError(f"{call.name}: {status} {str(answer)[:200]}")
        return seconds
