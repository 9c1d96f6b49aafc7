"""The shop against plain dictionaries, in small; `make storm` makes many more steps (docs/storms.md)."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from commerce.orders.services import cancel
from config.storm.machine.steps import Shop

pytestmark = pytest.mark.django_db

FEW = settings(
    max_examples=2,
    stateful_step_count=10,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def test_a_few_steps_of_everybody_leave_the_books_as_they_should_be() -> None:
    run_state_machine_as_test(Shop, settings=FEW)


def test_a_service_that_forgets_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cancel, "release", lambda references: 0)
    shop = Shop()
    code = shop.order(0, ({0: 2}, 0), False)
    shop.stock_is_what_the_orders_leave()
    shop.cancel(code)
    with pytest.raises(AssertionError):
        shop.stock_is_what_the_orders_leave()
    with pytest.raises(AssertionError):
        shop.the_books_agree()
    with pytest.raises(AssertionError):
        shop.teardown()
