"""Makes random steps in an empty shop, for the scenario `state_machine`."""

from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tools.chaos.machine.steps import Shop


def make_steps(examples: str, steps: str) -> Counter[str]:
    """Make so many examples of so many steps; return what they made.

    The first step that leaves wrong books is described on standard error and raises an error.
    """
    run_state_machine_as_test(
        Shop,
        settings=settings(
            max_examples=int(examples),
            stateful_step_count=int(steps),
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return Shop.made
