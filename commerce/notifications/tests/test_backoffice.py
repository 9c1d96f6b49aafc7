from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from commerce.accounts.tests.staff import staff_with
from commerce.messaging.models import Message
from commerce.notifications.models import NotificationSwitch
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, make_order, make_pick_up, make_stocked, nothing_changes
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db


def preview(client: Client, **asked: str) -> str:
    response = client.get(reverse("notification_preview"), asked)
    assert response.status_code == 200
    return html_of(response)


def test_staff_see_a_message_as_page_and_text_before_a_customer_gets_it(
    staff: Client, subtests: pytest.Subtests
) -> None:
    order = make_order(Buyer(), (make_stocked(name_en="Rice & <b>peas</b>", name_zh="Rice & <b>peas</b>"), 1))
    for language, subject, amount in (
        ("en", "Your refund for order", "Refund: A$"),
        ("zh-hans", "的款项", "退款：A$"),
    ):
        with subtests.test(language=language, subject=subject, amount=amount):
            asked = {"kind": "refunded", "language": language, "order_no": order.order_no.lower()}
            with nothing_changes():
                shown = preview(staff, **asked)
            assert subject in shown
            assert amount in shown
            # The page is in a frame that runs nothing, its own texts escaped in it once more.
            frame = shown[shown.index("<iframe") : shown.index("</iframe>")]
            assert " sandbox " in frame
            assert "<b>peas" not in shown
            assert "Rice &amp; &lt;b&gt;peas&lt;/b&gt;" in unescape(frame)
            assert not Message.objects.exists()


def test_an_order_that_is_not_there_is_named(staff: Client) -> None:
    make_order(Buyer())
    shown = preview(staff, kind="paid", language="en", order_no="S0")
    assert "There is no such order." in shown
    assert "<iframe" not in shown
    assert "<iframe" in preview(staff, kind="paid", language="en")


def test_a_preview_without_any_order_explains_it(staff: Client) -> None:
    shown = preview(staff, kind="paid", language="en")
    assert "There is no order yet to show a message about." in shown
    assert "<iframe" not in shown


def test_a_preview_keeps_the_pick_up_code_from_staff(staff: Client, subtests: pytest.Subtests) -> None:
    order = make_pick_up(Buyer())
    Order.objects.update(pickup_code="777333")
    for language in ("en", "zh-hans"):
        with subtests.test(language=language):
            with nothing_changes():
                shown = preview(staff, kind="ready", language=language, order_no=order.order_no)
            assert "777333" not in shown
            # In the page, the text and the SMS.
            assert shown.count("123456") == 3


def test_a_preview_gives_an_example_of_what_an_order_has_not(
    staff: Client, subtests: pytest.Subtests
) -> None:
    order = make_order(Buyer(), (make_stocked(name_en="Rice"), 2))
    for kind, words in (("left_out", "Not sent: 1 × Rice"), ("asking", "(The question that staff ask")):
        with subtests.test(kind=kind, words=words), nothing_changes():
            assert words in preview(staff, kind=kind, language="en", order_no=order.order_no)


def test_staff_without_the_right_see_no_message() -> None:
    response = staff_with("view_order").get(
        reverse("notification_preview"), {"kind": "paid", "language": "en"}
    )
    assert response.status_code in {302, 403}


def test_staff_switch_a_message_off_and_add_or_delete_none(staff: Client) -> None:
    NotificationSwitch.objects.get_or_create(kind="shipped")
    edit = reverse("notification_switches:edit", args=["shipped"])
    version = staff.get(edit).context["form"]
    values = {name: version[name].value() for name in version.fields if name != "is_on"}
    assert staff.post(edit, values).status_code == 302
    assert not NotificationSwitch.objects.get(kind="shipped").is_on
    with nothing_changes():
        assert staff.get(reverse("notification_switches:delete", args=["shipped"])).status_code in {302, 403}
