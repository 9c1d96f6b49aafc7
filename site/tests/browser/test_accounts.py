"""A person registers, forgets a password, fails to log in, logs in on the way to a page, and logs out."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.shops import Shop, eventually
from tests.browser.test_keyboard import press, tab_to
from tests.browser.walk import Walk
from tests.browser.wire import DEMO, DEMO2, PASSWORD, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]


def drag_to_the_end(walk: Walk) -> None:
    """Pass the security check as a mouse does; a handle that is let go before the end goes back."""
    box = walk.slider().bounding_box()
    assert box
    mouse, middle = walk.page.mouse, box["y"] + box["height"] / 2
    for share in (0.5, 1.0):
        mouse.move(box["x"] + 20, middle)
        mouse.down()
        mouse.move(box["x"] + box["width"] * share, middle, steps=5)
        if share < 1:
            expect(walk.slider()).not_to_have_value("0")
        mouse.up()
        if share < 1:
            expect(walk.slider()).to_have_value("0")


def fill_in_new_password(walk: Walk, account: str, password: str, shop: Shop) -> None:
    """Ask for a code, pass the security check, read the code, and choose a password."""
    seen = len(shop.messages(account))
    walk.field("login.emailAddress").fill(account)
    walk.button("code.send").click()
    expect(walk.slider()).to_be_focused()
    drag_to_the_end(walk)
    # The proof of work takes its time on a slow machine.
    expect(walk.page.get_by_text(walk.words("code.sent", account=account))).to_be_visible(timeout=30_000)
    expect(walk.slider()).to_be_hidden()
    expect(walk.field("code.label")).to_be_focused()
    eventually(lambda: len(shop.messages(account)) > seen, "no message came")
    walk.field("code.label").fill(shop.messages(account)[-1]["code"])
    walk.field("login.newPassword" if "#reset" in walk.page.url else "login.password").fill(password)


def test_a_newcomer_registers_with_the_code_and_keeps_the_cart(
    new_page: NewPage, shop: Shop, language: str
) -> None:
    walk = Walk(new_page("phone"), language)
    wire = Wire(shop.url)
    [product] = wire.plentiful(1)
    account, password = f"newcomer-{uuid4().hex}@example.com", "a long and unusual one"
    walk.open("/shop").add(walk.words.name_of(product))
    walk.open("/home/login?redirect=" + walk.prefix + "/home/cart")
    walk.link("login.register").click()

    walk.button("login.register").click()
    alert = walk.page.get_by_role("alert")
    for key in ("login.error.email", "code.error", "login.error.shortPassword"):
        expect(alert).to_contain_text(walk.words(key))
    fill_in_new_password(walk, account, password, shop)
    walk.field("login.nickname").fill("小新")
    code = walk.field("code.label").input_value()
    walk.field("code.label").fill("000000" if code != "000000" else "111111")
    walk.button("login.register").click()
    wrong = walk.words.error("verification_code_error")
    expect(walk.field("code.label")).to_have_accessible_description(wrong)
    walk.field("code.label").fill(code)
    walk.button("login.register").click()

    walk.expect_at("/home/cart")
    expect(walk.stepper(walk.words.name_of(product))).to_be_visible()
    wire.log_in(account, password)
    assert wire.cart() == {product["goodsId"]: 1}
    assert wire.call("GET", "/user/userInfo")["nickname"] == "小新"


def test_a_forgotten_password_is_replaced(walk: Walk, shop: Shop, language: str) -> None:
    # An account may be sent one code a minute, so each language deletes the codes of the other.
    account = DEMO if language == "en" else DEMO2
    new = "a password hard to guess"
    elsewhere = Wire(shop.url).log_in(account)
    walk.open("/home/login")
    walk.link("login.forgot").click()
    expect(walk.heading("login.title.reset")).to_be_focused()
    fill_in_new_password(walk, account, new, shop)
    walk.button("login.setPassword").click()
    expect(walk.page.get_by_text(walk.words("login.passwordSet"))).to_be_visible()
    expect(walk.heading("login.title.login")).to_be_focused()
    expect(walk.field("login.account")).to_have_value(account)

    walk.log_in(account, PASSWORD)
    wrong = walk.words.error("account_or_password_wrong")
    expect(walk.field("login.password")).to_have_accessible_description(wrong)
    walk.log_in(account, new)
    walk.expect_at("/home")
    assert elsewhere.send("GET", "/user/userInfo")["reason"] == "login_invalid"
    passwords = {"oldPassword": new, "password": PASSWORD}
    Wire(shop.url).log_in(account, new).call("PUT", "/setting/login/password", passwords)


def try_password(walk: Walk, password: str) -> None:
    """Type a password by keyboard alone, from wherever the focus is, and send it."""
    tab_to(walk, walk.field("login.password"))
    walk.page.keyboard.press("ControlOrMeta+a")
    walk.page.keyboard.type(password)
    walk.page.keyboard.press("Enter")


def fail_to_log_in(walk: Walk, account: str) -> None:
    """Fail three times by keyboard alone; the focus is on the list of errors then."""
    tab_to(walk, walk.field("login.account"))
    walk.page.keyboard.type(account)
    for number in range(3):
        try_password(walk, f"wrong password {number}")
        alert = walk.page.get_by_role("alert")
        expect(alert).to_contain_text(walk.words.error("account_or_password_wrong"))
        expect(alert).to_be_focused()
        # Back to the field above.
        walk.page.evaluate("document.activeElement.blur()")


def test_after_three_failures_the_slider_and_the_login_are_worked_by_keyboard_alone(
    new_page: NewPage, shop: Shop, axe: Axe, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport), language).open("/home/login")
    account = DEMO if language == "en" else DEMO2
    fail_to_log_in(walk, account)
    try_password(walk, PASSWORD)
    slider = walk.slider()
    expect(slider).to_be_focused()
    expect(slider).to_have_accessible_description(re.compile(re.escape(walk.words("captcha.hint"))))
    box = slider.bounding_box()
    assert box
    assert box["height"] >= 44
    assert walk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(walk.page)
    # Held back until the page has been read, which the shop may answer sooner than that.
    checks: list[Route] = []
    walk.page.route("**/api/v1/pc/common/scc", lambda route: checks.append(route))
    if language == "en":
        walk.page.keyboard.press("ArrowRight")
        expect(slider).to_have_attribute("aria-valuetext", "20%")
        walk.page.keyboard.press("End")
    else:
        press(walk, walk.button("captcha.press"))
    expect(walk.page.get_by_role("status").get_by_text(walk.words("code.securityCheck"))).to_be_visible()
    while not checks:
        walk.page.wait_for_timeout(20)
    checks[0].continue_()
    walk.expect_at("/home")


def test_after_the_login_the_requested_page_opens_with_its_query_and_fragment(walk: Walk, shop: Shop) -> None:
    wanted = f"{shop.url}{walk.prefix}/home/account/orders?status=unpaid&page=1#main"
    walk.open("/home/account/orders?status=unpaid&page=1#main")
    walk.expect_at("/home/login")
    expect(walk.page.get_by_text(walk.words("login.reason.orders"))).to_be_visible()
    walk.log_in(DEMO)
    expect(walk.page).to_have_url(wanted)
    expect(walk.link("orders.status.unpaid")).to_have_attribute("aria-current", "page")


def test_after_the_login_no_other_host_is_opened(walk: Walk, shop: Shop) -> None:
    walk.open("/home/login?redirect=https%3A%2F%2Felsewhere.example%2Fhome")
    walk.log_in(DEMO)
    expect(walk.page).to_have_url(f"{shop.url}{walk.prefix}/home")


def test_logging_out_removes_the_cart_from_the_browser(walk: Walk, shop: Shop) -> None:
    wire = Wire(shop.url).log_in(DEMO2).empty_cart()
    [product] = wire.plentiful(1)
    wire.call("POST", "/shoppingCart", {"goodsId": product["goodsId"], "goodsAmount": 2})
    walk.open("/home/account/accountdetails")
    walk.log_in(DEMO2)
    walk.expect_at("/home/account/accountdetails")
    badge = walk.page.get_by_role("banner").locator("[data-cart-count]")
    expect(badge).to_have_text("2")
    token = walk.page.evaluate("localStorage.getItem('token')")

    walk.button("account.logOut").click()
    walk.expect_at("/home")
    expect(badge).to_be_hidden()
    walk.open("/home/cart")
    expect(walk.heading("cart.empty")).to_be_visible()
    walk.open("/home/account/accountdetails")
    walk.expect_at("/home/login")
    lost = Wire(shop.url)
    lost.token = token
    assert lost.send("GET", "/user/userInfo")["code"] == 1001
    assert wire.cart() == {product["goodsId"]: 2}
