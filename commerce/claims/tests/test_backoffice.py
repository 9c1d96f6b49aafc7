"""Claims in the back office: their readers, the answers, and the next step after each."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from commerce.accounts.tests.staff import staff_with
from commerce.claims.models import Claim
from commerce.claims.states import ClaimState
from commerce.claims.tests.builders import answer, claim_of, line_claim, make_sent_order, upload
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, make_stocked, nothing_changes
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def order() -> Order:
    return make_sent_order(Buyer(), (make_stocked(name_en="Rice"), 3))


def page_of(client: Client, claim: Claim) -> str:
    return html_of(client.get(reverse("claims:inspect", args=[claim.pk])))


def post(client: Client, claim: Claim, **values: object) -> str:
    answer = client.post(
        reverse("claim_answer", args=[claim.pk]),
        {"to": "refund", "text": "Right", "seen": 1} | values,
        follow=True,
    )
    assert answer.status_code == 200
    return html_of(answer)


def test_staff_see_a_claim_and_lead_its_units_to_the_refund(boss: Client, order: Order) -> None:
    line, buyer = order.lines.get(), Buyer(order.customer)
    claim = claim_of(order, line_claim(line, 2), text="<b>Wet</b>", image_urls=[upload(buyer)])
    assert claim.claim_no in html_of(boss.get(reverse("claims:index")))
    of_order = html_of(boss.get(reverse("orders:inspect", args=[order.pk])))
    assert f"Answer claim {claim}" in of_order
    shown = page_of(boss, claim)
    for part in (
        "Rice",
        "Damaged",
        "&lt;b&gt;Wet",
        "/claims/picture/",
        "in English",
        'name="seen" value="1"',
    ):
        assert part in shown
    form = post(boss, claim)
    assert f"Refund of order {order}" in form
    assert f'name="units_{line.pk}" value="2"' in form
    assert f'value="Claim {claim}"' in form
    assert claim.thread.latest("pk").staff == User.objects.get()
    assert "Refund these units" in page_of(boss, claim)
    assert "Send the answer" not in page_of(boss, claim)


def test_an_answer_without_words_or_to_what_was_not_read_changes_nothing(boss: Client, order: Order) -> None:
    claim = claim_of(order)
    for values, expected in (
        ({"text": ""}, "To the customer: This field is required."),
        ({"to": "waiting"}, "Select a valid choice"),
        ({"seen": 2}, "The claim has changed in the meantime"),
        ({"text": "a\0b"}, "Null characters are not allowed."),
    ):
        assert expected in post(boss, claim, **values)
        claim.refresh_from_db()
        assert (claim.state, claim.thread.count()) == (ClaimState.waiting, 1)


def test_staff_without_the_right_see_no_form_of_answers_or_refunds(order: Order) -> None:
    claim = claim_of(order)
    clerk = staff_with("view_claim")
    assert "Send the answer" not in page_of(clerk, claim)
    assert clerk.post(reverse("claim_answer", args=[claim.pk]), {"to": "declined"}).status_code in {302, 403}
    assert claim.thread.count() == 1
    User.objects.all().delete()
    clerk = staff_with("view_claim", "answer_claim")
    assert "The claim is answered" in post(clerk, claim)
    assert "Refund these units" not in page_of(clerk, claim)
    User.objects.all().delete()
    reader = staff_with("view_order")
    assert reader.get(reverse("claims:inspect", args=[claim.pk])).status_code in {302, 403}
    assert claim.claim_no not in html_of(reader.get(reverse("orders:inspect", args=[order.pk])))


def test_staff_who_may_answer_settle_an_accepted_claim_otherwise(boss: Client, order: Order) -> None:
    claim = claim_of(order)
    url = reverse("claim_settle", args=[claim.pk])
    assert url not in page_of(boss, claim)
    answer(claim, ClaimState.refund)
    clerk = staff_with("view_claim")
    assert url not in page_of(clerk, claim)
    with nothing_changes():
        assert clerk.post(url, {"text": "Sent again", "seen": 2}).status_code in {302, 403}
        expected = html_of(boss.post(url, {"text": "", "seen": 2}, follow=True))
        assert "To the customer: This field is required." in expected
    assert url in page_of(boss, claim)
    page = html_of(boss.post(url, {"text": "Sent again", "seen": 2}, follow=True))
    for part in (
        "The claim is settled and the customer is notified.",
        "Sent again",
        "Accepted, settled otherwise",
    ):
        assert part in page
    assert url not in page
    assert "Refund these units" not in page
    with nothing_changes():
        page = html_of(boss.post(url, {"text": "Sent again", "seen": 3}, follow=True))
        assert "The claim has changed in the meantime" in page


def test_the_dashboard_names_claims_to_answer_and_to_refund(boss: Client, order: Order) -> None:
    claim = claim_of(order)
    assert "Claims to answer" in html_of(boss.get(reverse("wagtailadmin_home")))
    answer(claim, ClaimState.refund)
    home = html_of(boss.get(reverse("wagtailadmin_home")))
    assert "Accepted claims not refunded yet" not in home
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        boss.force_login(User.objects.get(username="boss"))
        home = html_of(boss.get(reverse("wagtailadmin_home")))
    assert "Accepted claims not refunded yet" in home
    assert claim.claim_no in home


def test_a_link_fills_the_form_of_a_refund_with_what_is_left_at_most(boss: Client, order: Order) -> None:
    line = order.lines.get()
    for asked, filled_in in (("99", 3), ("x", 0), ("-1", 0), ("9" * 30, 0)):
        url = reverse("order_refund", args=[order.pk])
        form = html_of(boss.get(url, {f"units_{line.pk}": asked, "units_x": "1", "note": "n" * 300}))
        assert f'name="units_{line.pk}" value="{filled_in}"' in form
        assert f'value="{"n" * 200}"' in form
