"""Many notices: repeated, shuffled, forged, early, late, and with other amounts than were asked for."""

import random
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Sum
from django.utils import timezone
from pytest_django import Settings

from commerce.orders.models import Order
from commerce.orders.services import expire_orders
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_order, make_stocked, nothing_changes
from commerce.payments.models import Payment, PaymentEvent, Refund
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.providers.sandbox.signing import SIGNATURE_HEADER
from commerce.payments.tests.builders import decide, make_payment, send_notice
from commerce.refused_notices.models import UnmatchedNotice
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db(transaction=True)

COPIES = 3
EACH = 2


def test_of_many_notices_each_confirmed_cent_is_counted_once_and_no_forged_one_is_accepted(
    settings: Settings,
) -> None:
    settings.MAX_UNPAID_ORDERS = settings.MAX_UNPAID_ORDERS_A_DAY = 100
    buyer, rice = Buyer(), make_stocked(100)

    def payments(number: int = EACH) -> list[Payment]:
        return [make_payment(buyer, make_order(buyer, (rice, 1))) for _ in range(number)]

    right, twice = payments(), payments()
    twice += [make_payment(buyer, payment.paid_order, "2") for payment in twice]
    wrong_amount, wrong_currency, unpaid = payments(), payments(), payments()
    canceled, expired = payments(), payments()
    early = [make_order(buyer, (rice, 1)) for _ in range(EACH)]
    with nothing_changes(but=[UnmatchedNotice]):
        for order in early:
            assert send_notice(Payment(reference=f"{order.order_no}-1")) == 200
    late = [make_payment(buyer, order) for order in early]
    for payment in canceled:
        buyer.send("PUT", f"/order/cancel/{payment.paid_order.order_no}")
    Order.objects.filter(payments__in=expired).update(expires_at=timezone.now())
    assert all(expire_orders(order_ids=[payment.paid_order.pk]) for payment in expired)

    for payment in [*right, *twice, *canceled, *expired, *late]:
        decide(payment)
    for payment in wrong_amount:
        decide(payment, amount=payment.amount - Decimal("0.01"))
    for payment in wrong_currency:
        decide(payment, currency="CNY", amount=Decimal("66.00"))

    genuine = list(Payment.objects.select_related("order"))
    # The unpaid ones claim the money of others.
    claims = {mine.pk: other for mine, other in zip(unpaid, right, strict=True)}
    notices: list[tuple[Payment, dict[str, Any]]] = [
        (payment, _claim(claims.get(payment.pk, payment))) for payment in genuine for _ in range(COPIES)
    ]
    forged = {"event": "forged", "headers": {SIGNATURE_HEADER: "0" * 64}}
    notices += [(random.choice(genuine), forged) for _ in range(len(notices) // 4)]
    random.shuffle(notices)
    assert len(notices) >= 60

    answers: Counter[tuple[bool, object]] = Counter()
    while notices:
        statuses = concurrently(lambda notice: send_notice(notice[0], **notice[1]), notices, threads=16)
        answered = list(zip(notices, statuses, strict=True))
        answers.update((notice[1] is forged, status) for notice, status in answered)
        # A gateway sends again what was answered with 503.
        notices = [notice for notice, status in answered if status == 503]

    assert {is_forged for is_forged, status in answers if status == 400} == {True}
    assert (True, 200) not in answers
    assert answers[False, 200] == len(genuine) * COPIES
    assert PaymentEvent.objects.count() == len(genuine)
    assert not PaymentEvent.objects.filter(event_id="forged").exists()

    paid = Order.objects.filter(status=OrderStatus.paid)
    assert set(paid) == {payment.paid_order for payment in [*right, *twice, *canceled, *expired, *late]}
    found = Counter(Refund.objects.values_list("reason", flat=True))
    assert found == {"paid_twice": EACH, "wrong_amount": EACH, "wrong_currency": EACH}
    confirmed = SandboxCharge.objects.filter(state="paid").order_by().values_list("currency")
    back = dict(Refund.objects.order_by().values_list("currency").annotate(Sum("amount")))
    back["AUD"] += sum(order.pay_amount for order in paid)
    assert {currency: round(total, 2) for currency, total in confirmed.annotate(Sum("amount"))} == {
        currency: round(total, 2) for currency, total in back.items()
    }
    audit()


def _claim(payment: Payment) -> dict[str, Any]:
    return {"order": payment.paid_order.order_no, "amount": str(payment.amount), "currency": payment.currency}
