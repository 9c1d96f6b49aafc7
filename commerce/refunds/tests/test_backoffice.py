"""Refunds in the back office: the form, its preview, and the rights it needs."""

import re
from decimal import Decimal
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.models import StockLevel
from commerce.accounts.tests.staff import staff_with
from commerce.delivery.models import FreightRule
from commerce.ledger.models import LedgerEntry
from commerce.ledger.points import post_points
from commerce.ledger.tests.builders import points_of
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    make_stocked,
    nothing_changes,
    ordered,
    promoted,
    top_up,
)
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import Outcome
from commerce.payments.services import send_refunds, settle
from commerce.payments.tests.builders import make_recharge
from commerce.refunds.models import OrderRefund
from commerce.refunds.tests.builders import refund, wish
from commerce.shipments.tests.builders import make_paid_order, make_shipment
from commerce.shipments.tests.builders import pay as pay_order
from commerce.vouchers.tests.builders import make_voucher
from core.money import ZERO
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture
def order() -> Order:
    return make_paid_order(Buyer(), (make_stocked(price=Decimal("3.33"), name_en="Rice"), 3))


def post(client: Client, order: Order, **values: object) -> str:
    answer = client.post(reverse("order_refund", args=[order.pk]), values, follow=True)
    assert answer.status_code == 200
    return html_of(answer)


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found
    return unescape(found[1])


def filled_in(order: Order, **kw: object) -> dict[str, object]:
    line = order.lines.get().pk
    values = {f"units_{line}": 1, f"restocked_{line}": 0, "freight": "none", "to": "source", "note": "Torn"}
    return values | kw


def test_staff_see_what_goes_back_and_confirm_it_once(boss: Client, order: Order) -> None:
    assert reverse("order_refund", args=[order.pk]) in html_of(
        boss.get(reverse("orders:inspect", args=[order.pk]))
    )
    with nothing_changes():
        shown = post(boss, order, **filled_in(order))
    for part in (
        f"Refund of order {order.order_no}",
        "3.33 AUD",
        "to the wallet",
        "Not sent any more",
        "1 × Rice",
    ):
        assert part in shown
    line = order.lines.get().pk
    assert "3.00 AUD" in post(boss, order, **filled_in(order) | {f"amount_{line}": "3"})
    # Nothing has left yet, so nothing can come back.
    early = post(boss, order, **filled_in(order) | {f"restocked_{line}": 1})
    assert "More units cannot come back into stock" in early
    assert "Confirm the refund" not in early
    confirmed = filled_in(order, confirm=1, seen=hidden(shown, "seen"), previewed=hidden(shown, "previewed"))
    with nothing_changes():
        # Something else than what was shown is shown first.
        assert "6.66 AUD" in post(boss, order, **confirmed | {f"units_{order.lines.get().pk}": 2})
    done = post(boss, order, **confirmed)
    made = OrderRefund.objects.get()
    assert (made.goods_amount, made.note, made.staff) == (Decimal("3.33"), "Torn", User.objects.get())
    for part in ("A$3.33 goes back", made.number, "Torn", "Refund of the order"):
        assert part in done
    with nothing_changes():
        assert "The order’s status has changed" in post(boss, order, **confirmed)
    assert made.number in html_of(boss.get(reverse("order_refunds:index")))


def test_all_that_is_left_is_filled_in_with_the_freight_of_what_was_not_sent(
    boss: Client, order: Order
) -> None:
    refund(order, wish(order.lines.get(), 1))
    form = html_of(boss.get(reverse("order_refund", args=[order.pk]), {"everything": 1}))
    assert re.search(r'name="units_\d+" value="2"', form)
    assert re.search(r'value="all"[^>]* checked', form)


