"""A customer claims what came damaged, staff ask and decide; orders are found by what is known of them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, NewPage, Staff
from tests.browser.shops import Shop
from tests.browser.test_doorstep import SHIP
from tests.browser.walk import Walk, picture
from tests.browser.wire import DEMO, PASSWORD, Wire
from tests.browser.words import LANGUAGES, TRANSLATED

pytestmark = pytest.mark.browser

ANSWER = """
from django.contrib.auth.models import User
from commerce.claims.services import answer_claim
claim = order.claims.get()
answer_claim(claim=claim, to="{to}", text="{text}", seen=claim.messages,
    staff=User.objects.get(username="manager"))
"""


def never_scrolls_sideways(page: Page) -> None:
    width = page.evaluate("document.documentElement.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_damaged_product_is_claimed_asked_about_and_decided(
    new_page: NewPage, axe: Axe, shop: Shop, wire: Wire, staff: Staff, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    order_no = wire.place_order(wire.plentiful(1)[0], 2)
    wire.call("POST", "/order/pay", {"orderNo": order_no, "payType": "0", "password": PASSWORD})
    staff(order_no, SHIP)
    line = wire.order(order_no)["goods"][0]

    walk.open(f"/home/account/orderdetails/{order_no}")
    walk.link("orders.claim").click()
    expect(walk.heading("claims.formTitle")).to_be_visible()
    walk.button("claims.send").click()
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text(words("claims.nothing"))
    expect(summary).to_contain_text(words("claims.missingText"))
    axe(page)
    never_scrolls_sideways(page)

    units = page.locator(f"#units-{line['goodsId']}-0")
    units.fill("3")
    walk.field("claims.what").select_option("damaged")
    walk.field("claims.text").fill("The bag is torn")
    walk.field("claims.pictures").set_input_files(
        [picture(f"{number}.png", (600, 400)) for number in range(5)]
    )
    expect(page.get_by_text(words("claims.tooManyPictures", count=4))).to_be_visible()
    for name in ("1.png", "2.png", "3.png"):
        walk.button("claims.removePicture", name=name).click()
    walk.button("claims.send").click()
    expect(summary).to_contain_text(words("claims.wrongUnits", count=2))
    units.fill("1")
    axe(page)
    walk.button("claims.send").click()
    walk_to = re.compile(r"/home/account/claims/(C\w+)$")
    expect(page).to_have_url(walk_to)
    found = walk_to.search(page.url)
    assert found
    claim_no = found[1]
    walk.open(f"/home/account/claims/new/{order_no}")
    expect(walk.field("claims.what")).to_be_visible()
    expect(walk.field("claims.units")).to_have_count(0)
    page.go_back()
    expect(page.get_by_text("The bag is torn")).to_be_visible()
    shown = page.get_by_role("img", name=words("claims.yourPicture", number=1))
    expect(shown).to_have_js_property("naturalWidth", 600)
    axe(page)
    never_scrolls_sideways(page)

    staff(order_no, ANSWER.format(to="asking", text="Is it the lid?"))
    [sent] = [message for message in shop.messages(order_no) if claim_no in message["text"]]
    assert "Is it the lid?" in sent["text"]
    walk.open("/home/account/claims")
    walk.link("claims.answerOf", claimNo=claim_no).click()
    expect(page.get_by_text("Is it the lid?")).to_be_visible()
    walk.button("claims.sendReply").click()
    expect(page.get_by_role("alert")).to_contain_text(words("claims.missingReply"))
    walk.field("claims.message").fill("No, the bag")
    walk.button("claims.sendReply").click()
    expect(page.get_by_text(words("claims.replied"))).to_be_visible()
    expect(page.get_by_text("No, the bag")).to_be_visible()
    axe(page)

    staff(order_no, ANSWER.format(to="replacement", text="A new one comes"))
    page.reload()
    expect(page.get_by_text(words("claims.next.replacement"))).to_be_visible()
    expect(page.get_by_text("A new one comes")).to_be_visible()
    expect(walk.field("claims.message")).to_have_count(0)
    axe(page)
    walk.open("/home/account/claims")
    expect(page.get_by_role("article", name=words("claims.claim", claimNo=claim_no))).to_be_visible()
    axe(page)
    never_scrolls_sideways(page)


@pytest.mark.parametrize("language", TRANSLATED)
def test_pages_of_claims_show_that_there_is_nothing_and_why_they_fail(
    new_page: NewPage, axe: Axe, shop_url: str, language: str
) -> None:
    demo = Wire(shop_url).log_in(DEMO)
    walk = Walk(new_page("phone", demo), language)
    page = walk.page
    walk.open("/home/account/claims")
    expect(walk.heading("claims.none")).to_be_visible()
    axe(page)
    for path, key in (("claims/C0", "claim_not_found"), ("claims/new/S0", "order_not_found")):
        walk.open(f"/home/account/{path}")
        expect(page.get_by_role("alert")).to_contain_text(walk.words._errors[key])
        axe(page)
    page.route("**/pc/claims?*", lambda route: route.abort())
    walk.open("/home/account/claims")
    expect(page.get_by_role("alert")).to_contain_text(walk.words("errors.network"))
    axe(page)
    page.unroute_all()
    walk.button("ui.tryAgain").click()
    expect(walk.heading("claims.none")).to_be_visible()


@pytest.mark.parametrize("language", TRANSLATED)
def test_orders_are_found_by_word_period_and_status_and_the_way_back_restores_them(
    new_page: NewPage, axe: Axe, wire: Wire, language: str
) -> None:
    walk = Walk(new_page("phone", wire), language)
    page, words = walk.page, walk.words
    product = wire.plentiful(1)[0]
    order_no = wire.place_order(product)
    card = page.get_by_role("article", name=words("orders.order", orderNo=order_no))

    walk.open("/home/account/orders")
    expect(card).to_be_visible()
    axe(page)
    walk.field("orders.search").fill(product["goodsEnglishName"])
    walk.button("orders.find").click()
    expect(card).to_be_visible()
    expect(walk.field("orders.search")).to_have_value(product["goodsEnglishName"])
    last_days = page.get_by_role("link", name=words("orders.lastDays", count=30), exact=True)
    expect(last_days).to_be_hidden()
    walk.button("orders.filter").click()
    axe(page)
    last_days.click()
    expect(page).to_have_url(re.compile(r"\bword=.*\bfrom=20"))
    expect(card).to_be_visible()
    walk.button("orders.filterSet", count=1).click()
    page.get_by_role("link", name=words("orders.status.completed"), exact=True).click()
    expect(page).to_have_url(re.compile("status=completed.*word=.*from=20"))
    expect(page.locator(".account__main").locator(".skel, [aria-busy=true]")).to_have_count(0)
    expect(card).to_have_count(0)

    page.go_back()
    expect(card).to_be_visible()
    page.reload()
    expect(walk.field("orders.search")).to_have_value(product["goodsEnglishName"])
    walk.field("orders.search").fill("%")
    walk.button("orders.filterSet", count=1).click()
    page.get_by_text(words("orders.chooseDays"), exact=True).click()
    walk.field("orders.to").fill("2020-01-31")
    walk.field("orders.from").fill("2020-01-01")
    axe(page)
    walk.button("orders.showDays").click()
    expect(walk.heading("orders.noneFound", word="%")).to_be_visible()
    axe(page)
    never_scrolls_sideways(page)
    walk.link("orders.clear").click()
    expect(card).to_be_visible()

    # A day to come in a field that is folded away stops no search.
    walk.open("/home/account/orders?from=2099-01-01")
    walk.field("orders.search").fill("rice")
    walk.button("orders.find").click()
    expect(page).to_have_url(re.compile(r"word=rice"))
    wire.call("PUT", f"/order/cancel/{order_no}")
