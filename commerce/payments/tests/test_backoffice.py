import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from pytest_django import Settings

from commerce.accounts.tests.builders import PASSWORD
from commerce.accounts.tests.staff import set_language, staff_with
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order, nothing_changes, top_up
from commerce.payments.models import Payment, PayType, Refund
from commerce.payments.pending import money_to_record, refunds_due
from commerce.payments.services.record import mark_of_receipts
from commerce.payments.tests.builders import make_payment, pay, switch_on_pay_types
from core.tests.pages import html_of, shown
from core.tests.queries import statements_of
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture
def payment() -> Payment:
    """A payment made twice."""
    buyer = Buyer()
    top_up(buyer.customer)
    payment = make_payment(buyer)
    pay(buyer, payment.paid_order, "0", password=PASSWORD)
    Refund.objects.create(payment=payment, amount=payment.amount, reason=Refund.Reason.paid_twice)
    return payment


def text(client: Client, name: str, *args: object) -> str:
    return shown(client, reverse(name, args=args))


def test_staff_see_orders_with_products_and_history(payment: Payment, boss: Client) -> None:
    order = payment.paid_order
    listed = text(boss, "orders:index")
    assert order.order_no in listed
    assert reverse("orders:inspect", args=[order.pk]) in listed
    page = text(boss, "orders:inspect", order.pk)
    for part in [order.order_no, order.lines.get().sku, "1 Hay Street", "Payment received"]:
        assert part in page
    ordered_at = date_format(timezone.localtime(order.created_at), "DATETIME_FORMAT")
    # Among the facts and in the history, by the shop's clock.
    assert page.count(ordered_at) >= 2


def test_staff_see_payments_and_refunds_due(payment: Payment, boss: Client) -> None:
    assert payment.reference in text(boss, "payments:index")
    page = text(boss, "payments:inspect", payment.pk)
    assert payment.reference in page
    assert not re.search(r"<dd>\s*(None|True|False)\s*</dd>", page)
    assert "Paid twice" in text(boss, "refunds:index")
    assert "Paid twice" in text(boss, "refunds:inspect", Refund.objects.get().pk)


def test_the_dashboard_shows_refunds_and_overdue_payments(
    payment: Payment, boss: Client, subtests: pytest.Subtests
) -> None:
    overdue, pending = payment, make_payment(Buyer())
    Payment.objects.filter(pk=overdue.pk).update(overdue_at=timezone.now())
    done = Refund.objects.create(payment=pending, amount=1, reason="wrong_amount", state="done")
    due = Refund.objects.create(payment=pending, amount=66, currency="CNY", reason="wrong_currency")
    for language, headings in (
        ("en", ("Refunds to look into", "Payments without an outcome for more than a day")),
        ("zh-hans", ("待处理的退款", "超过一天没有结果的付款")),
    ):
        with subtests.test(language=language, headings=headings), rolled_back():
            set_language(boss, language)
            page = text(boss, "wagtailadmin_home")
            for heading in headings:
                assert heading in page
            assert "CNY 66.00" in page
            assert reverse("refunds:inspect", args=[due.pk]) in page
            assert reverse("refunds:inspect", args=[done.pk]) not in page
            assert reverse("payments:inspect", args=[overdue.pk]) in page
            assert reverse("payments:inspect", args=[pending.pk]) not in page
            assert "CNY" in text(boss, "refunds:index")
            assert "Refund object" not in text(boss, "refunds:inspect", due.pk)


def test_staff_without_the_permission_see_no_money_on_the_dashboard(payment: Payment) -> None:
    page = text(staff_with(), "wagtailadmin_home")
    assert "To do" in page
    assert "Refunds due" not in page


def test_staff_cannot_write_orders_or_money_by_hand(
    payment: Payment, boss: Client, subtests: pytest.Subtests
) -> None:
    for name in ("orders", "payments", "refunds"):
        with subtests.test(name=name):
            row = {"orders": payment.paid_order, "payments": payment, "refunds": Refund.objects.get()}[name]
            with nothing_changes():
                for url in [
                    reverse(f"{name}:add"),
                    reverse(f"{name}:edit", args=[row.pk]),
                    reverse(f"{name}:delete", args=[row.pk]),
                ]:
                    assert boss.get(url).status_code == 302
                    assert boss.post(url, {"state": "paid", "status": 2}).status_code == 302


def test_pay_types_are_switched_but_neither_added_nor_deleted(boss: Client) -> None:
    edit = reverse("pay_types:edit", args=["5"])
    sent = {"name_en": "Card", "name_zh": "银行卡", "sort": 1, "for_pickup": "on", "provider": "none"}
    assert boss.post(edit, sent | {"countries": "nz,AU"}).status_code == 302
    card = PayType.objects.get(code="5")
    assert (card.enabled, card.provider, card.countries) == (False, "royalpay", "AU, NZ")
    assert (card.name_en, card.for_pickup, card.for_abroad) == ("Card", True, False)
    with nothing_changes():
        assert boss.get(reverse("pay_types:add")).status_code == 302
        assert boss.post(reverse("pay_types:delete", args=["5"])).status_code == 302


