"""The products list changes without a reload where script runs, and Back undoes it."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.test_scroll import wait_until
from tests.browser.test_without_script import names, total
from tests.browser.walk import Walk
from tests.browser.wire import Wire
from tests.browser.words import TRANSLATED

pytestmark = [
    pytest.mark.browser,
    pytest.mark.both_languages,
    pytest.mark.parametrize("language", TRANSLATED),
]


@pytest.fixture
def walk(new_page: NewPage, language: str) -> Walk:
    """A shopper at the list, whose page has loaded its script."""
    return at_list(Walk(new_page("desktop"), language))


def at_list(walk: Walk) -> Walk:
    walk.open("/shop")
    walk.page.locator(".toolbar a, .list__bar summary").locator("visible=true").first.focus()
    expect(walk.page.locator("shop-island[name=list][data-ready]")).to_be_attached()
    # Any reload deletes it.
    walk.page.evaluate("window.stayed = true")
    return walk


def stayed(page: Page) -> bool:
    return bool(page.evaluate("window.stayed === true"))


def a_brand(page: Page) -> tuple[Locator, int]:
    """A brand's checkbox, and its count of products."""
    # The most frequent brand has much of the first page.
    label = page.locator("[data-facet=brand] label").nth(1)
    count = int(label.locator("span").last.inner_text())
    # By its value: while a box is checked the list is exchanged, and another brand may take its position.
    value = label.get_by_role("checkbox").get_attribute("value")
    return page.locator(f'[data-facet=brand] input[value="{value}"]'), count


def expect_total(page: Page, count: int) -> None:
    expect(page.locator("[data-swap=total]")).to_contain_text(re.compile(rf"\b{count}\b"))


def test_a_filter_changes_the_list_in_place_and_back_restores_it(walk: Walk) -> None:
    page = walk.page
    everything, shown = total(page), names(page)
    box, count = a_brand(page)
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    scrolled = page.evaluate("scrollY")
    assert scrolled > 100
    value = box.get_attribute("value")

    box.click()

    expect_total(page, count)
    expect(page).to_have_url(re.compile("brandName="))
    # The ticked box is still at the same place on the screen.
    expect(page.locator("input:focus")).to_have_attribute("value", value or "")
    expect(page.locator("input:focus")).to_be_checked()
    assert names(page) != shown
    assert stayed(page)

    page.evaluate("scrollTo(0, 0)")
    page.go_back()
    expect_total(page, everything)
    expect(page).not_to_have_url(re.compile("brandName="))
    expect(page.locator("[data-facet=brand] :checked")).to_have_count(0)
    assert names(page) == shown
    wait_until(page, f"Math.abs(scrollY - {scrolled}) <= 5")
    page.go_forward()
    expect_total(page, count)
    assert stayed(page)


def test_several_filters_add_up_and_chips_remove_them(walk: Walk) -> None:
    page = walk.page
    everything = total(page)
    box, count = a_brand(page)
    box.check()
    expect_total(page, count)
    page.locator("#minPrice").fill("2")
    page.locator("#maxPrice").fill("20")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("minPrice=2&maxPrice=20"))
    expect(page.locator(".list__bar .chip")).to_have_count(2)
    page.get_by_role("radio", name=re.compile("^" + walk.words.page("In stock", context="stock"))).check()
    expect(page.locator(".list__bar .chip")).to_have_count(3)
    page.get_by_role("link", name=walk.words.page("Clear all")).click()
    expect_total(page, everything)
    expect(page).to_have_url(re.compile(r"/shop$"))
    expect(page.locator("#minPrice")).to_have_value("")
    expect(page.get_by_role("heading", name=walk.words.page("Products"), exact=True)).to_be_focused()
    assert stayed(page)


def test_what_is_typed_while_the_list_changes_is_not_lost(walk: Walk) -> None:
    page = walk.page

    def slowly(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    page.route("**/shop?minPrice=*", slowly)
    page.locator("#minPrice").fill("2")
    page.keyboard.press("Tab")
    page.keyboard.type("20")
    expect(page).to_have_url(re.compile("minPrice=2$"))
    expect(page.locator("#maxPrice")).to_be_focused()
    expect(page.locator("#maxPrice")).to_have_value("20")
    page.keyboard.press("Tab")
    expect(page).to_have_url(re.compile("minPrice=2&maxPrice=20$"))


def test_sorting_and_pages_change_in_place(walk: Walk) -> None:
    page = walk.page
    shown = names(page)
    page.locator(".sort summary").click()
    page.locator(".sort").get_by_role("link", name=walk.words.page("Price, low to high")).click()
    expect(page).to_have_url(re.compile("orderBy=price&isAsc=true"))
    expect(page.locator(".sort summary")).to_be_focused()
    by_price = names(page)
    assert by_price != shown
    pages = page.get_by_role("navigation", name=walk.words.page("Pages", "pager"))
    pages.get_by_role("link", name="2", exact=True).click()
    expect(page).to_have_url(re.compile("page=2"))
    expect(page.locator(".announcer")).to_have_text(re.compile("25–48|25"))
    expect(page.get_by_role("heading", name=walk.words.page("Products"), exact=True)).to_be_focused()
    wait_until(page, "scrollY <= 320")
    assert not set(by_price) & set(names(page))
    page.go_back()
    expect(page).not_to_have_url(re.compile("page=2"))
    expect(page.locator("h3.card__name").first).to_have_text(by_price[0])
    assert stayed(page)


def test_a_category_shows_its_name_title_and_breadcrumb(walk: Walk) -> None:
    page = walk.page
    link = page.locator(".tree li a").first
    name = link.evaluate("link => link.firstChild.textContent")
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page).to_have_title(re.compile(f"^{re.escape(name)}"))
    expect(page.locator(".crumbs [aria-current]")).to_have_text(name)
    query = re.search(r"\?.*", page.url)
    assert query
    for each in page.locator(".languages a").all():
        assert (each.get_attribute("href") or "").endswith(query[0])
    assert stayed(page)