def test_units_that_points_have_paid_for_go_back_without_money_or_credit_note(boss: Client) -> None:
    buyer = Buyer()
    post_points(customer=buyer.customer, points=5_000, reason=LedgerEntry.Reason.opening, order_no="A0")
    rice = make_stocked(10, price=Decimal("4.00"), name_en="Rice")
    top_up(buyer.customer)
    order = pay_order(buyer, ordered(buyer.order((rice, 3), points=1_200)))
    before = [*Refund.objects.all()]
    assert "1200 points" in html_of(boss.get(reverse("order_refund", args=[order.pk])))

    shown = post(boss, order, **filled_in(order))
    assert re.search(r"Spent points given back</td>\s*<td>400</td>", shown)
    seen = {name: hidden(shown, name) for name in ("seen", "previewed")}
    page = post(boss, order, **filled_in(order, confirm=1, **seen))

    assert "without money: refund CN-" in page
    assert "being made" not in page
    made, order = OrderRefund.objects.get(), Order.objects.get()
    assert (made.amount, made.credit_note_due, [*Refund.objects.all()]) == (ZERO, False, before)
    found = (order.points_returned, points_of(buyer.customer), StockLevel.objects.get().reserved)
    assert found == (400, 4_200, 2)
    # The last ones end the order, whose freight was kept.
    refund(order, wish(order.lines.get(), 2))
    assert (order.status, order.points_returned) == (OrderStatus.canceled, 1_200)
    audit()


def test_money_that_a_provider_refused_is_sent_again_or_paid_back_by_hand(boss: Client, order: Order) -> None:
    refund(order, wish(order.lines.get(), 1))
    money = Refund.objects.get()
    Refund.objects.update(state="failed", detail="Account closed", message_due=True)
    order.payments.update(provider="sandbox")
    page = html_of(boss.get(reverse("orders:inspect", args=[order.pk])))
    assert "Account closed" in page
    assert reverse("refund_retry", args=[money.pk]) in page
    boss.post(reverse("refund_retry", args=[money.pk]))
    money.refresh_from_db()
    assert (money.state, money.next_query_at is None) == ("due", False)
    Refund.objects.update(state="failed", next_query_at=None)
    boss.post(reverse("refund_paid_back", args=[money.pk]), {"note": "By transfer"})
    money.refresh_from_db()
    assert (money.state, money.note) == ("done", "By transfer")


def test_the_money_of_a_top_up_is_paid_back_on_the_page_of_its_refund(boss: Client) -> None:
    payment = make_recharge(Buyer()).payments.get()
    settle(payment=payment, outcome=Outcome(Payment.State.paid, payment.reference, Decimal(3), "AUD"))
    Refund.objects.update(state="failed", next_query_at=None)
    page = reverse("refunds:inspect", args=[Refund.objects.get().pk])
    button = reverse("refund_paid_back", args=[Refund.objects.get().pk])
    assert button in html_of(boss.get(page))
    with nothing_changes():
        boss.post(button, {"note": "\0"})
    answer = boss.post(button, {"note": "By \0transfer"}, follow=True)
    assert answer.redirect_chain[-1][0] == page
    assert (Refund.objects.get().state, Refund.objects.get().note) == ("done", "By transfer")
    assert button not in html_of(answer)


def test_what_a_provider_that_is_gone_cannot_send_is_paid_back_by_hand(
    boss: Client, order: Order, settings: Settings, subtests: pytest.Subtests
) -> None:
    refund(order, wish(order.lines.get(), 1))
    for state in ("due", "sending"):
        with subtests.test(state=state), rolled_back():
            Refund.objects.update(state=state, next_query_at=timezone.now())
            order.payments.update(provider="sandbox")
            page = reverse("orders:inspect", args=[order.pk])
            button = reverse("refund_paid_back", args=[Refund.objects.get().pk])
            with nothing_changes():
                assert button not in html_of(boss.get(page))
                boss.post(button, {"note": "By transfer"})
            settings.SANDBOX_GATEWAY = False
            assert button in html_of(boss.get(page))
            boss.post(button, {"note": "By transfer"})
            settings.SANDBOX_GATEWAY = True
            assert send_refunds() == 0
            assert Refund.objects.get().state == "done"


