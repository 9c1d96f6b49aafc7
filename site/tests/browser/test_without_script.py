"""Without script a person still browses, filters, sorts, pages, searches and changes the language."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.walk import Walk
from tests.browser.words import LANGUAGES, TRANSLATED

pytestmark = pytest.mark.browser

in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
in_chinese = pytest.mark.parametrize("language", TRANSLATED)


@pytest.fixture
def walk(new_page: NewPage, language: str) -> Walk:
    """A person whose browser runs no script, at the list."""
    return Walk(new_page("desktop", java_script_enabled=False), language).open("/shop")


def names(page: Page) -> list[str]:
    """Read the products' names from their cards."""
    return page.get_by_role("article").get_by_role("heading").all_inner_texts()


def prices(page: Page) -> list[float]:
    """Read the prices from the cards that no promotion has made cheaper than lists sort them, in AUD."""
    cards = [
        json.loads(card.get_attribute("data-product") or "{}") for card in page.get_by_role("article").all()
    ]
    return [card["memberPrice"] for card in cards if "action" not in card]


def total(page: Page) -> int:
    """Read how many products the list has."""
    return int(re.sub(r"\D", "", page.get_by_role("main").get_by_role("status").inner_text()))


@in_chinese
def test_products_are_filtered_by_brand_and_stock(walk: Walk) -> None:
    page = walk.page
    everything = total(page)
    brand = page.get_by_role("checkbox").first
    counted = int(re.sub(r"\D", "", brand.locator("xpath=..").locator("span").last.inner_text()))
    name = brand.locator("xpath=..").locator("span").first.inner_text()
    brand.check()
    apply = page.get_by_role("button", name=walk.words.page("Apply filters"))
    apply.click()
    expect(page).to_have_url(re.compile("brandName="))
    assert total(page) == counted < everything
    page.get_by_role("article").first.get_by_role("heading").get_by_role("link").click()
    expect(page.get_by_role("main").get_by_role("link", name=name).first).to_be_visible()
    page.go_back()
    page.get_by_role("radio", name=re.compile("^" + walk.words.page("Sold out", context="stock"))).check()
    apply.click()
    expect(page).to_have_url(re.compile("stockType=3"))
    assert total(page) < counted
    for card in page.get_by_role("article").all():
        expect(card.get_by_role("button")).to_be_disabled()
    page.get_by_role("link", name=walk.words.page("Clear all")).first.click()
    expect(page).not_to_have_url(re.compile("stockType="))
    assert total(page) == everything


@in_chinese
def test_products_are_sorted_and_paged(walk: Walk) -> None:
    page = walk.page
    page.locator("details.menu:visible summary").click()
    page.get_by_role("link", name=walk.words.page("Price, low to high")).locator("visible=true").click()
    expect(page).to_have_url(re.compile("orderBy=price"))
    cheapest = prices(page)
    assert len(cheapest) > 12
    assert cheapest == sorted(cheapest)
    seen = names(page)
    page.get_by_role("navigation", name=walk.words.page("Pages", "pager")).get_by_role(
        "link", name="2"
    ).first.click()
    expect(page).to_have_url(re.compile("page=2"))
    next_ones = prices(page)
    assert next_ones == sorted(next_ones)
    assert next_ones[0] >= cheapest[-1]
    assert not set(seen) & set(names(page))


@in_both_languages
def test_products_are_searched_in_either_language(walk: Walk) -> None:
    page = walk.page
    for word in ("oyster sauce", "蚝油"):
        page.get_by_role("searchbox").fill(word)
        page.get_by_role("button", name=walk.words.page("Search"), exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(word)
        assert total(page) > 0
        expect(page.get_by_role("article").first).to_contain_text("蚝油")
    page.get_by_role("searchbox").fill("zzzzqqqq")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("word=zzzzqqqq"))
    expect(page.get_by_role("heading", level=3, name=re.compile("zzzzqqqq"))).to_be_visible()
    # What sells well is offered instead, and is called so.
    offered = page.get_by_role("region", name=walk.words.page("Popular products")).get_by_role("article")
    expect(page.get_by_role("article")).to_have_count(offered.count())
    way_out = page.get_by_role("main").get_by_role("link", name=walk.words.page("All products"))
    expect(way_out.last).to_be_visible()


@in_both_languages
def test_the_language_changes_in_place(walk: Walk, language: str) -> None:
    page = walk.page
    walk.open("/shop?orderBy=price&word=rice")
    before = total(page)
    other = "English" if language == "zh-hans" else "中文"
    page.get_by_role("region").get_by_role("link", name=other).click()
    prefix = "" if language == "zh-hans" else "/zh-hans"
    expect(page).to_have_url(re.compile(rf"//[^/]+{prefix}/shop\?"))
    expect(page.locator("html")).to_have_attribute("lang", "en-AU" if language == "zh-hans" else "zh-Hans")
    assert total(page) == before
    expect(page.get_by_role("searchbox")).to_have_value("rice")


@in_chinese
def test_a_page_that_needs_script_shows_it(walk: Walk) -> None:
    line = walk.words.page("This page needs JavaScript: please turn it on in your browser.")
    notice = walk.page.get_by_role("main").locator("noscript > p")
    for path in (
        "/home/cart",
        "/home/createOrder/delivery",
        "/home/createOrder/payType",
        "/home/login",
        "/home/account/orders",
        "/home/account/accountdetails",
        "/home/payResult/1",
    ):
        walk.open(path)
        expect(notice).to_be_visible()
        expect(notice).to_have_text(line)
