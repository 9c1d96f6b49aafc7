"""A customer pays by transfer: uploads the receipt, replaces it, and reads the review of staff."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Axe, NewPage, Staff
from tests.browser.shops import Shop
from tests.browser.walk import Walk, picture
from tests.browser.wire import Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

REJECT = """
from django.contrib.auth.models import User
from commerce.payments.models import Certificate
from commerce.payments.services.review import reject_transfer
reject_transfer(certificate=order.certificates.get(state="waiting"), reason=Certificate.Reason.unreadable,
    text="The amount is cut off", staff=User.objects.get(username="manager"))
"""
APPROVE = """
from django.contrib.auth.models import User
from commerce.payments.services.review import approve_transfer
approve_transfer(certificate=order.certificates.get(state="waiting"), amount=order.pay_amount,
    staff=User.objects.get(username="manager"))
"""


@pytest.fixture
def order_no(wire: Wire) -> str:
    """Return the number of an unpaid order."""
    return wire.place_order(wire.plentiful(1)[0])


def test_a_transfer_is_proven_replaced_rejected_and_approved(
    new_page: NewPage,
    axe: Axe,
    shop: Shop,
    wire: Wire,
    staff: Staff,
    order_no: str,
    language: str,
    viewport: str,
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    walk.open(f"/home/account/orderdetails/{order_no}")
    walk.pay_type("transfer").check()
    walk.button("checkout.payThisWay").click()
    instructions = page.get_by_role("region", name=words.pay_type("transfer"))
    expect(instructions.get_by_role("heading", name=words.pay_type("transfer"))).to_be_focused()
    expect(instructions).to_contain_text(words("instructions.toProve"))

    def upload(field: str, colour: str) -> None:
        walk.field(field).set_input_files(picture("slip.png", (400, 700), colour))
        expect(page.get_by_role("img", name=words("transfer.preview"))).to_be_visible()
        walk.button("transfer.send").click()
        expect(page.get_by_text(words("transfer.sent"))).to_be_visible()
        expect(page.locator(".notice").get_by_text(words("transfer.waiting"))).to_be_visible()

    def look_at(text: str) -> None:
        page.reload()
        expect(page.get_by_text(text)).to_be_visible()

    walk.button("transfer.send").click()
    expect(page.get_by_text(words("transfer.missingFile"))).to_be_visible()
    expect(walk.field("transfer.file")).to_be_focused()
    axe(page)
    upload("transfer.file", "teal")
    expect(instructions).to_contain_text(words("instructions.proven"))
    first = wire.order(order_no)["transfer"]["imgUrl"]
    shown = page.get_by_role("img", name=words("transfer.yourPicture"))
    expect(shown).to_have_js_property("naturalWidth", 400)
    axe(page)

    page.reload()
    upload("transfer.otherFile", "olive")
    assert wire.order(order_no)["transfer"]["imgUrl"].partition("?")[0] != first.partition("?")[0]

    staff(order_no, REJECT)
    look_at(words("transfer.rejected"))
    reason = f"{words('transfer.reason.unreadable')} The amount is cut off"
    expect(page.locator(".notice--warn")).to_contain_text(reason)
    assert any(f"{order_no}#transfer" in message["text"] for message in shop.messages(order_no))
    upload("transfer.otherFile", "maroon")

    staff(order_no, APPROVE)
    page.reload()
    expect(page.get_by_text(re.compile(re.escape(words("orders.step.payment"))))).to_be_visible()
    expect(walk.heading("transfer.title")).to_have_count(0)
    assert wire.order(order_no)["statusLabel"] == "Paid"