def test_who_has_no_right_to_refund_sees_no_buttons_and_presses_none(order: Order) -> None:
    refund(order, wish(order.lines.get(), 1))
    clerk = staff_with("view_order", "change_order")
    page = html_of(clerk.get(reverse("orders:inspect", args=[order.pk])))
    assert OrderRefund.objects.get().number in page
    assert "Refund a part" not in page
    money = Refund.objects.get()
    with nothing_changes():
        for name, key in (
            ("order_refund", order.pk),
            ("refund_retry", money.pk),
            ("refund_paid_back", money.pk),
        ):
            # Wagtail leads who lacks a right back to the dashboard.
            assert clerk.post(reverse(name, args=[key]), filled_in(order)).status_code in (302, 403)


@pytest.fixture
def with_gift() -> Order:
    """An order of four units at 5.00, paid with a voucher and without freight, and the gift of 10.00."""
    rice, cup = (make_stocked(price=Decimal("5.00"), name_en=name) for name in ("Rice", "Cup"))
    promotion = make_promotion(kind="gift", gift_from=Decimal("10.00"), name_en="Cups")
    promote(promotion, rice)
    promote(promotion, cup, is_gift=True)
    voucher = make_voucher("1.00", from_amount=Decimal("15.00"))
    buyer = Buyer()
    FreightRule.objects.update(free_from=Decimal("12.00"))
    order = ordered(buyer.order(actionGoods=promoted(promotion, (rice, 4)), voucherCode=voucher.code))
    return pay_order(buyer, order)


def asked(order: Order, units: int) -> dict[str, object]:
    rice, cup = order.lines.all()
    return {f"units_{rice.pk}": units, f"units_{cup.pk}": 0} | {
        "freight": "none",
        "to": "source",
        "note": "Torn",
    }


def confirmed(page: str, **values: object) -> dict[str, object]:
    hidden_ones = {name: hidden(page, name) for name in ("seen", "previewed")}
    proposed = re.findall(r'name="proposed" value="([^"]*)"', page)
    return values | hidden_ones | {"confirm": 1, "proposed": proposed}


def test_the_refund_of_what_a_gift_came_with_proposes_the_gift(boss: Client, with_gift: Order) -> None:
    rice, cup = with_gift.lines.all()
    gift = f"units_{cup.pk}"
    with nothing_changes():
        kept = post(boss, with_gift, **asked(with_gift, 1))
    assert "no longer" not in kept
    page = post(boss, with_gift, **asked(with_gift, 4))
    assert "The order no longer earns “Cup”, the gift of Cups: its units are filled in." in page
    assert "1 × Cup" in page
    post(boss, with_gift, **confirmed(page, **asked(with_gift, 4) | {gift: 1}))
    with_gift.refresh_from_db()
    assert with_gift.status == OrderStatus.canceled
    assert {line.refunded_units for line in (rice, cup)} == {0}
    assert list(with_gift.lines.values_list("refunded_units", flat=True)) == [4, 1]
    audit()


def test_staff_may_let_a_gift_be_sent_all_the_same(boss: Client, with_gift: Order) -> None:
    page = post(boss, with_gift, **asked(with_gift, 4))
    declined = confirmed(page, **asked(with_gift, 4))
    # The confirmed values differ from the previewed ones, so the preview is shown again, without the gift.
    with nothing_changes():
        page = post(boss, with_gift, **declined)
    assert "Cup”, the gift of Cups" in page
    assert "1 × Cup" not in page
    post(boss, with_gift, **confirmed(page, **asked(with_gift, 4)))
    with_gift.refresh_from_db()
    assert with_gift.status == OrderStatus.paid
    assert list(with_gift.lines.values_list("refunded_units", flat=True)) == [4, 0]
    audit()


def test_the_refund_form_states_that_voucher_and_free_freight_lose_their_condition(
    boss: Client, with_gift: Order
) -> None:
    page = post(boss, with_gift, **asked(with_gift, 2))
    assert "needs A$15.00 of products; A$10.00 is left." in page
    assert "Delivery is no longer free: it would have cost A$" in page
    assert "gift of Cups" not in page


def test_a_gift_that_was_sent_is_named_and_not_filled_in(boss: Client, with_gift: Order) -> None:
    make_shipment(with_gift)
    page = post(boss, with_gift, **asked(with_gift, 4))
    assert "“Cup” was sent, but the order no longer earns this gift of Cups." in page
    assert 'name="proposed"' not in page
