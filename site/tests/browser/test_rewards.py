"""A customer earns points with an order, spends them on the next one, and reads it all in their account."""

from decimal import Decimal

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.shops import Shop
from tests.browser.test_doorstep import pay_from_wallet
from tests.browser.walk import Walk, money
from tests.browser.wire import Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.translated, pytest.mark.parametrize("language", LANGUAGES)]

ADDRESSEE = "Jack Wong"
# What staff press for a customer who has too few points to spend.
GIVE = """
from django.contrib.auth.models import User
from commerce.accounts.models import Customer
from commerce.ledger.points import adjust_points
customer, staff = Customer.objects.get(account="demo2@example.com"), User.objects.first()
seen = customer.points_adjustments.count()
adjust_points(customer=customer, points=1_000, staff=staff, note="welcome", seen=seen)
"""
# The presses of staff and the scheduled jobs until an order has earned its points.
COMPLETE = """
from commerce.orders.models import Order
from commerce.orders.moves import Move
from commerce.orders.points import book_due_points
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
order = Order.objects.get(order_no={order_no!r})
for move in (Move.send_out, Move.deliver):
    order.refresh_from_db()
    move_order(order=order, move=move, seen=OrderStatus(order.status))
book_due_points()
"""


def to_delivery(walk: Walk, wire: Wire) -> Decimal:
    """Check out three units of a product for the saved address; returns what they cost."""
    [product] = wire.plentiful(1)
    walk.check_out_all(wire, product, amount=3)
    walk.choose_address(ADDRESSEE)
    return Decimal(product["memberPrice"]) * 3


def spent(walk: Walk) -> Locator:
    """Find what points have paid, next to what is to come of others."""
    label = walk.page.get_by_text(walk.words("checkout.points"), exact=True)
    return walk.page.locator("dl.totals > div").filter(has=label)


def test_points_are_earned_with_one_order_and_spent_on_the_next(
    new_page: NewPage, axe: Axe, shop: Shop, wire: Wire, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    shop.run(GIVE)
    before = wire.call("GET", "/user/rewards")["integral"]

    # Until the order is completed its points are to come.
    amount = to_delivery(walk, wire)
    walk.to_payment()
    earning = pay_from_wallet(walk)
    earned = int(amount)
    walk.open(f"/home/account/orderdetails/{earning}")
    expect(walk.row(words("orders.pointsPending"))).to_contain_text(str(earned))
    shop.run(COMPLETE.format(order_no=earning))
    page.reload()
    expect(walk.row(words("orders.points"))).to_contain_text(str(earned))

    # The field contains as many as can pay, and less can be spent.
    to_delivery(walk, wire)
    field = walk.field("points.use")
    expect(field).to_have_value(str(min(before + earned, int(amount * 100))))
    field.fill("500")
    walk.button("points.apply").click()
    worth = money(Decimal(5))
    expect(page.get_by_text(words("points.used", points=500, count=500, amount=worth))).to_be_visible()
    expect(spent(walk)).to_contain_text(f"−{worth}")
    axe(page)
    walk.to_payment()
    spending = pay_from_wallet(walk)
    order = wire.order(spending)
    assert (order["points"], order["pointsAmount"]) == (500, 5)
    walk.open(f"/home/account/orderdetails/{spending}")
    expect(spent(walk)).to_contain_text(f"−{money(Decimal(5))}")

    # The statement has both, with the balance after each, and the page shows what the next level asks for.
    walk.open("/home/account/rewards")
    rows = page.locator(".statement tbody tr")
    expect(rows.nth(0)).to_contain_text(words("points.reason.spent"))
    expect(rows.nth(0)).to_contain_text("−500")
    expect(rows.nth(1)).to_contain_text(words("points.reason.earned"))
    expect(rows.nth(1)).to_contain_text(f"+{earned}")
    expect(page.locator(".points-balance")).to_have_text(f"{before + earned - 500:,}")
    expect(page.locator(".level-progress")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)
    walk.open("/home/account/accountdetails")
    expect(page.get_by_text(words("points.rate"), exact=True)).to_be_visible()
    axe(page)
