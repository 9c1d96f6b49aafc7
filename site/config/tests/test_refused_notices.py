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
from commerce.refused_notices import services
from commerce.refused_notices.models import RefusedNotice, UnmatchedNotice
from commerce.refused_notices.services import FEW, Reason, count_refused, delete_old_notices, refused_lately
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


def notify(event: str, body: bytes) -> int:
    headers = signed_headers(event, body)
    return Client().generic("POST", NOTICE, body, "application/json", headers=headers).status_code


def test_a_genuine_notice_that_is_refused_is_counted_by_its_reason() -> None:
    assert notify("e1", b"[]") == 400
    assert counts() == {("sandbox", Reason.unreadable): 1}


def test_genuine_notices_about_something_unknown_are_stored_up_to_a_number_a_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(services, "MAX_UNMATCHED_A_DAY", 2)
    body = b'{"reference": "S1-1"}'
    assert [notify(event, body) for event in ("e1", "e2", "e3", "e1")] == [200, 200, 400, 200]
    assert counts() == {("sandbox", Reason.unknown): 1}
    assert UnmatchedNotice.objects.count() == 2
    UnmatchedNotice.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert notify("e3", body) == 200


@pytest.mark.django_db(transaction=True)
def test_copies_of_an_unmatched_notice_at_the_same_time_are_stored_once() -> None:
    assert concurrently(lambda _: notify("e1", b'{"reference": "S1-1"}'), range(8)) == [200] * 8
    assert UnmatchedNotice.objects.count() == 1


def test_staff_see_the_newest_unmatched_notices_for_two_weeks() -> None:
    notify("e1", b'{"reference": "S1-1", "amount": "5.90"}')
    stored = UnmatchedNotice.objects.get()
    boss = staff("manager", permissions=("access_admin", "view_unmatchednotice"))
    home, page = reverse("wagtailadmin_home"), reverse("unmatched_notices:inspect", args=[stored.pk])
    assert "Notices about something that we do not know" in html_of(boss.get(home))
    assert page in html_of(boss.get(reverse("unmatched_notices:index")))
    assert "amount: 5.90" in html_of(boss.get(page))
    assert "S1-1" not in html_of(staff("li", permissions=("access_admin",)).get(home))
    UnmatchedNotice.objects.update(created_at=timezone.now() - timedelta(days=15))
    assert "S1-1" not in html_of(boss.get(home))


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


def test_counts_and_notices_of_more_than_ninety_days_ago_are_deleted() -> None:
    refuse(1)
    refuse(1, Reason.unreadable)
    RefusedNotice.objects.filter(reason="forged").update(last_at=timezone.now() - timedelta(days=91))
    for event in ("e1", "e2"):
        notify(event, b'{"reference": "S1-1"}')
    old = UnmatchedNotice.objects.filter(event_id="e1")
    old.update(created_at=timezone.now() - timedelta(days=91))
    assert delete_old_notices() == 2
    assert counts() == {("sandbox", "unreadable"): 1}
    assert UnmatchedNotice.objects.get().event_id == "e2"
