"""A customer marks products, makes a list, shares it and buys all of it; the browser knows what was seen."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import COUNT_SHIFTS, MAX_SHIFTS, Axe, NewPage
from tests.browser.shops import Shop
from tests.browser.test_scroll import wait_until
from tests.browser.walk import Walk
from tests.browser.wire import Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.translated, pytest.mark.parametrize("language", LANGUAGES)]

PATH = "/home/account/favourites"
MAKE_CUSTOMER = """
from commerce.accounts.tests.builders import make_customer
make_customer(account="{account}", nickname="Mei Lin")
"""


@pytest.fixture
def wire(shop: Shop) -> Wire:
    """The API as a customer without any favourites, who has not logged in with a browser."""
    account = f"favourites-{uuid4().hex}@example.com"
    code = MAKE_CUSTOMER.format(account=account)
    shop.run(code)
    return Wire(shop.url).log_in(account)


def account_of(wire: Wire) -> str:
    account: str = wire.call("GET", "/user/userInfo")["account"]
    return account


def test_a_marked_product_goes_into_a_list_that_is_shared_and_bought(
    new_page: NewPage, wire: Wire, axe: Axe, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport), language)
    page, words = walk.page, walk.words
    first, second = wire.plentiful(2)
    names = [words.name_of(product) for product in (first, second)]

    # A guest logs in first, comes back, and the product is marked.
    walk.open(f"/shop/shopdetails/{first['goodsId']}")
    heart = page.get_by_role("button", name=words.page("Favourite", "heart"), exact=True)
    expect(heart).to_have_attribute("aria-pressed", "false")
    heart.click()
    walk.expect_at("/home/login")
    walk.log_in(account_of(wire))
    walk.expect_at(f"/shop/shopdetails/{first['goodsId']}")
    expect(heart).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text(words("favourites.added"))).to_be_visible()
    assert wire.call("GET", "/favourites/goodsIds") == {"goodsIds": [first["goodsId"]]}
    axe(page)
    heart.click()
    expect(heart).to_have_attribute("aria-pressed", "false")
    heart.click()
    expect(heart).to_have_attribute("aria-pressed", "true")

    # A list of one's own, from the product's page.
    walk.open(f"/shop/shopdetails/{second['goodsId']}")
    page.get_by_role("button", name=words.page("Add to a list"), exact=True).click()
    dialog = page.get_by_role("dialog", name=words("favourites.inLists"))
    expect(dialog.get_by_role("checkbox")).to_have_count(1)
    walk.button("favourites.make").click()
    expect(walk.field("favourites.newList")).to_have_accessible_description(words("favourites.nameMissing"))
    axe(page)
    walk.field("favourites.newList").fill("Hotpot 火锅")
    walk.button("favourites.make").click()
    box = dialog.get_by_role("checkbox", name=re.compile("Hotpot"))
    expect(box).to_be_checked()
    expect(dialog.get_by_role("checkbox", name=re.compile(words("favourites.title")))).not_to_be_checked()
    walk.button("favourites.done").click()
    expect(dialog).to_have_count(0)

    # The page of all lists: move a product, buy the list, and share it.
    walk.open(PATH)
    expect(page.get_by_role("link", name=names[0], exact=True)).to_be_visible()
    axe(page)
    walk.button("favourites.moveOf", name=names[0]).click()
    page.get_by_role("dialog").get_by_role("button", name="Hotpot 火锅").click()
    expect(page.get_by_role("heading", name=words("favourites.empty"))).to_be_visible()
    axe(page)
    page.get_by_role("link", name=re.compile("Hotpot")).click()
    expect(page).to_have_url(re.compile(r"\?list=\d+$"))
    page.reload()
    for name in names:
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    walk.button("favourites.addAll").click()
    expect(page.get_by_text(words("favourites.addedAll", count=2))).to_be_visible()
    assert wire.cart() == {first["goodsId"]: 1, second["goodsId"]: 1}

    walk.button("favourites.share").click()
    walk.field("favourites.shareTitle").fill("For our winter party")
    walk.page.keyboard.press("Enter")
    expect(walk.field("favourites.link")).to_be_visible()
    axe(page)
    link = walk.field("favourites.link").input_value()
    other = new_page(viewport)
    other.goto(link)
    expect(other.get_by_role("heading", level=1, name="For our winter party")).to_be_visible()
    for name in names:
        expect(other.get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(other.get_by_text("Mei Lin")).to_have_count(0)
    axe(other)
    walk.button("favourites.endLink").click()
    expect(walk.button("favourites.makeLink")).to_be_visible()
    expect(walk.field("favourites.shareTitle")).to_be_focused()
    walk.button("favourites.done").click()
    assert other.request.get(link).status == 404

    # Back opens the list before; a list that is deleted is gone with what is in it.
    page.go_back()
    expect(page.get_by_role("heading", name=words("favourites.empty"))).to_be_visible()
    page.go_forward()
    walk.button("favourites.removeList").first.click()
    page.get_by_role("dialog").get_by_role("button", name=words("favourites.removeList"), exact=True).click()
    walk.expect_at(PATH)
    expect(page.get_by_role("heading", name=words("favourites.empty"))).to_be_visible()
    assert [row["count"] for row in wire.call("GET", "/favourites")["list"]] == [0]


def test_the_page_waits_for_a_list_and_tries_again_where_it_failed(
    new_page: NewPage, wire: Wire, axe: Axe, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    held: list[Route] = []
    page.route("**/api/v1/pc/favourites/0/goods?*", lambda route: held.append(route))
    walk.open(PATH)
    expect(page.locator("shop-island[name=favourites] .skel").first).to_be_visible()
    axe(page)
    while not held:
        page.wait_for_timeout(50)
    held.pop().abort()
    expect(walk.button("ui.tryAgain")).to_be_visible()
    axe(page)
    page.unroute("**/api/v1/pc/favourites/0/goods?*")
    walk.button("ui.tryAgain").click()
    expect(page.get_by_role("heading", name=words("favourites.empty"))).to_be_visible()
    shown = page.locator(".account__main").get_by_text(words("favourites.title"), exact=True)
    expect(shown).to_have_count(1)


def near_end(page: Page) -> None:
    """Scroll to where the products seen before are shown, once what is on the page is painted.

    What comes in the frame of the scroll itself would count as moved by it.
    """
    page.evaluate(
        """() => new Promise((scrolled) => requestAnimationFrame(() => requestAnimationFrame(() => {
            scrollTo(0, document.body.scrollHeight);
            scrolled();
        })))"""
    )


def test_products_seen_before_are_shown_until_they_are_cleared(
    new_page: NewPage, shop_url: str, axe: Axe, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport), language)
    page, words = walk.page, walk.words
    page.add_init_script(COUNT_SHIFTS)
    first, second = Wire(shop_url).plentiful(2)
    section = page.locator("[data-recent]")
    seen = "JSON.parse(localStorage.getItem('shop.recent') ?? '[]').map(each => each.goodsId)"
    for product in (first, second):
        walk.open(f"/shop/shopdetails/{product['goodsId']}")
        # Products below the visible part are not remembered.
        page.mouse.wheel(0, 1)
        wait_until(page, f"({seen})[0] === {product['goodsId']}")
    near_end(page)
    expect(section.get_by_role("link", name=words.name_of(first), exact=True)).to_be_visible()
    expect(section.locator("article.card")).to_have_count(1)
    assert page.evaluate("window.shifts") <= MAX_SHIFTS
    axe(page)
    section.get_by_role("button").last.scroll_into_view_if_needed()
    section.locator("[data-recent-clear]").click()
    expect(section).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert page.evaluate(seen) == []
