"""A customer changes name, language and login password, and logs other devices out, in both languages."""

import json
import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from commerce.accounts.tests.api_client import solved
from tests.browser.conftest import Axe, NewPage
from tests.browser.shops import Shop, eventually
from tests.browser.walk import Walk
from tests.browser.wire import PASSWORD, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.both_languages]

in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
OTHER = {"en": "zh-hans", "zh-hans": "en"}
ON_THE_WIRE = {"en": "en", "zh-hans": "zh"}
HTML = {"en": "en-AU", "zh-hans": "zh-Hans"}
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
    " Version/17.5 Mobile/15E148 Safari/604.1"
)
ITS_NAME = {"en": "Safari on iPhone", "zh-hans": "iPhone 上的 Safari"}
TEXT_OF_CODE = {"en": "verification code", "zh-hans": "验证码"}
NEW_PASSWORD = "a new one hard to guess"
TOO_MANY_REQUESTS = 429
MAKE_CUSTOMER = "from commerce.accounts.tests.builders import make_customer\nmake_customer(account={!r})"
FORGET_GUESSES = """
from commerce.accounts.services.login import LOGIN_NETWORK
from commerce.rate_limits.models import RateLimitCounter
RateLimitCounter.objects.filter(limit=LOGIN_NETWORK.name).delete()
"""


@pytest.fixture
def account(shop: Shop) -> str:
    """The account of a customer of this test alone."""
    account = f"identity-{uuid4().hex}@example.com"
    shop.run(MAKE_CUSTOMER.format(account))
    return account


@pytest.fixture
def guesses(shop: Shop) -> Iterator[None]:
    """Forget the wrong passwords of a test: all tests share one network, which may have a few."""
    yield
    shop.run(FORGET_GUESSES)


@pytest.fixture
def wire(shop: Shop, account: str) -> Wire:
    """The API as that customer, without a `lang` header."""
    return Wire(shop.url).log_in(account)


def tab_of(page: Page, language: str, path: str) -> Walk:
    """Open one more tab of a browser."""
    return Walk(page.context.new_page(), language).open(path)


def expect_language(wire: Wire, language: str) -> None:
    """Wait until the account has a language: nothing on the page waits for it."""
    eventually(
        lambda: wire.call("GET", "/user/userInfo")["language"] == ON_THE_WIRE[language],
        "the language was not kept",
    )


def expect_login_ended(walk: Walk) -> None:
    """Go to an account page, which the shop refuses as the login has ended."""
    walk.open("/home/account/accountdetails")
    expect(walk.page.get_by_role("dialog", name=walk.words("session.invalidTitle"))).to_be_visible()


