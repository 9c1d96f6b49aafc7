"""The bytes that a phone must fetch and run on catalogue pages before any interaction.

See docs/ux.md#weight.
"""

import gzip

import pytest
from playwright.sync_api import Page, Response

from tests.browser.conftest import COUNT_SHIFTS, MAX_SHIFTS, NewPage
from tests.browser.walk import PREFIX
from tests.browser.wire import Wire
from tests.browser.words import LANGUAGES

pytestmark = pytest.mark.browser

SCRIPT_BYTES, STYLE_BYTES = 8 * 1024, 20 * 1024


def weight(answers: list[Response], kind: str) -> int:
    """Sum the compressed bodies of a kind of resource."""
    bodies = [answer.body() for answer in answers if answer.request.resource_type == kind]
    assert bodies
    return sum(len(gzip.compress(body)) for body in bodies)


def load(page: Page, path: str) -> list[Response]:
    """Open a page and scroll to its end without any interaction; returns all that was fetched."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(path)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_load_state("networkidle")
    return answers


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", ["home", "list", "detail"])
def test_catalogue_pages_load_few_bytes_and_stay_in_place_before_an_interaction(
    new_page: NewPage, shop_url: str, place: str, language: str
) -> None:
    [product] = Wire(shop_url).plentiful(1)
    path = {"home": "/home", "list": "/shop", "detail": f"/shop/shopdetails/{product['goodsId']}"}[place]
    page = new_page("phone", service_workers="allow")
    page.add_init_script(COUNT_SHIFTS)
    answers = load(page, PREFIX[language] + path)
    assert weight(answers, "script") <= SCRIPT_BYTES
    assert weight(answers, "stylesheet") <= STYLE_BYTES
    assert page.evaluate("window.shifts") <= MAX_SHIFTS
