"""The end of an account: refused while something is open, and afterwards no customer is found by it."""

import json
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from wagtail.log_actions import log

from commerce.accounts.models import Address, AuthToken, Customer, VerificationCode
from commerce.accounts.services import log_in
from commerce.accounts.tests.builders import PASSWORD, make_customer
from commerce.claims.models import Claim
from commerce.claims.services import answer_claim
from commerce.claims.states import ClaimState
from commerce.claims.tests.builders import claim_of
from commerce.invoices.models import Invoice
from commerce.invoices.services import stored_hash
from commerce.invoices.tests.builders import made, make_seller
from commerce.ledger.debts import owe
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.messaging.models import Message
from commerce.notifications.services import notify_due
from commerce.orders.models import Order, OrderNote, OrderStatusChange, RecipientIdCard, Trade
from commerce.orders.points import book_due_points
from commerce.orders.services import change_status, mark_paid
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.orders.tests.builders import (
    ID_CARD,
    Buyer,
    BuyerInChina,
    audit,
    make_order,
    make_stocked,
    nothing_changes,
    ordered,
    top_up,
)
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.sandbox.models import SandboxCharge
from commerce.payments.tests.builders import decide, make_payment, make_recharge, send_notice
from commerce.privacy import services
from commerce.privacy.audit import differences
from commerce.privacy.models import ConsentChange, DeletedCustomer, MarketingConsent
from commerce.privacy.services import erase, erase_due, erasing, wipe_due
from commerce.privacy.tests.builders import receive, staff
from commerce.refunds.tests.builders import make_staff, refund, wish
from commerce.stock_alerts.models import StockAlert
from core.errors import Err
from core.tests.failing import failing_for
from core.tests.refusals import refusal
from core.tests.rows import rolled_back, stored

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

CALL = "/setting/deletion"
PHONE = "+61412345678"


def delete(buyer: Buyer, password: str = PASSWORD, lang: str = "en") -> dict[str, Any]:
    return buyer.send("POST", CALL, {"password": password}, lang=lang)


def complete(buyer: Buyer, order: Order) -> Order:
    """Let an order be paid, sent and received."""
    payment = make_payment(buyer, order)
    decide(payment)
    assert send_notice(payment) == 200
    receive(buyer, order)
    return order


def everything() -> str:
    """Return every value of every table, as text."""
    found = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            if model._meta.managed:
                cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')  # noqa: S608  Django's tables
                found += [str(row) for row in cursor.fetchall()]
    return "\n".join(found)


@pytest.fixture
def buyer() -> Buyer:
    """A customer who has used much, and of whom nothing is open."""
    make_seller()
    buyer = BuyerInChina()
    Customer.objects.filter(pk=buyer.customer.pk).update(nickname="Nickname of mine")
    tea = make_stocked()
    code = buyer.trade()
    order = ordered(buyer.order((tea, 2), code=code, remark="ring twice"))
    complete(buyer, order)
    made(order)
    buyer.trade()
    buyer.send("POST", "/shoppingCart", {"goodsId": tea.pk, "goodsAmount": 3})
    buyer.send("PUT", "/setting/consent", {"marketing": True})
    StockAlert.objects.create(product=tea, email=buyer.customer.account, language="en")
    VerificationCode.objects.create(
        account=buyer.customer.account, purpose="reset", code_hash="0" * 64, expires_at=timezone.now()
    )
    OrderStatusChange.objects.filter(order=order, to_status=OrderStatus.shipped).update(note="for the staff")
    OrderNote.objects.create(order=order, text="for the staff")
    boss = User.objects.create_superuser("boss")
    log(instance=Customer.objects.get(pk=buyer.customer.pk), action="wagtail.edit", user=boss)
    return buyer