def test_only_staff_with_the_permission_see_orders(payment: Payment) -> None:
    assert staff_with().get(reverse("orders:index")).status_code == 302
    assert payment.paid_order.order_no in text(staff_with("view_order"), "orders:index")


def test_lists_take_the_same_queries_for_one_row_and_for_many(
    payment: Payment, boss: Client, subtests: pytest.Subtests
) -> None:
    def queries(name: str) -> int:
        return len(statements_of(lambda: text(boss, f"{name}:index")))

    for name in ("orders", "payments", "refunds"):
        with subtests.test(name=name), rolled_back():
            # Once to fill the caches between requests.
            queries(name)
            before = queries(name)
            for _ in range(4):
                more = make_payment(Buyer())
                Refund.objects.create(payment=more, amount=1, reason=Refund.Reason.paid_twice)
            assert queries(name) == before


def test_staff_record_what_they_have_received_and_the_page_shows_what_is_left(boss: Client) -> None:
    switch_on_pay_types()
    order = make_order(Buyer())
    Order.objects.filter(pk=order.pk).update(pay_type="cashOnDelivery")
    record = reverse("order_record", args=[order.pk])
    page = text(boss, "orders:inspect", order.pk)
    assert f"Left to pay: AUD {order.pay_amount}" in page
    # What the customer has chosen.
    assert '<option value="cashOnDelivery" selected>' in page
    body = {"pay_type": "transfer", "amount": "1.00", "note": "bank", "seen": mark_of_receipts(order)}
    boss.post(record, body)
    page = text(boss, "orders:inspect", order.pk)
    for part in ["was recorded as payment", f"Left to pay: AUD {order.pay_amount - 1}", "waits for the rest"]:
        assert part in page
    with nothing_changes():
        # The same page again, and a form that is not filled in.
        boss.post(record, body)
        boss.post(record, body | {"note": ""})


def test_only_staff_with_the_right_records_payments() -> None:
    order, packer = make_order(Buyer()), staff_with("view_order")
    assert "Record a payment" not in text(packer, "orders:inspect", order.pk)
    body = {"pay_type": "transfer", "amount": "1.00", "note": "bank", "seen": mark_of_receipts(order)}
    with nothing_changes():
        packer.post(reverse("order_record", args=[order.pk]), body)


def pay_type_form(code: str, **values: object) -> dict[str, object]:
    row = PayType.objects.get(code=code)
    sent = {"name_en": row.name_en, "name_zh": row.name_zh, "sort": row.sort, "for_domestic": "on"}
    return sent | values


def test_a_pay_type_without_a_collector_cannot_be_switched_on_and_shows_why(boss: Client) -> None:
    edit = reverse("pay_types:edit", args=["3"])
    assert "its service has closed" in text(boss, "pay_types:edit", "3")
    assert "its service has closed" in text(boss, "pay_types:index")
    with nothing_changes():
        answer = boss.post(edit, pay_type_form("3", enabled="on"))
        assert answer.context["form"].errors.keys() == {"enabled"}
    assert boss.post(edit, pay_type_form("3", name_en="POLi (closed)")).status_code == 302


def test_a_pay_type_whose_provider_is_not_set_up_shows_it(boss: Client, settings: Settings) -> None:
    assert "Customers do not see it" not in text(boss, "pay_types:edit", "5")
    settings.SANDBOX_GATEWAY = False
    assert "Its provider is not set up in this shop." in text(boss, "pay_types:edit", "5")
    assert "Customers do not see it" not in text(boss, "pay_types:edit", "0")


def test_codes_and_providers_have_their_names_for_staff(boss: Client, subtests: pytest.Subtests) -> None:
    for language in ("en", "zh-hans"):
        with subtests.test(language=language), rolled_back():
            set_language(boss, language)
            form = text(boss, "pay_types:edit", "5")
            assert "RoyalPay" in form
            assert not re.search(r">\s*royalpay\s*<", form)
            assert "on the wire" not in form + text(boss, "pay_types:index")


def test_an_orders_page_names_its_language(boss: Client) -> None:
    order = make_order(Buyer())
    Order.objects.filter(pk=order.pk).update(language="zh-hans")
    page = text(boss, "orders:inspect", order.pk)
    assert "简体中文" in page
    assert not re.search(r">\s*zh-hans\s*<", page)


def test_a_restriction_that_makes_no_sense_is_refused(boss: Client, subtests: pytest.Subtests) -> None:
    for values, field in (
        ({"countries": "AU, XX"}, "countries"),
        ({"from_amount": "10", "to_amount": "9.99"}, "__all__"),
        ({"for_domestic": ""}, "__all__"),
        ({"name_zh": ""}, "name_zh"),
    ):
        with subtests.test(values=values, field=field), nothing_changes():
            answer = boss.post(
                reverse("pay_types:edit", args=["5"]), pay_type_form("5", enabled="on", **values)
            )
            assert answer.context["form"].errors.keys() == {field}


