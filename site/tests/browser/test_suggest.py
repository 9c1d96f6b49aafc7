"""While a visitor types into the search, products, brands and categories are suggested, by keyboard too."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.walk import PREFIX, Walk
from tests.browser.words import LANGUAGES, TRANSLATED

pytestmark = pytest.mark.browser

in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
in_chinese = pytest.mark.parametrize("language", TRANSLATED)


def asked(page: Page) -> list[str]:
    """The URLs of all suggestions that the page requests from now on."""
    found: list[str] = []

    def note(request: Request) -> None:
        if "/pc/suggest" in request.url:
            found.append(request.url)

    page.on("request", note)
    return found


@in_both_languages
def test_suggestions_are_chosen_by_keyboard(
    new_page: NewPage, axe: Axe, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport), language).open("/home")
    page = walk.page
    field = page.locator("#q")
    field.click()
    expect(field).to_have_attribute("role", "combobox")
    field.press_sequentially("oyster sauce", delay=30)
    options = page.get_by_role("option")
    expect(options.first).to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".announcer")).to_have_text(re.compile(rf"\b{options.count()}\b"))
    for text in ("蚝油", "Oyster Sauce", "$"):
        expect(page.locator(".suggest")).to_contain_text(text)
    axe(page)

    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    assert field.get_attribute("aria-activedescendant") == options.first.get_attribute("id")
    page.keyboard.press("ArrowUp")
    expect(options.first).to_have_attribute("aria-selected", "false")
    page.keyboard.press("Escape")
    expect(page.locator(".suggest")).to_be_hidden()
    expect(field).to_have_value("oyster sauce")
    expect(field).to_be_focused()

    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    target = options.last.get_attribute("href") or ""
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(re.escape(target) + "$"))
    assert target.startswith(PREFIX[language] + "/shop/shopdetails/")


@in_chinese
def test_enter_without_a_choice_searches(walk: Walk) -> None:
    walk.open("/home")
    page = walk.page
    field = page.locator("#q")
    field.click()
    field.press_sequentially("蚝油")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Enter")
    walk.expect_at("/shop")
    expect(page.get_by_role("heading", level=1)).to_contain_text("蚝油")


@in_chinese
def test_a_brand_and_a_category_link_to_their_products(walk: Walk) -> None:
    walk.open("/home")
    page = walk.page
    for word, query in (("lee kum", "brandName=Lee%20Kum%20Kee"), ("vegetables", "firstCategoryId=")):
        page.locator("#q").fill(word)
        page.locator(f".suggest a[href*='{query}']").first.click()
        expect(page).to_have_url(re.compile(r"/shop\?" + query))
        expect(page.get_by_role("article").first).to_be_visible()


@in_chinese
def test_few_requests_are_sent_and_none_while_an_input_method_composes(walk: Walk) -> None:
    walk.open("/home")
    page = walk.page
    field = page.locator("#q")
    field.click()
    expect(field).to_have_attribute("role", "combobox")
    questions = asked(page)
    field.press_sequentially("jasmine rice", delay=60)
    expect(page.get_by_role("option").first).to_be_visible()
    assert len(questions) <= 3

    field.fill("")
    questions.clear()
    session = page.context.new_cdp_session(page)
    for text in ("h", "ha", "hao", "hao'y"):
        session.send("Input.imeSetComposition", {"text": text, "selectionStart": 1, "selectionEnd": 1})
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(700)
    assert questions == []
    session.send("Input.insertText", {"text": "蚝油"})
    expect(page.get_by_role("option").first).to_be_visible()
    expect(page.locator(".suggest")).to_contain_text("蚝油")
    assert len(questions) == 1


@in_chinese
def test_a_failing_request_does_not_disturb_the_search(walk: Walk) -> None:
    walk.open("/home")
    page = walk.page
    page.route("**/pc/suggest*", lambda route: route.abort())
    field = page.locator("#q")
    field.click()
    field.press_sequentially("rice")
    page.wait_for_timeout(600)
    expect(page.locator(".suggest")).to_be_hidden()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.keyboard.press("Enter")
    walk.expect_at("/shop")


@in_chinese
def test_adding_without_a_network_keeps_the_page_and_shows_it(new_page: NewPage, language: str) -> None:
    walk = Walk(new_page("phone", service_workers="allow"), language).open("/shop")
    page = walk.page
    page.wait_for_load_state("networkidle")
    walk.wait_for_worker()
    page.context.set_offline(True)
    page.locator(".card__add button.add:enabled").first.tap()
    expect(page.get_by_role("alert")).to_contain_text(walk.words("errors.network"))
    walk.expect_at("/shop")
    expect(page.get_by_role("article").first).to_be_visible()