def test_nothing_that_was_deleted_is_found_in_any_table(buyer: Buyer) -> None:
    account = buyer.customer.account
    assert buyer.send("GET", CALL)["result"] == {"obstacles": [], "points": 0, "recordYears": 5}
    assert delete(buyer, lang="zh")["result"] == 1
    erase(buyer.customer.pk)

    [message] = Message.objects.filter(to=account)
    assert "已删除" in message.subject
    Message.objects.all().delete()
    left = everything()
    for gone in (account, "Nickname of mine", PHONE, "ring twice", ID_CARD[-4:] + "'"):
        assert gone not in left, gone
    for model in (AuthToken, Address, VerificationCode, StockAlert, MarketingConsent, ConsentChange):
        assert not model.objects.exists(), model
    assert not RecipientIdCard.objects.exists()
    assert not Trade.objects.filter(payload_hash="").exists()

    # What an invoice needs is there, until the law asks for it no longer.
    order = Order.objects.get()
    assert order.address is not None
    assert (order.address["contacts"], order.address["addressDetail"]) == ("Li Wei", "1 Hay Street")
    assert stored_hash(Invoice.objects.get()) == Invoice.objects.get().sha256
    audit()


def test_the_login_ends_and_the_name_can_be_registered_again(buyer: Buyer) -> None:
    account = buyer.customer.account
    delete(buyer)
    assert buyer.send("GET", "/user/userInfo")["reason"] == "login_invalid"
    with refusal(Err.account_or_password_wrong):
        log_in(account=account, password=PASSWORD, ticket="", network="203.0.113.7")
    newcomer = Buyer(make_customer(account=account))
    assert newcomer.send("POST", "/orderInfo")["result"]["total"] == 0
    erase(buyer.customer.pk)
    assert Customer.objects.get(account=account).pk == newcomer.customer.pk
    assert newcomer.customer.addresses.count() == 1


def test_who_does_not_know_the_password_deletes_nothing(subtests: pytest.Subtests) -> None:
    buyer = Buyer()
    for password in ("000000", "", "x" * 128):
        with subtests.test(password=password), rolled_back():
            assert delete(buyer, password)["reason"] == "password_wrong"
            assert Customer.objects.get(pk=buyer.customer.pk).account == buyer.customer.account
            assert buyer.send("GET", "/user/userInfo")["code"] == 0


def came_back(buyer: Buyer) -> None:
    order = make_order(buyer)
    mark_paid(order=order, pay_type="5")
    for status in (OrderStatus.shipped, OrderStatus.returned):
        order.refresh_from_db()
        change_status(order=order, to=status, reason=ChangeReason.staff)


def refund_under_way(buyer: Buyer) -> None:
    order = complete(buyer, make_order(buyer))
    payment = Payment.objects.create(
        order=order, reference="p-1", pay_type="5", provider="sandbox", amount=order.pay_amount, state="paid"
    )
    Refund.objects.create(payment=payment, reference="r-1", amount="1.00", reason=Refund.Reason.order_refund)


def accepted_claim(buyer: Buyer) -> Claim:
    """Accept a claim of an arrived order with a refund that was not made yet."""
    order = complete(buyer, make_order(buyer))
    claim = claim_of(order)
    answer_claim(claim=claim, to=ClaimState.refund, text="Yes", staff=make_staff(), seen=1)
    return claim


def make_debt(buyer: Buyer, dollars: int) -> None:
    """Let a bank take dollars of a top-up that the wallet no longer has."""
    owe(customer=buyer.customer, amount=Decimal(dollars), reference="R1-1-d1")


OPEN: dict[str, tuple[Callable[[Buyer], object], str]] = {
    "unpaid": (make_order, "is not completed"),
    "paid": (lambda buyer: mark_paid(order=make_order(buyer), pay_type="5"), "is not completed"),
    "came back": (came_back, "is not completed"),
    "paying": (make_payment, "payment is in progress"),
    "top-up": (make_recharge, "payment is in progress"),
    "refund": (refund_under_way, "A refund is on its way to you"),
    "accepted claim": (accepted_claim, "refund for a claim"),
    "wallet": (lambda buyer: top_up(buyer.customer, 12), "A$12.00"),
    "debt": (lambda buyer: make_debt(buyer, 12), "You owe us A$12.00"),
}


