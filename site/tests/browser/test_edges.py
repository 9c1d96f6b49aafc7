"""The advice to use a PC and the cart's drawer at every edge of the layout."""

import pytest
from playwright.sync_api import expect

from tests.browser.walk import Walk
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

ADVICE = "Use PC for the best browsing experience"
# Whether the advice is shown, and how much of the window the drawer takes, by the window's width.
EDGES = {
    767: (True, 1.0),
    768: (True, 1.0),
    769: (True, 0.5),
    1023: (True, 0.5),
    1024: (False, 0.5),
    1025: (False, 0.4),
    1359: (False, 0.4),
    1360: (False, 0.3),
    1440: (False, 0.3),
}


def test_below_1024_px_the_page_advises_to_use_a_pc_and_the_drawer_has_its_share_of_the_window(
    walk: Walk, language: str
) -> None:
    walk.open("/shop")
    page = walk.page
    if language == "en":
        assert walk.words.page(ADVICE) == ADVICE
    drawer = walk.open_drawer()
    found = {}
    for width in EDGES:
        page.set_viewport_size({"width": width, "height": 900})
        share = drawer.evaluate("drawer => drawer.getBoundingClientRect().width / innerWidth")
        advice = page.locator(".pcnote").get_by_text(walk.words.page(ADVICE))
        found[width] = (advice.is_visible(), round(share, 2))
    assert found == EDGES

    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1023, "height": 900})
    dismiss = page.get_by_role("complementary", name=walk.words.page("Notice")).get_by_role("button")
    dismiss.click()
    page.reload()
    expect(page.get_by_role("banner")).to_be_visible()
    expect(page.get_by_text(walk.words.page(ADVICE))).to_be_hidden()
    # It is remembered for 43,200 minutes.
    page.evaluate("localStorage.setItem('pcnote.expires', Date.now())")
    page.reload()
    expect(page.get_by_text(walk.words.page(ADVICE))).to_be_visible()
