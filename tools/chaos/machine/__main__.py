"""Makes random steps in an empty shop: python -m tools.chaos.machine EXAMPLES STEPS.

Prints the results as JSON, for the scenario `state_machine`. A step that leaves wrong books is described on
standard error.
"""

import json
import sys

import django
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test


def main() -> None:
    """Make so many examples of so many steps; ends with an error at the first wrong one."""
    django.setup()
    from tools.chaos.machine.steps import Shop

    examples, steps = map(int, sys.argv[1:])
    run_state_machine_as_test(
        Shop,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    json.dump(Shop.made, sys.stdout)


if __name__ == "__main__":
    main()
