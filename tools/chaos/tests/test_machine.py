"""The shop against plain dictionaries, in small; `make chaos` makes many more steps (docs/chaos.md)."""

from decimal import Decimal
from importlib import import_module

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from commerce.orders.models import OrderLine
from commerce.orders.services import cancel
from commerce.refunds.models import OrderRefund
from commerce.shipments.services import undo
from commerce.vouchers.models import Voucher
from tools.chaos.machine.books import Wish
from tools.chaos.machine.ordering import Choice
from tools.chaos.machine.records import COMPLETED, READY
from tools.chaos.machine.steps import Shop

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
    monkeypatch.setattr(cancel, "return_vouchers", lambda uses: None)
    shop = Shop()
    code = shop.order(0, Choice({0: 2}, {}, voucher=0), False)
    checks = (
        shop.stock_is_what_the_orders_leave,
        shop.each_line_is_held_as_often_as_it_lives,
        shop.promotion_and_vouchers_are_taken_as_often_as_ordered,
    )
    for check in checks:
        check()
    shop.cancel(code)
    for check in (*checks, shop.teardown):
        with pytest.raises(AssertionError):
            check()


def test_prices_that_differ_from_the_models_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Shop()
    shop.choose_kind("bundle")
    basket = Choice({}, {0: 1, 1: 2, 2: 1}, voucher=1)
    shop.preview(0, basket, None)
    shop.placed_orders_cost_what_they_cost()
    monkeypatch.setattr(Voucher, "discount_on", lambda voucher, amount: amount / 2)
    with pytest.raises(AssertionError):
        shop.preview(1, basket, None)
    OrderLine.objects.update(discount=0)
    with pytest.raises(AssertionError):
        shop.placed_orders_cost_what_they_cost()
    with pytest.raises(AssertionError):
        shop.teardown()


def test_a_refund_that_forgets_points_or_counts_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Shop()
    shop.choose_points("payment")
    code = shop.order(0, Choice({0: 2}, {}, None, 334), False)
    shop.pay_at_gateway(code, "5", Decimal("5.00"))
    shop.run_jobs()
    shop.refund_lines(0, [Wish(0, 1)], "share", "wallet")
    checks = (shop.points_are_where_they_belong, shop.money_is_where_it_belongs)
    for check in checks:
        check()
    # The package names the function so too.
    refunds = import_module("commerce.refunds.services.refund_order")
    count = refunds._send_money

    def send_twice(refund: OrderRefund, parts: dict[int, Decimal]) -> None:
        count(refund, parts)
        count(refund, parts)

    monkeypatch.setattr(refunds, "reverse_points", lambda **kw: 0)
    monkeypatch.setattr(refunds, "_send_money", send_twice)
    shop.refund_lines(0, [Wish(0, 1, 100)], "none", "wallet")
    for check in (*checks, shop.teardown):
        with pytest.raises(AssertionError):
            check()


def test_an_undone_hand_over_is_followed_and_one_that_forgets_the_stock_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shop = Shop()
    shop.choose_points("completion")
    code = shop.order_in_store(0, Choice({1: 1}, {}), 0)
    shop.pay_from_wallet(code)
    shop.prepare(0)
    checks = (shop.stock_is_what_the_orders_leave, shop.points_are_where_they_belong)
    for minutes in (1, 15):
        shop.hand_over(0)
        shop.wait(minutes)
        shop.run_jobs()
        shop.undo_hand_over(0)
        for check in checks:
            check()
        assert shop.books.orders[0].status == (READY if minutes == 1 else COMPLETED)
    shop.teardown()

    shop = Shop()
    code = shop.order_in_store(0, Choice({1: 1}, {}), 0)
    shop.pay_from_wallet(code)
    shop.prepare(0)
    shop.hand_over(0)
    monkeypatch.setattr(undo, "undo_ship", lambda reference: 0)
    shop.undo_hand_over(0)
    for check in (shop.stock_is_what_the_orders_leave, shop.each_line_is_held_as_often_as_it_lives):
        with pytest.raises(AssertionError):
            check()
    shop.teardown()
