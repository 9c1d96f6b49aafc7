"""Random steps of customers, staff, gateway and clock against plain dictionaries (docs/chaos.md)."""

import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tools.chaos.figures import Figure, ScenarioError
from tools.chaos.shops import Shop, shop_of

EXAMPLES, STEPS = int(os.environ.get("MACHINE_EXAMPLES", "500")), 50
KINDS = (
    "orders",
    "paid",
    "in parts",
    "canceled",
    "sent",
    "disputes",
    "disputes won",
    "debts",
    "refunded by staff",
    "refunds",
    "refunds sent again",
    "top-ups paid",
    "in the promotion",
    "with a gift",
    "with a voucher",
    "with points",
)
PROCESSES = min(os.cpu_count() or 1, EXAMPLES)


def run(shop: Shop) -> Iterator[Figure]:
    """Let each processor make its share of the examples in an emptied shop of its own."""
    started = time.monotonic()
    made: Counter[str] = Counter()
    wrong = []
    with ExitStack() as stack, ThreadPoolExecutor(PROCESSES) as pool:
        folders = [shop.folder.with_name(f"{shop.folder.name}-{number}") for number in range(PROCESSES)]
        shops = [stack.enter_context(shop_of(shop.engine, folder)) for folder in folders]
        shares = [len(range(number, EXAMPLES, PROCESSES)) for number in range(PROCESSES)]
        for outcome in pool.map(_made, shops, shares):
            if isinstance(outcome, str):
                wrong.append(outcome)
            else:
                made += outcome
    seconds = time.monotonic() - started
    found = ", ".join(f"{made[name]} {name}" for name in KINDS)
    yield Figure(
        "random steps against a model of the books",
        f"{EXAMPLES} examples of {STEPS} steps, {made['steps']} comparisons, {seconds:.0f} s",
        "; ".join(wrong) or f"equal to the model after each step, and the audit at the end: {found}",
        "books equal to the model, a clean audit",
        not wrong and made["steps"] >= EXAMPLES * STEPS / 2 and made["refunded by staff"] > 0,
    )


def _made(shop: Shop, examples: int) -> Counter[str] | str:
    """Make examples in a shop; returns what they made, or what went wrong."""
    shop.manage("flush", "--no-input")
    try:
        module = "tools.chaos.machine.steps"
        return Counter(shop.do("make_steps", str(examples), str(STEPS), module=module))
    except ScenarioError as error:
        (shop.folder / "wrong.txt").write_text(str(error), "utf-8")
        return f"see {shop.folder / 'wrong.txt'}"
