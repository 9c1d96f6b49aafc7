"""A shop of the release before is upgraded while customers buy (docs/production.md#upgrades)."""

import asyncio
import os
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tools.chaos.crowd import BUSY, Crowd, crowd_at, repeating, run_concurrently
from tools.chaos.figures import Figure
from tools.chaos.release import check_out_release_before, take_migrations_of_today
from tools.chaos.shops import Shop

BUYERS, SECONDS = 6, 15
BROWSED = ("/home", "/zh-hans/shop", "/api/v1/pc/home/classify")
# Some tests have so many threads that more processes would take all connections of the scenario's server.
TEST_PROCESSES, TEST_SECONDS = 2, 1800
# Judges the shape of the tables by the models, which the old code does not know.
LEFT_OUT = "site/tests/test_indexes.py"
_PASSED, _FAILED = re.compile(r"(\d+) passed"), re.compile(r"(\d+) (?:failed|error)")

_APPLIED = re.compile(r"Applying (\S+?)\.{3} OK")

Paid = list[tuple[dict[str, Any], str]]


def run(shop: Shop) -> Iterator[Figure]:
    """Migrate a shop in use, go on with its old code, then with the new; at last run the old code's tests."""
    code = shop.folder / "release"
    name = check_out_release_before(code)
    shop.engine.create(shop.folder)
    before = Shop(shop.engine, shop.folder, code)
    before.manage("load_demo", "--migrate")
    before.start()
    paid: Paid = []
    made = before.prepare(customers=BUYERS, codes=500, products=1, units=100_000, dollars=100_000)
    yield from _buy_during(before, made, paid, f"{name} as it was")
    applied: list[str] = []
    yield from _buy_during(
        before,
        made,
        paid,
        f"{name} while migrations run",
        lambda: applied.extend(_APPLIED.findall(shop.manage("migrate"))),
    )
    yield Figure(
        f"{name} while migrations run", "migrate", f"applied {applied}", "at least one", bool(applied)
    )
    yield from _buy_during(before, made, paid, f"{name} after the migrations")
    before.stop()
    shop.start()
    yield from _buy_during(shop, made, paid, "the new code")
    yield asyncio.run(_read(shop, paid))
    # Its connections and those of tests with many threads are more than the scenario's server gives.
    shop.stop()
    # The audit follows the long tests, and the jobs of the shop have stopped.
    shop.do("notify_due", module="commerce.notifications.services")
    take_migrations_of_today(code)
    yield _tests(before, name)


def _buy_during(
    shop: Shop,
    made: dict[str, Any],
    paid: Paid,
    fault: str,
    work: Callable[[], object] = lambda: None,
) -> Iterator[Figure]:
    """Buy and browse while some work is done, and for some seconds more; adds the paid orders to `paid`."""
    outcomes, looks = asyncio.run(_buy_and_look(shop, made, paid, work))
    yield Figure(
        fault,
        f"{outcomes.total()} purchases of {BUYERS} buyers",
        f"{dict(outcomes)}",
        "ok, or busy",
        outcomes["ok"] > 0 and not outcomes.keys() - BUSY - {"ok"},
    )
    yield Figure(
        fault,
        f"{len(looks.answers)} looks at {', '.join(BROWSED)}",
        f"{looks.faults()} faults, slowest {looks.slowest(1):.1f} s",
        "0 faults",
        not looks.faults(),
    )


async def _buy_and_look(
    shop: Shop, made: dict[str, Any], paid: Paid, work: Callable[[], object]
) -> tuple[Counter[str], Crowd]:
    outcomes: Counter[str] = Counter()
    [product] = made["products"]
    async with crowd_at(shop) as crowd, crowd_at(shop) as looks, repeating(lambda: looks.look(BROWSED)):
        working = asyncio.create_task(asyncio.to_thread(work))
        until = time.monotonic() + SECONDS

        async def buy(buyer: dict[str, Any]) -> None:
            while buyer["codes"] and not (working.done() and time.monotonic() > until):
                order_no, outcome = await crowd.buy(buyer, product, buyer["codes"].pop())
                outcomes[outcome] += 1
                if outcome == "ok":
                    paid.append((buyer, order_no))

        await run_concurrently(buy, made["buyers"])
        await working
    return outcomes, looks


async def _read(shop: Shop, paid: Paid) -> Figure:
    """Read each paid order with the new code."""
    async with crowd_at(shop) as crowd:
        details = await run_concurrently(lambda each: crowd.order_detail(*each), paid, width=8)
    found = Counter(str(detail["statusLabel"]) for detail in details)
    return Figure(
        "the new code",
        f"{len(paid)} orders that were paid before and after",
        f"{dict(found)}",
        "all paid",
        found == Counter(Paid=len(paid)),
    )


def _tests(shop: Shop, name: str) -> Figure:
    """Run the tests of the shop's own code that use the database, on its engine, for half an hour at most."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    chosen = ["-m", "not browser", "--second-database", f"--ignore={LEFT_OUT}"]
    done = subprocess.run(
        [".venv/bin/pytest", "-q", "-n", str(TEST_PROCESSES), *chosen],
        cwd=shop.code,
        env=kept | shop.engine.of_tests(shop.folder),
        capture_output=True,
        text=True,
        timeout=TEST_SECONDS,
    )
    (shop.folder / "tests.log").write_text(done.stdout + done.stderr, "utf-8")
    passed, failed = (sum(map(int, pattern.findall(done.stdout[-500:]))) for pattern in (_PASSED, _FAILED))
    return Figure(
        f"the tests of {name}",
        "all that use the database, after the migrations",
        f"{passed} passed, {failed} failed",
        "0 failed",
        passed > 0 and not failed and done.returncode == 0,
    )
