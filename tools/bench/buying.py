"""Measures customers who log in, fill carts, order and pay."""

from functools import partial
from typing import Any

from tools.bench.browsing import medians
from tools.bench.client import Step
from tools.bench.loads import Figures, run_chains, with_processor_time
from tools.bench.server import Server
from tools.bench.steps import (
    ADD,
    BUYERS,
    LOGIN,
    ONE_CART,
    PREVIEW_OF_MANY,
    PURCHASE,
    PURCHASE_BY_VAN,
    PURCHASE_WITH_OFFERS,
    WHOLE,
    WHOLE_BY_VAN,
    WITH_OFFERS,
    with_each_product,
)
from tools.bench.targets import INSERT, MANY

WARM_SECONDS = 0.5
Shoppers = list[dict[str, Any]]


def prepared(server: Server) -> tuple[Shoppers, dict[str, Figures]]:
    """Make the customers ready; returns them, and the costs of each call."""
    made = server.call("purchases", "prepare")
    return made["shoppers"], made["calls"]


def tidied(server: Server) -> None:
    """Leave the shop in order, as its tasks would have done."""
    server.call("customers", "tidy")


def measured(
    shoppers: Shoppers, calls: dict[str, Figures], server: Server, seconds: float, rounds: int
) -> list[dict[str, Any]]:
    """Return the figures of each subject, of the calls of a purchase, and of whole orders."""
    buyers, others = shoppers[:BUYERS], shoppers[BUYERS:]
    fillers = list(with_each_product(others))
    subjects: list[tuple[str, list[Step], Shoppers, tuple[int, ...]]] = [
        (ADD.name, [ADD], fillers, (1, MANY)),
        (ONE_CART, [ADD], fillers[:: len(others)], (MANY,)),
        (WHOLE, PURCHASE, buyers, (1, MANY)),
        (WHOLE_BY_VAN, PURCHASE_BY_VAN, buyers, (1, MANY)),
        (WITH_OFFERS, PURCHASE_WITH_OFFERS, buyers, (1, MANY)),
        (PREVIEW_OF_MANY.name, [PREVIEW_OF_MANY], others, (1, MANY)),
        (LOGIN.name, [LOGIN], others, (1, MANY)),
    ]
    found: dict[tuple[str, int], list[Figures]] = {}
    for name, steps, customers, numbers in subjects:
        run_chains(server, MANY, WARM_SECONDS, steps, customers)
        turns = 0
        for _ in range(rounds):
            for connections in numbers:
                # Each time other customers.
                turns += 1
                first = turns * len(customers) // (2 * rounds + 1)
                turned = customers[first:] + customers[:first]
                # The last chains end after the time, when others have ended: of long ones that needs more.
                run = partial(run_chains, server, connections, seconds * len(steps), steps, turned)
                figures = with_processor_time(server, run)
                _note(found, name, connections, figures)
    return [
        {"subject": name, "connections": connections, "floor": INSERT} | _cost(name, calls) | medians(rows)
        for (name, connections), rows in found.items()
    ]


def _note(found: dict[tuple[str, int], list[Figures]], name: str, connections: int, figures: Figures) -> None:
    steps = figures.pop("steps")
    found.setdefault((name, connections), []).append(figures.pop("whole") | figures)
    if len(steps) > 1:
        for step, of_step in steps.items():
            found.setdefault((step, connections), []).append(of_step)


def _cost(name: str, calls: dict[str, Figures]) -> Figures:
    """Return the cost of a call alone; of a whole order, the sum of its calls' statements."""
    if name in calls:
        return calls[name]
    chains = {WHOLE: PURCHASE, WHOLE_BY_VAN: PURCHASE_BY_VAN, WITH_OFFERS: PURCHASE_WITH_OFFERS}
    steps = chains.get(name, [ADD])
    return {key: sum(calls[step.name][key] for step in steps) for key in ("statements", "of_transactions")}
