"""The audit of each night and what staff see of it (docs/audit.md#each-night)."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from commerce.accounts.tests.builders import make_customer
from commerce.ledger.models import LedgerAccount
from config.audits import services
from config.audits.meanings import pages_of, place_of
from config.audits.models import AuditRun
from config.audits.pending import audit_card
from config.audits.tasks import audit_books
from content.tests.staff import set_language, staff
from core.audit import Difference
from core.tests.pages import html_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

HEADING, NO_AUDIT, NOT_COMPLETE = (
    "Books that do not agree",
    "No audit for two nights",
    "The last audit did not come to its end",
)
WITHOUT_END = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def overdraw(count: int = 1) -> None:
    """Give customers points that no entry explains."""
    for _ in range(count):
        LedgerAccount.objects.create(customer=make_customer(), kind="points", balance=5)


def manager() -> Client:
    return staff("manager", permissions=("access_admin", "view_auditrun"))


def dashboard(client: Client) -> str:
    return html_of(client.get(reverse("wagtailadmin_home")))


def test_a_night_keeps_how_many_differences_there_are_and_the_first_of_them(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("config.audits.services.MAX_KEPT", 2)
    overdraw(3)
    audit_books.call_local()
    run = AuditRun.objects.get()
    assert (run.count, run.failed, len(run.first)) == (3, False, 2)
    assert run.first[0]["rule"] == "balance"
    assert "entries 0.00" in run.first[0]["found"]
    assert run.ended_at
    assert run.ended_at >= run.started_at
    assert "the audit found 3 differences" in caplog.text


def test_books_that_agree_make_no_card_and_are_shown_to_agree() -> None:
    audit_books.call_local()
    boss = manager()
    assert HEADING not in dashboard(boss)
    assert "No differences" in html_of(boss.get(reverse("audit_runs:index")))


def test_staff_see_what_the_last_audit_found_in_their_language() -> None:
    overdraw(1)
    run = services.run_audit()
    boss = manager()
    account = f"ledger account {LedgerAccount.objects.get().pk}"
    card = dashboard(boss)
    assert HEADING in card
    assert account in card
    page = reverse("audit_runs:inspect", args=[run.pk])
    assert page in card
    shown = html_of(boss.get(page))
    assert account in shown
    assert reverse("customers:inspect", args=[LedgerAccount.objects.get().customer_id]) in shown
    assert all("Balances of wallets and points" in each for each in (card, shown))
    assert "1 difference" in html_of(boss.get(reverse("audit_runs:index")))
    set_language(boss, "zh-hans")
    card = dashboard(boss)
    assert "账目不一致" in card
    shown = html_of(boss.get(page))
    assert "不一致之处" in shown
    assert account.replace("ledger account", "账户") in shown
    assert all("余额 5.00，账目合计 0.00" in each for each in (card, shown))
    # What was put right is on no card.
    LedgerAccount.objects.update(balance=0)
    services.run_audit()
    assert account not in dashboard(boss)


def test_what_an_older_release_has_found_is_shown_as_it_was_stored() -> None:
    old = {"rule": "balance", "row": "ledger account 1", "found": "balance 5, entries 0"}
    run = AuditRun.objects.create(ended_at=timezone.now(), count=1, first=[old])
    boss = manager()
    set_language(boss, "zh-hans")
    assert "账户 1 · balance 5, entries 0" in dashboard(boss)
    assert '<td lang="en">balance 5, entries 0</td>' in html_of(
        boss.get(reverse("audit_runs:inspect", args=[run.pk]))
    )


def test_rows_are_named_in_the_language_of_the_reader() -> None:
    rows = [
        "list of royalpay of 2026-11-25",
        "order S1",
        "order refund R1",
        "search term gz a b",
        "a rule, of a module",
    ]
    with translation.override("zh-hans"):
        assert list(map(place_of, rows)) == [
            "RoyalPay 2026年11月25日账单",
            "订单 S1",
            "订单退款 R1",
            "搜索索引词 gz a b",
            "a rule, of a module",
        ]


def test_who_may_not_see_audits_sees_neither_card_nor_page() -> None:
    overdraw()
    services.run_audit()
    other = staff("li", permissions=("access_admin",))
    assert HEADING not in dashboard(other)
    assert other.get(reverse("audit_runs:index")).status_code == 302


def warnings() -> list[str]:
    card = audit_card(User(is_superuser=True))
    assert card
    assert card.total == len(card.items)
    return [item.text for item in card.items]


def test_two_nights_without_an_audit_are_notified() -> None:
    now = timezone.now()
    assert warnings() == []
    services.run_audit()
    with time_machine.travel(now + timedelta(hours=49)):
        assert warnings() == []
    with time_machine.travel(now + timedelta(hours=51)):
        # One that was killed is none.
        AuditRun.objects.create()
        assert warnings() == [NO_AUDIT]
        services.run_audit()
        assert warnings() == []


def test_a_shop_that_never_had_an_audit_is_notified_after_two_nights() -> None:
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        assert warnings() == [NO_AUDIT]


def test_an_audit_that_fails_keeps_what_it_found_and_is_notified(monkeypatch: pytest.MonkeyPatch) -> None:
    overdraw()
    services.run_audit()

    def found_and_failed() -> Iterator[Difference]:
        yield Difference("rule", "row", "found")
        raise OperationalError("gone")

    monkeypatch.setattr("config.audits.services.all_differences", found_and_failed)
    with pytest.raises(OperationalError):
        services.run_audit()
    run = AuditRun.objects.first()
    assert run
    assert run.failed
    assert run.ended_at
    assert run.count == 1
    card = dashboard(manager())
    assert NOT_COMPLETE in card
    assert "ledger account" in card


@pytest.mark.django_db(transaction=True)
def test_an_audit_that_takes_too_long_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.audits.services.MAX_SECONDS", 0.2)

    def count_for_ever() -> Iterator[Difference]:
        with connection.cursor() as cursor:
            cursor.execute(WITHOUT_END)
        yield Difference("never", "never", "never")

    monkeypatch.setattr("config.audits.services.all_differences", count_for_ever)
    with pytest.raises(OperationalError):
        services.run_audit()
    assert AuditRun.objects.get().failed
    # The connection is as it was.
    assert not LedgerAccount.objects.exists()


def test_runs_of_more_than_a_year_ago_are_deleted() -> None:
    old, young = (AuditRun.objects.create() for _ in range(2))
    AuditRun.objects.filter(pk=old.pk).update(started_at=timezone.now() - timedelta(days=366))
    AuditRun.objects.filter(pk=young.pk).update(started_at=timezone.now() - timedelta(days=364))
    assert services.delete_old_runs() == 1
    assert AuditRun.objects.get() == young


def test_rows_that_differences_name_are_looked_for_where_the_back_office_has_them() -> None:
    account = LedgerAccount.objects.create(customer=make_customer(), kind="points")
    customer = reverse("customers:inspect", args=[account.customer_id])
    pages = {
        "order S1": f"{reverse('orders:index')}?q=S1",
        "payment S1-2": f"{reverse('payments:index')}?q=S1-2",
        "refund S1-2-r1": f"{reverse('payments:index')}?q=S1-2",
        "order refund R1": f"{reverse('order_refunds:index')}?q=R1",
        f"ledger account {account.pk}": customer,
        f"customer {account.customer_id}": customer,
        "list of royalpay of 2026-11-25": f"{reverse('statement_differences:index')}?state=open",
    }
    others = ["product T1 at warehouse", "ledger account 0", "commerce.orders.audit, lines", "order"]
    assert pages_of([*pages, *others]) == pages
