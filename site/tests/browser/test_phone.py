"""The shop without a network, inside WeChat, and printed."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.walk import Walk
from tests.browser.wire import DEMO, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.both_languages, pytest.mark.parametrize("language", LANGUAGES)]

WECHAT = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 "
    "Chrome/126.0.0.0 Mobile Safari/537.36 MMWEBID/1 MicroMessenger/8.0.50.2701 WeChat/arm64"
)
HINT = "In WeChat some payments do not open: tap ··· and choose “Open in browser”."


@pytest.fixture
def wire(shop_url: str) -> Wire:
    """The API as a visitor without an account."""
    return Wire(shop_url)


def cached_paths(page: Page) -> list[str]:
    """Return the paths of everything that the service worker has cached."""
    paths: list[str] = page.evaluate(
        """async () => {
            const names = await caches.keys();
            const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
            return requests.flat().map((request) => new URL(request.url).pathname);
        }"""
    )
    return paths


def test_without_network_the_shop_shows_it_in_the_readers_language(
    new_page: NewPage, axe: Axe, language: str
) -> None:
    walk = Walk(new_page("phone", service_workers="allow"), language).open("/shop")
    page = walk.page
    walk.wait_for_worker()
    page.context.set_offline(True)
    for path in ("/home/bulk", "/home/account/orders", "/shop?word=tea"):
        walk.open(path)
        expect(page.get_by_role("heading", name=walk.words.page("You’re offline"))).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans" if walk.prefix else "en-AU")
    # With the shop's own styles.
    assert page.locator("main .btn").evaluate("(link) => getComputedStyle(link).backgroundColor") == (
        "rgb(35, 70, 199)"
    )
    assert page.get_by_text("A$").count() == 0
    axe(page)
    page.context.set_offline(False)
    page.get_by_role("link", name=walk.words.page("Try again")).click()
    walk.expect_at("/home")
    expect(page.get_by_role("main").get_by_text("A$").first).to_be_attached()


def test_products_and_accounts_are_never_cached(new_page: NewPage, wire: Wire, language: str) -> None:
    customer = wire.log_in(DEMO)
    walk = Walk(new_page("phone", customer, service_workers="allow"), language).open("/shop")
    page = walk.page
    walk.wait_for_worker()
    [product] = wire.plentiful(1)
    walk.open(f"/shop/shopdetails/{product['goodsId']}")
    walk.open("/home/account/orders")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    walk.open("/home/account/useraddress")
    expect(page.get_by_role("button", name=walk.words("address.add"))).to_be_visible()
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    paths = cached_paths(page)
    assert {"/offline", "/zh-hans/offline"} <= set(paths)
    others = set(paths) - {"/offline", "/zh-hans/offline"}
    assert others
    assert all(re.match(r"/static/(islands|img)/[\w./-]+\.(css|svg)$", path) for path in others), others


def test_inside_wechat_the_page_shows_how_to_open_another_browser(new_page: NewPage, language: str) -> None:
    inside = Walk(new_page("phone", user_agent=WECHAT), language).open("/shop")
    hint = inside.words.page(HINT)
    expect(inside.page.get_by_text(hint)).to_be_visible()
    expect(
        inside.page.get_by_text(inside.words.page("Use PC for the best browsing experience"))
    ).to_be_hidden()
    outside = Walk(new_page("phone"), language).open("/shop")
    expect(outside.page.get_by_text(hint)).to_be_hidden()


def test_inside_wechat_the_html_is_the_same_for_everyone(new_page: NewPage, language: str) -> None:
    inside, outside = new_page("phone", user_agent=WECHAT), new_page("phone")
    path = Walk(inside, language).prefix + "/download"
    answers = [page.request.get(path) for page in (inside, outside)]
    assert answers[0].text() == answers[1].text()
    assert "user-agent" not in answers[0].headers.get("vary", "").lower()


@pytest.mark.parametrize("path", ["/home/about-us/help", "/home/privacyPolicy"])
def test_a_page_to_read_is_printed_alone_and_whole(new_page: NewPage, language: str, path: str) -> None:
    walk = Walk(new_page("phone", user_agent=WECHAT), language).open(path)
    page = walk.page
    page.emulate_media(media="print")
    for part in (
        ".header",
        ".util",
        ".nav",
        ".footer",
        ".tabbar",
        ".pcnote",
        ".strip",
        ".reading__nav",
        ".skip",
    ):
        for element in page.locator(part).all():
            expect(element).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for answer in page.locator(".prose__question > :not(summary)").all():
        expect(answer).to_be_visible()
        box = answer.bounding_box()
        assert box
        assert box["height"] > 0