def test_while_something_is_open_the_account_stays_and_the_refusal_shows_what(
    subtests: pytest.Subtests,
) -> None:
    buyer = Buyer()
    for what in OPEN:
        with subtests.test(what=what), rolled_back():
            prepare, printed = OPEN[what]
            prepare(buyer)
            [*obstacles] = buyer.send("GET", CALL)["result"]["obstacles"]
            assert any(printed in each["textEn"] for each in obstacles)
            with nothing_changes():
                answer = delete(buyer)
            assert answer["reason"] == "deletion_blocked"
            assert printed in answer["whyEn"]
            assert answer["why"] != answer["whyEn"]
            assert buyer.send("GET", "/user/userInfo")["code"] == 0
            assert not DeletedCustomer.objects.exists()


def test_an_order_that_has_ended_otherwise_is_no_obstacle(subtests: pytest.Subtests) -> None:
    buyer = Buyer()
    order = make_order(buyer)
    for status in (OrderStatus.canceled, OrderStatus.chargeback):
        with subtests.test(status=status), rolled_back():
            if status == OrderStatus.canceled:
                assert buyer.send("PUT", f"/order/cancel/{order.order_no}")["code"] == 0
            else:
                mark_paid(order=order, pay_type="5")
                order.refresh_from_db()
                change_status(order=order, to=status, reason=ChangeReason.staff)
            assert delete(buyer)["result"] == 1


def test_an_accepted_claim_is_no_obstacle_once_its_money_goes_back() -> None:
    buyer = Buyer()
    claim = accepted_claim(buyer)
    [line] = claim.order.lines.all()
    refund(Order.objects.get(pk=claim.order_id), wish(line, 1))
    Refund.objects.update(state=Refund.State.done)
    assert delete(buyer)["result"] == 1


def test_a_look_for_what_is_open_reads_no_table_whole() -> None:
    customer = make_customer()
    with CaptureQueriesContext(connection) as queries:
        assert not services.obstacles_of(customer)
    is_postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        if is_postgresql:
            # A few rows are quicker read without an index.
            cursor.execute("SET LOCAL enable_seqscan = off")
        for query in queries:
            cursor.execute(f"EXPLAIN {'' if is_postgresql else 'QUERY PLAN '}{query['sql']}")
            plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
            assert "Seq Scan" not in plan
            assert "SCAN" not in plan


def test_late_money_for_an_order_of_a_deleted_account_revives_nothing() -> None:
    buyer = Buyer()
    order = make_order(buyer)
    buyer.send("PUT", f"/order/cancel/{order.order_no}")
    delete(buyer)
    order.refresh_from_db()
    assert not mark_paid(order=order, pay_type="5")
    assert Order.objects.get().status == OrderStatus.canceled
    # Nor is a message sent about it.
    Message.objects.all().delete()
    notify_due()
    assert not Message.objects.exists()


def test_late_money_for_a_top_up_of_a_deleted_account_goes_back() -> None:
    buyer = Buyer()
    payment = make_recharge(buyer).payments.get()
    decide(payment, SandboxCharge.State.declined)
    assert send_notice(payment, event="declined", state="declined") == 200
    assert delete(buyer)["result"] == 1
    # The provider has let them try again.
    decide(payment)
    for _ in range(2):
        assert send_notice(payment) == 200
    assert stored(payment, "state", "refunded") == ("paid", payment.amount)
    refund = Refund.objects.get()
    assert (refund.reason, refund.to, refund.amount) == ("account_deleted", "source", payment.amount)
    assert not LedgerEntry.objects.exists()
    erase_due()
    audit()


