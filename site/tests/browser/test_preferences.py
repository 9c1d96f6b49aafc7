"""What readers choose on their device: forced colours, a zoom of 200 % and 400 %, less motion, print."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.walk import Walk
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

PAGES = (
    "/home",
    "/shop?word=rice&stockType=1",
    "/shop/shopdetails/30402",
    "/promotions",
    "/home/bulk",
    "/areas",
    "/home/cart",
    "/home/login",
    "/home/about-us/help",
)
# A window of 1440 by 900 pixels at that zoom; at 400 % text must fit into 320 pixels (WCAG 1.4.10).
ZOOMS = {"200 %": (720, 450), "400 %": (320, 225)}

# What stays in place while the page scrolls, and is there to see.
STUCK = """() => [...document.querySelectorAll("body *")].filter((each) => {
    const { position, display, visibility } = getComputedStyle(each);
    const box = each.getBoundingClientRect();
    return ["fixed", "sticky"].includes(position) && display !== "none" && visibility !== "hidden"
        && box.width * box.height > 0;
}).map((each) => each.className)"""
MOVING = """() => [...document.querySelectorAll("body *")].filter((each) => {
    const { transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(each);
    const lasts = (text) => text.split(",").some((part) => parseFloat(part) > 0.01);
    return lasts(transitionDuration) || (animationName !== "none" && lasts(animationDuration))
        || scrollBehavior === "smooth";
}).map((each) => each.className)"""
# The frame or bar by which something chosen differs, in colours that the system has set.
FRAME = "each => getComputedStyle(each).outlineStyle === 'solid'"
EDGE = "each => parseFloat(getComputedStyle(each).borderInlineStartWidth) >= 4"
PART = """(each, part) => {
    const colour = (...of) => getComputedStyle(...of).backgroundColor;
    return colour(each, part) !== colour(document.body);
}"""
MARKS = {
    ".nav .active": (PART, "::after"),
    ".chip.active": (FRAME, None),
    ".tree .active": (EDGE, None),
    ".check input:checked": ("each => getComputedStyle(each).appearance !== 'none'", None),
    ".dot[aria-current]": (PART, "::before"),
    ".gallery__thumbs [aria-current] .tile": (FRAME, None),
    ".reading__nav .active": (EDGE, None),
}


def _expect_zoom(page: Page, path: str) -> None:
    for zoom, (width, height) in ZOOMS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(STUCK) == [], (path, zoom)
        too_wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, (path, zoom, too_wide)
    page.set_viewport_size({"width": 1440, "height": 900})


def test_every_page_follows_the_preferences_of_a_device(walk: Walk) -> None:
    page = walk.page
    marked = set()
    for path in PAGES:
        walk.open(path)
        page.wait_for_load_state("load")
        assert page.evaluate(MOVING) == [], path
        _expect_zoom(page, path)
        page.emulate_media(forced_colors="active")
        for selector, (has_mark, part) in MARKS.items():
            for chosen in page.locator(selector).all():
                if chosen.is_visible():
                    assert chosen.evaluate(has_mark, part), (path, selector)
                    marked.add(selector)
        page.emulate_media(forced_colors="none", media="print")
        for bar in page.locator(".header, .util, .nav, .tabbar, .footer, .pcnote").all():
            expect(bar).to_be_hidden()
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        page.emulate_media(media="screen")
    assert marked == set(MARKS)


@pytest.mark.both_languages
def test_a_browser_in_chinese_is_offered_chinese(new_page: NewPage, axe: Axe, language: str) -> None:
    page = new_page("phone", locale="zh-CN")
    page.goto("/shop" if language == "en" else "/zh-hans/shop")
    offer = page.locator(".toast")
    if language == "en":
        expect(offer).to_contain_text("本店有中文版")
        axe(page)
        offer.get_by_role("link").click()
        expect(page).to_have_url(re.compile("/zh-hans/shop$"))
    page.wait_for_load_state("networkidle")
    expect(offer).to_have_count(0)
