"""Whether answers and their times reveal which accounts exist (docs/guarantees/customers.md#passwords)."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from statistics import median
from typing import Any
from uuid import uuid4

from tools.chaos.crowd import API, Answer, Crowd, crowd_at
from tools.chaos.figures import Figure
from tools.chaos.limits import SETTINGS, address
from tools.chaos.shops import Shop

__all__ = ["SETTINGS", "run"]

# Of so many rounds of 200 accounts the middle one counts: other programs may slow one kind of account more.
ROUNDS = 3
ACCOUNTS, WARM_UPS = ROUNDS * 200, 8
MAX_DIFFERENCE = 0.1
_WRONG = {"password": "a wrong password", "code": "000000"}
_numbers = count(1)


def run(shop: Shop) -> Iterator[Figure]:
    """Ask for codes, register, reset and log in with 600 accounts that exist and 600 that do not."""
    shop.start()
    # Two times codes are asked for.
    made = shop.prepare(customers=ACCOUNTS, tickets=2 * (WARM_UPS + 2 * ACCOUNTS))
    known = [buyer["account"] for buyer in made["buyers"]]
    unknown = [f"{uuid4().hex}@example.com" for _ in known]
    tickets = iter(made["tickets"])

    def code_for(purpose: str) -> Callable[[], dict[str, Any]]:
        return lambda: {"purpose": purpose, "ticket": next(tickets)}

    # A code has been sent wherever one is tried.
    for title, path, fields in (
        ("a code to register is asked for", "sendCode", code_for("register")),
        ("a visitor registers with a wrong code", "register", lambda: _WRONG),
        ("a code for a new password is asked for", "sendCode", code_for("reset")),
        ("a password is set with a wrong code", "resetPassword", lambda: _WRONG),
        ("a visitor logs in with a wrong password", "login", lambda: _WRONG),
    ):
        where = f"{API}/common/{path}" if path == "sendCode" else f"{API}/{path}"
        yield asyncio.run(_compare(shop, title, where, fields, known, unknown))
        # An account is sent a code once a minute.
        shop.engine.write(shop.folder, "DELETE FROM rate_limits_ratelimitcounter")


async def _compare(
    shop: Shop,
    title: str,
    path: str,
    fields: Callable[[], dict[str, Any]],
    known: list[str],
    unknown: list[str],
) -> Figure:
    async with crowd_at(shop) as crowd:
        # The first calls of a process load what the others find.
        for _ in range(WARM_UPS):
            await _ask(crowd, path, {**fields(), "account": f"{uuid4().hex}@example.com", "ticket": ""})
        pairs = []
        # Each account first in turn, so that whatever else slows the machine slows both.
        for number, accounts in enumerate(zip(known, unknown, strict=True)):
            order = (0, 1) if number % 2 else (1, 0)
            answers = {
                which: await _ask(crowd, path, {**fields(), "account": accounts[which]}) for which in order
            }
            pairs.append((answers[0], answers[1]))
    return compared(title, pairs)


def compared(title: str, pairs: Sequence[tuple[Answer, Answer]]) -> Figure:
    """Compare the answers for accounts that exist with those for others; the middle of the rounds counts."""
    medians = []
    for number in range(ROUNDS):
        known, unknown = (
            median(answer.seconds for answer in each) for each in zip(*pairs[number::ROUNDS], strict=True)
        )
        medians.append((max(known, unknown) / min(known, unknown) - 1, known, unknown))
    difference, known, unknown = sorted(medians)[ROUNDS // 2]
    texts = {(answer.status, str(answer.body)) for pair in pairs for answer in pair}
    return Figure(
        title,
        f"{len(pairs)} accounts that exist, {len(pairs)} that do not, in turns",
        f"medians {known * 1000:.1f} and {unknown * 1000:.1f} ms, {difference:.1%} apart; "
        f"{len(texts)} different answers",
        f"≤ {MAX_DIFFERENCE:.0%} apart, 1 answer",
        difference <= MAX_DIFFERENCE and len(texts) == 1,
    )


async def _ask(crowd: Crowd, path: str, body: dict[str, Any]) -> Answer:
    from_elsewhere = {"X-Forwarded-For": address(next(_numbers))}
    return await crowd.call("POST", path, json=body, headers=from_elsewhere)
