"""Every page opens in both languages at every width, without a fault in the browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from config.tests.browser.conftest import VIEWPORTS, NewPage

pytestmark = pytest.mark.browser

PAGES = ("/home", "/shop", "/home/cart", "/home/login")


@pytest.mark.parametrize("viewport", VIEWPORTS)
@pytest.mark.parametrize("language", ["", "/zh-hans"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_opens_and_fits(
    new_page: NewPage, axe: Callable[[Page], None], path: str, language: str, viewport: str
) -> None:
    page = new_page(viewport)
    answer = page.goto(language + path, wait_until="networkidle")
    assert answer is not None
    assert answer.status == 200
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans" if language else "en-AU")
    expect(page.locator("h1")).to_be_visible()
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0
    axe(page)
