"""Processes killed at named points of paying, settling and refunding: others end what they began.

`make chaos ONLY=kill_points` does the same to a whole shop under load.
"""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from commerce.accounts.tests.builders import PASSWORD
from commerce.ledger.models import LedgerAccount
from commerce.ledger.services import balance_of
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order, top_up
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.sandbox.models import SandboxCharge, SandboxRefund
from commerce.payments.services import query_open_payments, request_refund, send_refunds
from commerce.payments.tests.builders import (
    audit_money,
    decide,
    make_pay_types,
    make_payment,
    pay,
    send_notice,
)
from tools.chaos.breaking.points import MYSELF, folder_of, watch

pytestmark = pytest.mark.django_db(transaction=True)

PART = Decimal(2)
# The connections of the parent, which a child must neither use nor close.
_untouched: list[object] = []


@dataclass
class Story:
    """What a process does until it is killed, and what others do afterwards."""

    act: Callable[[], object]
    go_on: Callable[[], object]


@pytest.fixture
def buyer() -> Buyer:
    make_pay_types()
    buyer = Buyer()
    top_up(buyer.customer, 500)
    return buyer


@pytest.fixture
def arm(settings: Settings, tmp_path: Path) -> Callable[[str], None]:
    settings.DATA_DIR = tmp_path
    folder_of(tmp_path).mkdir()

    def write(point: str) -> None:
        (folder_of(tmp_path) / point).write_text(MYSELF)

    return write


def is_killed_while(act: Callable[[], object]) -> bool:
    """Do something in a process of its own; returns whether it was killed in the meantime."""
    child = os.fork()
    if not child:
        try:
            for connection in connections.all():
                _untouched.append(connection.connection)
                connection.connection = None
            watch()
            act()
        finally:
            os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def clock_runs() -> None:
    """Let the jobs of the next minutes run."""
    Payment.objects.exclude(next_query_at=None).update(next_query_at=timezone.now(), queried_at=None)
    Refund.objects.exclude(next_query_at=None).update(next_query_at=timezone.now())
    query_open_payments()
    send_refunds()


def story_of(subject: str, buyer: Buyer) -> Story:
    order = make_order(buyer)
    if subject == "wallet":
        pay_all = partial(pay, buyer, order, "0", password=PASSWORD)
        return Story(pay_all, pay_all)
    if subject in {"start", "part"}:
        part = {"password": PASSWORD, "walletAmount": int(PART)} if subject == "part" else {}
        begin = partial(pay, buyer, order, "5", **part)

        def pay_at_the_gateway() -> None:
            begin()
            decide(order.payments.get(pay_type="5"))

        return Story(begin, pay_at_the_gateway)
    payment = make_payment(buyer, order)
    decide(payment)
    if subject == "settling":
        return Story(partial(send_notice, payment), clock_runs)
    send_notice(payment)
    payment.refresh_from_db()
    request_refund(payment=payment, amount=PART, reason=Refund.Reason.order_refund)
    return Story(send_refunds, clock_runs)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("subject", ["wallet", "part", "start", "settling", "refund", "refunded"])
def test_what_a_killed_process_began_is_ended_once_by_others(
    buyer: Buyer, arm: Callable[[str], None], subject: str, when: str
) -> None:
    story = story_of(subject, buyer)
    arm(f"{when} {subject}")

    assert is_killed_while(story.act)
    audit_money()
    story.go_on()
    clock_runs()

    assert Order.objects.get().status == OrderStatus.paid
    assert SandboxCharge.objects.count() == (subject != "wallet")
    assert (
        SandboxRefund.objects.count()
        == Refund.objects.filter(state="done").count()
        == subject.startswith("ref")
    )
    spent = {"wallet": Order.objects.get().pay_amount, "part": PART}.get(subject, Decimal(0))
    assert balance_of(customer=buyer.customer, kind=LedgerAccount.Kind.wallet) == 500 - spent
    audit_money()