def test_a_phone_shows_prices_first_and_categories_change_in_place(new_page: NewPage, language: str) -> None:
    walk = Walk(new_page("phone"), language).open("/home")
    page = walk.page
    expect(page.get_by_role("article").first.locator(".price")).to_be_in_viewport()
    note = page.get_by_role("complementary", name=walk.words.page("Notice"))
    expect(note).to_be_visible()
    # The price is above the notice.
    bottom = page.get_by_role("article").first.locator(".price__now").bounding_box()
    edge = note.bounding_box()
    assert bottom
    assert edge
    assert bottom["y"] + bottom["height"] <= edge["y"]

    tabs = page.get_by_role("navigation", name=walk.words.page("Quick"))
    tabs.get_by_role("link", name=walk.words.page("Categories")).tap()
    walk.expect_at("/categories")
    expect(note).to_be_hidden()
    page.evaluate("window.stayed = true")
    group = page.locator(".groups a").nth(1)
    group.tap()
    expect(group).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("heading", level=1)).to_have_text(group.inner_text())
    page.locator(".subs a").nth(1).tap()
    expect(page.locator(".subs a").nth(1)).to_have_attribute("aria-current", "page")
    assert stayed(page)


def test_products_in_the_cart_keep_their_ring(walk: Walk, shop_url: str) -> None:
    page = walk.page
    [product] = Wire(shop_url).plentiful(1)
    name = walk.words.name_of(product)
    walk.add(name)
    page.locator(".sort summary").click()
    page.locator(".sort").get_by_role("link", name=walk.words.page("Newest", "order of products")).click()
    expect(page).to_have_url(re.compile("orderBy=new"))
    page.go_back()
    expect(walk.card_stepper(name)).to_be_visible()
    walk.card_step(name).click()
    expect(walk.card_stepper(name).get_by_role("status")).to_have_text("2")


def test_without_a_network_the_list_stays_and_shows_it(new_page: NewPage, language: str) -> None:
    walk = at_list(Walk(new_page("desktop"), language))
    page = walk.page
    everything = total(page)
    box, _count = a_brand(page)
    page.route("**/shop?*", lambda route: route.abort())
    box.click()
    expect(page.get_by_role("alert")).to_contain_text(walk.words("errors.network"))
    expect(page.locator("[data-facet=brand] :checked")).to_have_count(0)
    assert total(page) == everything
    assert stayed(page)


def test_on_a_phone_the_filter_sheet_updates_and_closes(new_page: NewPage, language: str) -> None:
    walk = at_list(Walk(new_page("phone"), language))
    page = walk.page
    page.locator(".toolbar").get_by_role("link").first.click()
    expect(page.locator(".facets")).to_be_visible()
    # Most shoppers know the category, and the button's bar ends where the window does.
    tops = {
        each: page.locator(f"[data-facet={each}]").bounding_box() for each in ("price", "brand", "category")
    }
    assert tops["category"]["y"] < tops["price"]["y"] < tops["brand"]["y"]  # type: ignore[index]
    box, count = a_brand(page)
    box.check()
    show = page.locator(".facets__foot button")
    # The new list is complete, with a bar of its own.
    expect(show).to_contain_text(re.compile(rf"\b{count}\b"))
    foot = page.locator(".facets__foot").bounding_box()
    assert foot
    assert round(foot["y"] + foot["height"]) == page.evaluate("innerHeight")
    expect(page.locator(".facets")).to_be_visible()
    show.click()
    expect(page.locator(".facets")).to_be_hidden()
    expect(page).to_have_url(re.compile(r"/shop\?brandName=[^#]+$"))
    expect_total(page, count)
    page.go_back()
    expect(page).to_have_url(re.compile(r"/shop$"))
    expect(page.locator(".list__bar .chip")).to_have_count(0)
    expect(page.locator(".facets")).to_be_hidden()
    assert stayed(page)


@pytest.mark.parametrize("reload", ["by F5", "by a product and Back"])
def test_back_shows_the_list_of_its_address_after_a_reload(walk: Walk, reload: str) -> None:
    page = walk.page
    everything, shown = total(page), names(page)
    box, count = a_brand(page)
    box.check()
    expect_total(page, count)
    filtered = page.url
    if reload == "by F5":
        page.reload()
    else:
        page.goto(page.locator("h3.card__name a").first.get_attribute("href") or "")
        page.go_back()
    expect_total(page, count)

    # Without a touch of the page, whose list has no script yet.
    page.evaluate("history.back()")

    expect_total(page, everything)
    expect(page).to_have_url(re.compile(r"/shop$"))
    expect(page.locator("[data-facet=brand] :checked")).to_have_count(0)
    assert names(page) == shown
    page.evaluate("history.forward()")
    expect_total(page, count)
    expect(page).to_have_url(filtered)