def test_a_deletion_that_no_task_has_completed_is_found_past_one_that_fails(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = Buyer()
    for each in (bad, buyer):
        services.delete_account(customer=each.customer, language="en")
    DeletedCustomer.objects.update(erased_at=None)
    Order.objects.update(remark="ring twice")
    with monkeypatch.context() as patch:
        patch.setattr(erasing, "erase", failing_for(bad.customer.pk, erasing.erase))
        assert erase_due() == 1
    assert Order.objects.get().remark == ""
    assert [row.pk for row in DeletedCustomer.objects.filter(erased_at=None)] == [bad.customer.pk]
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        assert [each.rule for each in differences()] == ["deleted-erased"]


def test_after_the_years_of_tax_law_orders_name_no_customer(
    buyer: Buyer, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete(buyer)
    erase(buyer.customer.pk)
    deletion = DeletedCustomer.objects.get()
    assert deletion.oldest_record_at is not None
    assert wipe_due() == 0
    years = timedelta(days=366 * settings.TAX_RECORD_YEARS)
    with time_machine.travel(timezone.now() + years - timedelta(hours=1)):
        assert wipe_due() == 0
    with time_machine.travel(timezone.now() + years + timedelta(days=4)):
        assert [each.rule for each in differences()] == ["deleted-erased"]
        assert wipe_due() == 1
        assert wipe_due() == 0
        assert not [*differences()]
    left = everything()
    for gone in ("Li Wei", "1 Hay Street", "for the staff"):
        assert gone not in left, gone
    order, invoice = Order.objects.get(), Invoice.objects.get()
    assert order.pay_amount > 0
    assert (order.address, invoice.sha256, stored_hash(invoice)) == (None, "", None)
    audit()


def test_orders_of_a_customer_with_an_account_are_never_wiped(settings: LazySettings) -> None:
    buyer = Buyer()
    complete(buyer, make_order(buyer))
    settings.TAX_RECORD_YEARS = 0
    assert wipe_due() == 0
    assert Order.objects.get().address is not None


def test_points_are_lost_and_their_entries_stay(buyer: Buyer) -> None:
    Order.objects.update(points_rate=1)
    book_due_points()
    points = LedgerAccount.objects.get(kind="points").balance
    assert buyer.send("GET", CALL)["result"]["points"] == int(points) > 0
    delete(buyer)
    assert LedgerAccount.objects.get(kind="points").balance == points
    audit()


def test_staff_delete_for_a_customer_who_writes(buyer: Buyer) -> None:
    path = f"/admin/customers/{buyer.customer.pk}/deletion/"
    other = staff("other")
    assert other.post(path).status_code == 302
    assert Customer.objects.get(pk=buyer.customer.pk).is_active
    helper = staff("helper", "handle_request")
    top_up(buyer.customer, 12)
    page = helper.get(path).content.decode()
    assert "A$12.00" in page
    assert 'class="button serious"' not in page
    assert helper.post(path).status_code == 302
    assert Customer.objects.get(pk=buyer.customer.pk).is_active
    LedgerAccount.objects.update(balance=0)
    assert 'class="button serious"' in helper.get(path).content.decode()
    assert helper.post(path).status_code == 302
    fresh = Customer.objects.get(pk=buyer.customer.pk)
    assert fresh.is_deleted
    assert DeletedCustomer.objects.get().staff.username == "helper"  # type: ignore[union-attr]
    shown = helper.get(f"/admin/customers/inspect/{fresh.pk}/")
    assert shown.status_code == 200
    assert path not in shown.content.decode()
    assert helper.get(path).status_code == 302


def test_a_restored_backup_is_cleaned_again(buyer: Buyer) -> None:
    top_up(buyer.customer, 12)
    printed = StringIO()
    call_command("delete_customers_again", str(buyer.customer.pk), stdout=printed)
    call_command("delete_customers_again", str(buyer.customer.pk), stdout=printed)
    found = printed.getvalue().splitlines()
    assert found == [f"{buyer.customer.pk} is deleted", f"{buyer.customer.pk} is deleted already"]
    assert buyer.customer.account not in everything()
    audit()


def test_the_audit_names_a_deleted_account_that_has_a_login(buyer: Buyer) -> None:
    delete(buyer)
    erase(buyer.customer.pk)
    assert not [*differences()]
    Customer.objects.filter(pk=buyer.customer.pk).update(nickname="Mei")
    [difference] = differences()
    assert (difference.rule, difference.row) == ("deleted-customer", f"customer {buyer.customer.pk}")


def test_a_wrong_shape_is_refused(client: Client) -> None:
    buyer = Buyer()
    for body in ({}, {"password": None}, {"password": 7}, {"password": "x" * 129}):
        answer = buyer.client.post(f"/api/v1/pc{CALL}", json.dumps(body), "application/json")
        assert answer.json()["code"] == 1002
    assert not DeletedCustomer.objects.exists()