def test_orders_and_payments_name_their_pay_type_in_the_language_of_staff(
    boss: Client, subtests: pytest.Subtests
) -> None:
    payment = make_payment(Buyer())
    for language, name in (("en", "Credit or debit card"), ("zh-hans", "信用卡或借记卡")):
        with subtests.test(language=language, name=name), rolled_back():
            set_language(boss, language)
            for page in (
                text(boss, "orders:index"),
                text(boss, "orders:inspect", payment.paid_order.pk),
                text(boss, "payments:index"),
                text(boss, "payments:inspect", payment.pk),
            ):
                assert name in page


def test_a_payments_page_links_to_its_order_and_names_its_provider(boss: Client) -> None:
    payment = make_payment(Buyer())
    page = text(boss, "payments:inspect", payment.pk)
    for link in ("orders:inspect", payment.paid_order.pk), ("customers:inspect", payment.customer.pk):
        assert reverse(link[0], args=[link[1]]) in page
    assert "Sandbox, without money" in page
    assert "Sandbox, without money" in text(boss, "payments:index")
    page = text(staff_with("view_payment"), "payments:inspect", payment.pk)
    assert payment.paid_order.order_no in page
    assert reverse("orders:inspect", args=[payment.paid_order.pk]) not in page


def test_an_attempt_that_an_order_no_longer_needs_is_not_used(boss: Client) -> None:
    buyer = Buyer()
    top_up(buyer.customer)
    payment = make_payment(buyer)
    order = payment.paid_order

    def pages() -> list[str]:
        lists = [text(boss, "payments:index"), text(boss, "customer_payments", buyer.customer.pk)]
        return [*lists, text(boss, "orders:inspect", order.pk), text(boss, "payments:inspect", payment.pk)]

    assert not any("Not used" in page for page in pages())
    pay(buyer, order, "0", password=PASSWORD)
    assert all("Not used" in page for page in pages())
    assert "Not used: the order was paid in another way" in pages()[-1]
    Order.objects.filter(pk=order.pk).update(status=OrderStatus.canceled, paid_at=None)
    assert "Not used: the order was cancelled" in pages()[-1]
    # What the services do goes by the state itself.
    payment.refresh_from_db()
    assert payment.state == Payment.State.pending


def test_an_orders_page_has_facts_then_actions_then_history(boss: Client) -> None:
    switch_on_pay_types()
    order = make_order(Buyer())
    page = text(boss, "orders:inspect", order.pk)
    parts = (
        reverse("customers:inspect", args=[order.customer_id]),
        "Delivery address",
        order.lines.get().sku,
        "To pay, AUD",
        f"Left to pay: AUD {order.pay_amount}",
        "What is next",
        "Record a payment",
        ">History<",
    )
    places = [page.index(part) for part in parts]
    assert places == sorted(places)


def test_orders_whose_money_staff_record_are_on_the_dashboard(boss: Client) -> None:
    cash, agreed, transfer, card, paid = (make_order(Buyer()) for _ in range(5))
    codes = {cash: "cashOnDelivery", agreed: "1", transfer: "transfer", card: "5", paid: "1"}
    for order, code in codes.items():
        status = OrderStatus.paid if order == paid else OrderStatus.unpaid
        Order.objects.filter(pk=order.pk).update(pay_type=code, status=status)
    found = money_to_record(User.objects.get(username="boss"))
    assert found is not None
    pages = {reverse("orders:inspect", args=[order.pk]) for order in (cash, agreed)}
    assert (found.total, {item.url for item in found.items}) == (2, pages)
    listed = html_of(boss.get(found.more_url))
    assert {order for order in codes if order.order_no in listed} == {cash, agreed}
    assert found.heading in text(boss, "wagtailadmin_home")
    packer = User.objects.create_user("packer")
    packer.user_permissions.set(Permission.objects.filter(codename__in=["view_order"]))
    assert money_to_record(packer) is None


def test_the_card_of_refunds_links_to_both_states(payment: Payment, boss: Client) -> None:
    Refund.objects.create(payment=payment, amount=2, reason="wrong_amount", state="failed")
    Refund.objects.create(payment=payment, amount=3, reason="overpaid", state="done")
    found = refunds_due(User.objects.get(username="boss"))
    assert found is not None
    listed = html_of(boss.get(found.more_url))
    for amount, is_there in ((payment.amount, True), ("AUD 2.00", True), ("AUD 3.00", False)):
        assert (str(amount) in listed) == is_there


def test_lists_count_their_rows_with_the_measure_word(payment: Payment, boss: Client) -> None:
    assert "2 payments" in text(boss, "payments:index")
    set_language(boss, "zh-hans")
    assert "付款：共 2 条" in text(boss, "payments:index")
