"""How refused notices are counted (docs/guarantees/money.md#refused-notices)."""

from datetime import date, timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from commerce.payments.providers.sandbox.signing import signed_headers
from commerce.payments.tests.builders import NOTICE
from commerce.refused_notices.models import RefusedNotice
from commerce.refused_notices.services import FEW, Reason, count_refused, delete_old_counts, refused_lately
from content.tests.staff import staff
from core.tests.pages import html_of
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db

CARD = "Many refused notices of providers"


def counts() -> dict[tuple[str, str], int]:
    return {(each.provider, each.reason): each.count for each in RefusedNotice.objects.all()}


def refuse(times: int, reason: Reason = Reason.forged, provider: str = "sandbox") -> None:
    for _ in range(times):
        count_refused(provider=provider, reason=reason)


def test_each_day_provider_and_reason_has_one_count() -> None:
    with time_machine.travel("2026-11-22T15:59:00Z", tick=False):
        refuse(2)
        refuse(1, Reason.unreadable)
        refuse(1, provider="kuaidi100")
    assert counts() == {("sandbox", "forged"): 2, ("sandbox", "unreadable"): 1, ("kuaidi100", "forged"): 1}
    with time_machine.travel("2026-11-22T16:01:00Z", tick=False):
        refuse(1)
    days = RefusedNotice.objects.filter(provider="sandbox", reason="forged").order_by("day")
    assert [(each.day, each.count) for each in days] == [(date(2026, 11, 22), 2), (date(2026, 11, 23), 1)]


def test_a_forged_notice_costs_one_statement_and_raises_no_alarm(
    django_assert_num_queries: DjangoAssertNumQueries, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client()
    for _ in range(2):
        with django_assert_num_queries(1):
            assert client.post(NOTICE, b"{}", "application/json").status_code == 400
    assert counts() == {("sandbox", "forged"): 2}
    assert not [each for each in caplog.records if each.levelname not in {"INFO", "DEBUG"}]


@pytest.mark.parametrize(
    ("body", "reason"), [(b"[]", Reason.unreadable), (b'{"reference": "S1-1"}', Reason.unknown)]
)
def test_a_genuine_notice_that_is_refused_is_counted_by_its_reason(body: bytes, reason: Reason) -> None:
    headers = signed_headers("e1", body)
    assert Client().generic("POST", NOTICE, body, "application/json", headers=headers).status_code == 400
    assert counts() == {("sandbox", reason): 1}


@pytest.mark.django_db(transaction=True)
def test_notices_that_are_refused_at_the_same_time_are_all_counted() -> None:
    assert concurrently(lambda _: refuse(1), range(24), threads=8) == [None] * 24
    assert counts() == {("sandbox", "forged"): 24}


@pytest.mark.django_db(transaction=True)
def test_without_adding_in_the_statement_some_are_lost() -> None:
    """Read and then save, as the control."""
    refuse(1)
    have_read = Barrier(4, timeout=20)

    def read_and_save(_: Any) -> None:
        row = RefusedNotice.objects.get()
        have_read.wait()
        RefusedNotice.objects.filter(pk=row.pk).update(count=row.count + 1)

    concurrently(read_and_save, range(4))
    assert counts() == {("sandbox", "forged"): 2}


def test_staff_are_notified_of_a_day_with_many_until_the_end_of_the_next() -> None:
    permissions = ("access_admin", "view_refusednotice", "view_payment")
    pages = (reverse("wagtailadmin_home"), reverse("payments:index"))
    refuse(FEW)
    boss = staff("manager", permissions=permissions)
    assert not [page for page in pages if f"forged: {FEW}" in html_of(boss.get(page))]
    refuse(1)
    assert [page for page in pages if f"forged: {FEW + 1}" in html_of(boss.get(page))] == list(pages)
    assert CARD in html_of(boss.get(pages[0]))
    assert CARD not in html_of(staff("li", permissions=("access_admin",)).get(pages[0]))
    assert "sandbox" in html_of(boss.get(reverse("refused_notices:index")))
    RefusedNotice.objects.update(day=timezone.localdate() - timedelta(days=2))
    assert not refused_lately(more_than=FEW)


def test_the_report_is_in_both_languages() -> None:
    refuse(FEW + 1)
    boss = staff("manager", permissions=("access_admin", "view_refusednotice"), language="zh-hans")
    assert "支付或物流服务商被拒绝的通知较多" in html_of(boss.get(reverse("wagtailadmin_home")))


def test_counts_of_more_than_ninety_days_ago_are_deleted() -> None:
    refuse(1)
    refuse(1, Reason.unreadable)
    RefusedNotice.objects.filter(reason="forged").update(last_at=timezone.now() - timedelta(days=91))
    assert delete_old_counts() == 1
    assert counts() == {("sandbox", "unreadable"): 1}
