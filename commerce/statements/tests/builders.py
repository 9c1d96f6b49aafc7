"""Builders of providers' lists for tests, at the sandbox gateway."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.utils import timezone

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.sandbox.models import SandboxCharge, SandboxRefund
from commerce.payments.services import send_refunds
from commerce.payments.services.refunds import request_refund
from commerce.statements import services
from commerce.statements.models import StatementDifference
from core.clock import shop_zone


def the_day() -> date:
    """Return the day before yesterday, which has a list before it and one after it."""
    return timezone.localdate(timezone=shop_zone()) - timedelta(days=2)


def noon_of(day: date) -> datetime:
    """Return the middle of a day of the shop."""
    return datetime.combine(day, time(12), shop_zone())


def refunded(payment: Payment, dollars: str = "1.00") -> Refund:
    """Return a refund of a payment that the sandbox gateway has given back."""
    staff = User.objects.get_or_create(username="helper")[0]
    amount, reason = Decimal(dollars), Refund.Reason.order_refund
    refund = request_refund(payment=payment, amount=amount, reason=reason, staff=staff, note="Torn")
    send_refunds()
    refund.refresh_from_db()
    assert refund.state == Refund.State.done
    return refund


def move_all_to(day: date) -> None:
    """Let everything have happened on a day, here and at the gateway."""
    noon = noon_of(day)
    SandboxCharge.objects.update(created_at=noon, decided_at=noon)
    SandboxRefund.objects.update(created_at=noon)
    Payment.objects.filter(settled_at__isnull=False).update(settled_at=noon)
    Refund.objects.filter(settled_at__isnull=False).update(settled_at=noon)


def reconcile() -> list[tuple[str, str, str]]:
    """Do what the morning does; returns the open differences: reason, kind, and reference."""
    services.begin_statements()
    services.fetch_statements()
    services.compare_statements()
    still_open = StatementDifference.objects.filter(state=StatementDifference.State.open)
    return sorted(still_open.values_list("reason", "kind", "reference"))
