"""The page of one product: its gallery, its sizes without a reload, and its back-in-stock alert."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.walk import Walk
from tests.browser.words import LANGUAGES, TRANSLATED

pytestmark = pytest.mark.browser

in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
in_chinese = pytest.mark.parametrize("language", TRANSLATED)

# Of the demonstration: rice in two sizes with a gallery and a was-price, and a duck that is sold out.
RICE, LARGE_RICE, DUCK = 40101, 40102, 50205


def address(goods_id: int) -> str:
    return f"/shop/shopdetails/{goods_id}"


@in_both_languages
def test_another_size_is_shown_without_leaving_the_page(walk: Walk, axe: Axe) -> None:
    page = walk.open(address(RICE)).page
    page.evaluate("window.stayed = true")
    price = page.locator(".buy .price__now").first
    small = price.inner_text()
    page.locator(".spec:not([aria-current])").click()
    walk.expect_at(address(LARGE_RICE))
    expect(page.locator(".spec[aria-current]")).to_be_focused()
    expect(price).not_to_have_text(small)
    assert page.evaluate("window.stayed")
    axe(page)

    page.get_by_role("button", name=walk.words.page("Add to cart"), exact=True).first.click()
    expect(page.locator("[data-cart-count]").first).to_have_text("1")
    page.go_back()
    walk.expect_at(address(RICE))
    expect(price).to_have_text(small)


@in_chinese
def test_back_shows_the_product_of_its_address_after_a_reload(walk: Walk) -> None:
    page = walk.open(address(RICE)).page
    title = page.title()
    page.locator(".spec:not([aria-current])").click()
    walk.expect_at(address(LARGE_RICE))
    page.reload()
    # Without a touch of the page, whose sizes have no script yet.
    page.evaluate("history.back()")
    walk.expect_at(address(RICE))
    expect(page).to_have_title(title)


@in_both_languages
def test_pictures_are_moved_and_enlarged_by_keyboard(walk: Walk, axe: Axe) -> None:
    page = walk.open(address(RICE)).page
    thumbs = page.locator(".gallery__thumbs a")
    thumbs.nth(1).focus()
    page.keyboard.press("Enter")
    expect(thumbs.nth(1)).to_have_attribute("aria-current", "true")
    walk.expect_at(address(RICE))
    picture = page.locator("[data-zoom]").nth(1)
    picture.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img")).to_be_visible()
    axe(page)
    second = picture.get_attribute("href")
    assert second
    expect(dialog.get_by_role("img")).to_have_attribute("src", re.compile(re.escape(second)))
    page.keyboard.press("ArrowLeft")
    expect(dialog.get_by_role("img")).not_to_have_attribute("src", re.compile(re.escape(second)))
    dialog.get_by_role("button", name=walk.words.page("Next picture")).click()
    expect(dialog.get_by_role("img")).to_have_attribute("src", re.compile(re.escape(second)))
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(picture).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.mouse.click(2, 2)
    expect(dialog).to_be_hidden()
    page.keyboard.press("Tab")
    third = page.locator("[data-zoom]").nth(2)
    expect(third).to_be_focused()
    expect(third).to_be_in_viewport(ratio=0.5)


@in_chinese
def test_a_size_is_chosen_on_the_card(new_page: NewPage, language: str, axe: Axe) -> None:
    walk = Walk(new_page("phone"), language).open("/shop?word=jasmine+rice")
    page = walk.page
    choose = page.locator("a[data-sizes]").first
    choose.tap()
    sizes = page.get_by_role("dialog")
    expect(sizes.get_by_role("article")).to_have_count(2)
    sizes.locator("button.add").last.tap()
    expect(sizes.locator(".stepper output")).to_have_text("1")
    axe(page)
    page.keyboard.press("Escape")
    expect(sizes).to_be_hidden()
    expect(choose).to_be_focused()
    expect(page.locator(".tabbar [data-cart-count]")).to_have_text("1")


@in_both_languages
def test_a_shopper_subscribes_to_a_sold_out_product(walk: Walk, axe: Axe) -> None:
    page = walk.open(address(DUCK)).page
    field = page.get_by_label(walk.words.page("Email address"), exact=True)
    send = page.get_by_role("button", name=walk.words.page("Notify me when it’s back"))
    field.fill("mei")
    send.click()
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    axe(page)
    field.fill("mei@example.com")
    send.click()
    thanks = walk.words.page("Thank you. We’ll write to you when it’s back.")
    expect(page.get_by_role("status").filter(has_text=thanks)).to_be_visible()
    axe(page)


@in_chinese
def test_the_whole_page_works_without_script(new_page: NewPage, language: str, axe: Axe) -> None:
    walk = Walk(new_page("phone", java_script_enabled=False), language).open(address(RICE))
    page = walk.page
    page.locator(".gallery__thumbs a").nth(2).click()
    expect(page).to_have_url(re.compile("#picture-3$"))
    page.locator(".spec:not([aria-current])").click()
    walk.expect_at(address(LARGE_RICE))
    walk.open(address(DUCK))
    page.get_by_label(walk.words.page("Email address"), exact=True).fill("mei@example.com")
    page.get_by_role("button", name=walk.words.page("Notify me when it’s back")).click()
    expect(page.get_by_text(walk.words.page("Thank you. We’ll write to you when it’s back."))).to_be_visible()
