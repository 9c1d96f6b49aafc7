"""Promotions and bulk buying: shown, bought, and gone at their end."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Axe, NewPage, wire_of
from tests.browser.walk import Walk, money
from tests.browser.wire import DEMO, Goods, Wire
from tests.browser.words import LANGUAGES, TRANSLATED

pytestmark = pytest.mark.browser
wire = wire_of(DEMO)

in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
in_chinese = pytest.mark.parametrize("language", TRANSLATED)

ADDRESSEE = "Mei Chen"


def pay_by_card(walk: Walk) -> None:
    """Bring an order from the delivery step to the end of its payment."""
    walk.choose_address(ADDRESSEE)
    walk.to_payment()
    walk.pay_type("5").check()
    walk.page.locator(".co-step button.btn--lg").click()
    walk.decide("Pay")


def title(walk: Walk, promotion: dict[str, Any]) -> str:
    """Return a promotion's name in the walk's language."""
    name: str = promotion["goodsActionTypeName" + ("" if walk.words.language == "zh-hans" else "En")]
    return name


def offered(wire: Wire, place: int = 0) -> tuple[dict[str, Any], list[Goods]]:
    """Return a running promotion and its products."""
    promotion = wire.call("GET", "/actionType/list")[place]
    return promotion, wire.call("GET", f"/action/list/{promotion['goodsActionTypeId']}")["list"]


@in_both_languages
def test_products_of_a_promotion_are_bought_next_to_others_at_its_price(
    walk: Walk, axe: Axe, wire: Wire
) -> None:
    promotion, products = offered(wire)
    first, second = products[2], products[3]
    (ordinary,) = wire.plentiful(1)
    names = [walk.words.name_of(each) for each in (first, second, ordinary)]

    walk.open(f"/promotions/{promotion['goodsActionTypeId']}")
    walk.add(names[0])
    walk.card_step(names[0]).click()
    walk.add(names[1])
    walk.open("/shop").add(names[2])
    walk.open("/home/cart")

    group = walk.page.get_by_role("region", name=title(walk, promotion))
    expect(group.get_by_role("timer")).to_be_visible()
    expect(group.locator(".line")).to_have_count(2)
    axe(walk.page)
    amount = 2 * Decimal(first["memberPrice"]) + Decimal(second["memberPrice"])
    expect(group.locator(".group__foot b")).to_have_text(money(amount))

    walk.check_out(4)
    walk.log_in_at_delivery(DEMO)
    pay_by_card(walk)

    order = wire.order(walk.expect_paid())
    bought = {line["goodsId"]: (line["goodsAmount"], line["actionTypeId"]) for line in order["goods"]}
    promotion_id = promotion["goodsActionTypeId"]
    assert bought == {
        first["goodsId"]: (2, promotion_id),
        second["goodsId"]: (1, promotion_id),
        ordinary["goodsId"]: (1, None),
    }
    assert Decimal(order["orderAmount"]) == amount + Decimal(ordinary["memberPrice"])
    walk.open("/home/cart")
    expect(walk.heading("cart.empty")).to_be_visible()


@in_chinese
def test_products_of_two_promotions_are_not_ordered_together(
    new_page: NewPage, wire: Wire, language: str
) -> None:
    walk = Walk(new_page("phone"), language)
    for place in (0, 1):
        promotion, products = offered(wire, place)
        walk.open(f"/promotions/{promotion['goodsActionTypeId']}").add(walk.words.name_of(products[1]))
    walk.open("/home/cart")
    expect(walk.page.get_by_text(walk.words("promotion.onePerOrder"))).to_be_visible()
    check_out = walk.button("cart.checkOut", count=2)
    expect(check_out).to_have_attribute("aria-disabled", "true")
    name = title(walk, promotion)
    walk.button("promotion.keepOnly", name=name).click()
    expect(walk.page.get_by_text(walk.words("promotion.onePerOrder"))).to_have_count(0)
    expect(walk.button("cart.checkOut", count=1)).not_to_have_attribute("aria-disabled", "true")


@in_both_languages
def test_a_promotion_ends_without_a_reload(walk: Walk, wire: Wire, language: str) -> None:
    promotion, products = offered(wire)
    end = datetime.fromisoformat(promotion["endTimeIso"])

    def record_time(route: Route) -> None:
        # The server's clock decides, not the visitor's.
        date = format_datetime(end.astimezone(UTC) - timedelta(seconds=4), usegmt=True)
        route.fulfill(status=200, headers={"Date": date, "Content-Type": "application/json"}, body="{}")

    walk.page.route("**/actionType/list", record_time)
    walk.open(f"/promotions/{promotion['goodsActionTypeId']}")
    add = walk.add_button(walk.words.name_of(products[1]))
    expect(walk.page.get_by_role("timer")).to_be_visible()
    expect(add).to_be_visible()
    over = "This promotion has ended." if language == "en" else "活动已结束。"
    expect(walk.page.get_by_role("status").filter(has_text=over)).to_be_visible()
    expect(add).to_have_count(0)


@in_chinese
def test_more_cartons_cost_less_each_up_to_the_order(walk: Walk, wire: Wire) -> None:
    bulk = wire.call("POST", "/goods/list", {"bulk": True, "size": 100})["list"]
    noodles = next(row for row in bulk if row["sku"] == "G070106")
    detail = wire.call("GET", f"/goods/{noodles['goodsId']}")
    size, tiers = detail["cartonSize"], detail["priceTiers"]
    name = walk.words.name_of(noodles)
    walk.open("/home/bulk")
    card = walk.page.locator("article.card", has_text=name)
    card.get_by_role("button").click()
    expect(walk.card_stepper(name).get_by_role("status")).to_have_text(str(size))
    walk.open("/home/cart")
    group = walk.page.get_by_role("region", name=walk.words("bulk.title"))
    total = group.locator(".group__foot b")
    expect(total).to_have_text(money(size * Decimal(tiers[1]["price"])))
    walk.step(name).click()
    amount = 2 * size * Decimal(tiers[2]["price"])
    expect(total).to_have_text(money(amount))

    walk.check_out(2 * size)
    walk.log_in_at_delivery(DEMO)
    expect(total).to_have_count(0)
    pay_by_card(walk)
    order = wire.order(walk.expect_paid())
    assert (Decimal(order["orderAmount"]), order["goods"][0]["goodsAmount"]) == (amount, 2 * size)
