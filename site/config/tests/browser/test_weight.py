"""A page to browse weighs little: what a phone must fetch and run before anything is touched (UX 7)."""

import gzip

import pytest
from playwright.sync_api import Page, Response

from config.tests.browser.conftest import NewPage
from config.tests.browser.walk import PREFIX
from config.tests.browser.wire import Wire
from config.tests.browser.words import LANGUAGES

pytestmark = pytest.mark.browser

SCRIPT_BYTES, STYLE_BYTES = 8 * 1024, 20 * 1024


def weight(answers: list[Response], kind: str) -> int:
    """Sum the compressed bodies of a kind of resource."""
    bodies = [answer.body() for answer in answers if answer.request.resource_type == kind]
    assert bodies
    return sum(len(gzip.compress(body)) for body in bodies)


def load(page: Page, path: str) -> list[Response]:
    """Open a page and read to its end without touching anything; returns all that was fetched."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(path)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_load_state("networkidle")
    return answers


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", ["home", "list", "detail"])
def test_a_page_to_browse_is_light_before_a_touch(
    new_page: NewPage, shop_url: str, place: str, language: str
) -> None:
    [goods] = Wire(shop_url).plentiful(1)
    path = {"home": "/home", "list": "/shop", "detail": f"/shop/shopdetails/{goods['goodsId']}"}[place]
    answers = load(new_page("phone"), PREFIX[language] + path)
    assert weight(answers, "script") <= SCRIPT_BYTES
    assert weight(answers, "stylesheet") <= STYLE_BYTES
