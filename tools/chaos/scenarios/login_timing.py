"""Whether answers and their times reveal which accounts exist (docs/guarantees/customers.md#passwords)."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import count
from statistics import median
from typing import Any
from uuid import uuid4

from tools.chaos.crowd import API, Answer, Crowd, crowd_at
from tools.chaos.figures import Figure
from tools.chaos.limits import SETTINGS, address
from tools.chaos.shops import Shop

__all__ = ["SETTINGS", "run"]

ACCOUNTS, WARM_UPS = 200, 8
MAX_DIFFERENCE = 0.1
_WRONG = {"password": "a wrong password", "code": "000000"}
_numbers = count(1)


def run(shop: Shop) -> Iterator[Figure]:
    """Ask for codes, register, reset and log in with 200 accounts that exist and 200 that do not."""
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
        shop.run("-c", _FORGET)


# An account is sent a code once a minute.
_FORGET = """
import django
django.setup()
from commerce.rate_limits.models import RateLimitCounter
RateLimitCounter.objects.all().delete()
"""


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
        answers: dict[bool, list[Answer]] = {True: [], False: []}
        # In turns, so that whatever else slows the machine slows both.
        for pair in zip(known, unknown, strict=True):
            for is_known, account in zip((True, False), pair, strict=True):
                answers[is_known].append(await _ask(crowd, path, {**fields(), "account": account}))
    times = {is_known: median(answer.seconds for answer in each) for is_known, each in answers.items()}
    texts = {
        is_known: {(answer.status, str(answer.body)) for answer in each} for is_known, each in answers.items()
    }
    difference = abs(times[True] / times[False] - 1)
    return Figure(
        title,
        f"{len(known)} accounts that exist, {len(unknown)} that do not, in turns",
        f"medians {times[True] * 1000:.1f} and {times[False] * 1000:.1f} ms, {difference:.1%} apart; "
        f"{len(texts[True] | texts[False])} different answers",
        f"≤ {MAX_DIFFERENCE:.0%} apart, 1 answer",
        difference <= MAX_DIFFERENCE and len(texts[True] | texts[False]) == 1,
    )


async def _ask(crowd: Crowd, path: str, body: dict[str, Any]) -> Answer:
    from_elsewhere = {"X-Forwarded-For": address(next(_numbers))}
    return await crowd.call("POST", path, json=body, headers=from_elsewhere)