@in_both_languages
def test_name_and_language_reach_other_tabs_and_messages(
    new_page: NewPage, shop: Shop, wire: Wire, account: str, axe: Axe, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words, other = walk.page, walk.words, OTHER[language]
    listing = tab_of(page, language, "/shop?word=rice")
    half_typed = tab_of(page, language, "/home/account/useraddress")
    half_typed.button("address.add").click()
    half_typed.field("address.addressee").fill("Jia")

    walk.open("/home/account/accountdetails")
    nickname = walk.field("account.nickname")
    expect(page.get_by_text(words("account.nickname"), exact=True)).to_have_count(1)
    nickname.evaluate("field => field.removeAttribute('maxlength')")
    nickname.fill("x" * 61)
    walk.button("profile.save").click()
    expect(nickname).to_have_accessible_description(re.compile(re.escape(words("profile.error.nickname"))))
    axe(page)
    nickname.fill(" 小新 ")
    walk.button("profile.save").click()
    expect(page.get_by_text(words("profile.saved"), exact=True)).to_be_visible()
    expect(walk.heading("account.hello", name="小新")).to_be_visible()
    for tab in (walk, listing):
        expect(tab.page.locator("[data-customer]").first).to_contain_text("小新")
    axe(page)

    # A language that the page's link chooses: the tab that waits follows, the half-typed one offers it.
    page.get_by_role("banner").or_(page.locator(".util")).locator(
        f"a[hreflang={HTML[other]}]:visible"
    ).first.click()
    changed = Walk(page, other)
    changed.expect_at("/home/account/accountdetails")
    expect_language(wire, other)
    expect(listing.page).to_have_url(
        re.compile(re.escape(Walk(page, other).prefix + "/shop?word=rice") + "$")
    )
    expect(listing.page.locator("html")).to_have_attribute("lang", HTML[other])
    offer = half_typed.page.locator(".toasts--top")
    expect(offer.get_by_role("link")).to_have_attribute("href", f"{changed.prefix}/home/account/useraddress")
    expect(half_typed.field("address.addressee")).to_have_value("Jia")
    axe(half_typed.page)
    offer.get_by_role("button").click()
    expect(offer).to_be_hidden()

    # A client without a page asks for a code.
    challenge = wire.call("GET", "/common/captcha")["challenge"]
    proof = {"provider": "altcha", "payload": solved(json.loads(json.dumps(challenge, default=float)))}
    ticket = wire.call("POST", "/common/scc", proof)["ticket"]
    wire.call("POST", "/common/sendCode", {"account": account, "purpose": "pay", "ticket": ticket})
    eventually(lambda: bool(shop.messages(account)), "no message came")
    assert TEXT_OF_CODE[other] in shop.messages(account)[0]["text"]

    # The form chooses it back.
    expect(changed.field("profile.language")).to_have_value(ON_THE_WIRE[other])
    changed.field("profile.language").select_option(ON_THE_WIRE[language])
    changed.button("profile.save").click()
    walk.expect_at("/home/account/accountdetails")
    expect(walk.field("profile.language")).to_have_value(ON_THE_WIRE[language])
    expect_language(wire, language)
    expect(listing.page.locator("html")).to_have_attribute("lang", HTML[language])


@in_both_languages
def test_the_login_password_is_changed_and_devices_are_logged_out(
    new_page: NewPage, shop: Shop, wire: Wire, account: str, axe: Axe, language: str, viewport: str
) -> None:
    phone = Walk(new_page("phone", user_agent=IPHONE), language).open("/home/login")
    phone.log_in(account)
    phone.expect_at("/home")
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words
    walk.open("/home/account/password")
    devices = page.get_by_role("listitem").filter(has_text=re.compile(ITS_NAME[language]))
    expect(devices).to_be_visible()
    walk.button("security.save").click()
    for field, error in (
        ("oldPassword", "security.error.oldPassword"),
        ("newPassword", "login.error.shortPassword"),
    ):
        expected = re.compile(re.escape(words(error)) + "$")
        expect(walk.field(f"security.{field}")).to_have_accessible_description(expected)
    axe(page)

    walk.button("security.logOutOf", device=ITS_NAME[language]).click()
    expect(devices).to_be_hidden()
    expect(walk.heading("security.devices")).to_be_focused()
    expect(page.get_by_text(words("security.onlyHere"))).to_be_visible()
    expect_login_ended(phone)
    axe(page)

    # A changed password ends the others automatically.
    phone.page.get_by_role("dialog").get_by_role("button", name=words("session.toLogin")).click()
    phone.log_in(account)
    phone.expect_at("/home/account/accountdetails")
    walk.field("security.oldPassword").fill("000000")
    walk.field("security.newPassword").fill(NEW_PASSWORD)
    walk.button("security.save").click()
    wrong = walk.words.error("old_password_wrong")
    expect(walk.field("security.oldPassword")).to_have_accessible_description(wrong)
    walk.field("security.oldPassword").fill(PASSWORD)
    walk.button("security.save").click()
    expect(page.get_by_text(words("security.saved"))).to_be_visible()
    expect(walk.field("security.oldPassword")).to_have_value("")
    expect_login_ended(phone)
    assert Wire(shop.url).send("POST", "/login", {"account": account, "password": PASSWORD})["code"] == 1

    # Everywhere: this browser and the other one.
    phone.page.get_by_role("dialog").get_by_role("button", name=words("session.toLogin")).click()
    phone.log_in(account, NEW_PASSWORD)
    phone.expect_at("/home/account/accountdetails")
    page.reload()
    expect(devices).to_be_visible()
    walk.button("security.logOutEverywhere").click()
    question = page.get_by_role("dialog", name=words("security.everywhereTitle"))
    axe(page)
    question.get_by_role("button", name=words("security.logOutEverywhere")).click()
    walk.expect_at("/home")
    assert page.evaluate("localStorage.getItem('token')") is None
    expect_login_ended(phone)
    assert wire.send("GET", "/user/userInfo")["reason"] == "login_invalid"


@in_both_languages
@pytest.mark.usefixtures("guesses")
def test_ten_wrong_passwords_lock_the_right_one_too_but_not_in_a_browser_that_the_account_knows(
    new_page: NewPage, wire: Wire, account: str, axe: Axe, language: str, viewport: str
) -> None:
    known = Walk(new_page("phone"), language).open("/home/login")
    known.log_in(account)
    known.expect_at("/home")
    known.open("/home/account/accountdetails").button("account.logOut").click()
    known.expect_at("/home")

    page = new_page(viewport, refused=TOO_MANY_REQUESTS)
    walk = Walk(page, language).open("/home/login")
    alert = page.get_by_role("alert")
    for number in range(10):
        walk.log_in(account, f"wrong password {number}")
        if number >= 3:
            expect(walk.slider()).to_be_focused()
            page.keyboard.press("End")
        expect(alert).to_contain_text(walk.words.error("account_or_password_wrong"))

    walk.log_in(account, PASSWORD)
    expect(alert).to_contain_text(walk.words("login.locked", count=15))
    expect(alert).to_be_focused()
    axe(page)
    walk.expect_at("/home/login")
    assert page.evaluate("localStorage.getItem('token')") is None
    # No login but the one from before the guesses.
    [device] = wire.call("GET", "/setting/devices")["list"]
    assert device["isCurrent"]

    known.open("/home/login").log_in(account)
    known.expect_at("/home")
    assert known.page.evaluate("document.cookie") == ""


def test_a_login_in_one_tab_reaches_a_guests_other_tabs(
    new_page: NewPage, shop: Shop, wire: Wire, account: str
) -> None:
    language = "zh-hans"
    [product] = wire.plentiful(1)
    one = Walk(new_page("desktop"), language).open("/shop")
    name = one.words.name_of(product)
    cart = tab_of(one.page, language, "/home/cart")
    login = tab_of(one.page, language, "/home/login?redirect=/zh-hans/home/account/orders")
    expect(login.field("login.account")).to_be_visible()
    one.add(name)
    expect(cart.stepper(name).get_by_role("status")).to_have_text("1")

    tab_of(one.page, language, "/home/login").log_in(account)
    login.expect_at("/home/account/orders")
    for tab in (one, cart):
        expect(tab.page.locator("[data-customer]").first).to_contain_text(account)
    expect(cart.stepper(name).get_by_role("status")).to_have_text("1")
    # The change of the other tab is the customer's.
    with cart.page.expect_response(lambda answer: answer.request.method == "PUT"):
        cart.step(name).click()
    assert wire.cart() == {product["goodsId"]: 2}
    expect(one.card_stepper(name).get_by_role("status")).to_have_text("2")
