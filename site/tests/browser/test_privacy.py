"""A customer agrees to news and ends that by a link, takes a copy of the data, and deletes the account."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Download, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.shops import Shop
from tests.browser.walk import Walk
from tests.browser.wire import PASSWORD, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

PAGE = "/home/account/privacy"
MAKE = """
from commerce.accounts.models import Address, Customer
from commerce.accounts.passwords import hash_password
customer = Customer.objects.create(account={account!r}, nickname="梅", password=hash_password("888888"))
Address.objects.create(
    customer=customer, contacts="Mei Lin", contact_phone="+61412345678", province_name="WA",
    area_name="Perth", address_detail="1 Hay Street", zip_code="6000", is_default=True,
)
"""
LINK = """
from commerce.privacy.models import MarketingConsent
print(MarketingConsent.objects.get(customer__account={account!r}).unsubscribe_link)
"""


def text_of(download: Download) -> str:
    return Path(download.path()).read_text("utf-8")


def test_a_customer_decides_about_their_data(
    new_page: NewPage, axe: Axe, shop: Shop, language: str, viewport: str
) -> None:
    account = f"privacy-{language}@example.com"
    shop.run(MAKE.format(account=account))
    wire = Wire(shop.url).log_in(account)
    walk = Walk(new_page(viewport, wire), language)
    page, words = walk.page, walk.words

    # No consent is preselected.
    walk.open(PAGE)
    box = page.get_by_role("checkbox", name=words("privacy.consent.box"))
    expect(box).not_to_be_checked()
    box.check()
    expect(page.get_by_text(words("privacy.consent.given"))).to_be_visible()
    page.get_by_text(words("privacy.consent.history")).click()
    expect(page.get_by_text(words("privacy.consent.source.account"))).to_be_visible()
    axe(page)

    # The link of a message asks first, and needs no login.
    visitor = Walk(new_page(viewport), language)
    visitor.page.goto(shop.run(LINK.format(account=account)))
    button = visitor.page.get_by_role("button", name=words.page("Unsubscribe"), exact=True)
    expect(button).to_be_visible()
    assert wire.call("GET", "/setting/consent")["marketing"] is True
    axe(visitor.page)
    button.click()
    expect(visitor.page.get_by_role("status")).to_contain_text("p***@example.com")
    axe(visitor.page)
    page.reload()
    expect(box).not_to_be_checked()
    page.get_by_text(words("privacy.consent.history")).click()
    expect(page.get_by_text(words("privacy.consent.source.link"))).to_be_visible()

    # The copy needs the password; both forms have the same.
    walk.button("privacy.copy.read").click()
    expect(page.get_by_role("alert")).to_contain_text(words("privacy.copy.error"))
    password = page.locator("#copy-password")
    password.fill("000000")
    walk.button("privacy.copy.read").click()
    expect(password).to_have_accessible_description(words.error("password_wrong"))
    axe(page)
    password.fill(PASSWORD)
    with page.expect_download() as download:
        walk.button("privacy.copy.read").click()
    read = text_of(download.value)
    assert download.value.suggested_filename.endswith("-my-data.html")
    for each in (account, "1 Hay Street", words.page("Addresses")):
        assert each in read
    with page.expect_download() as download:
        walk.button("privacy.copy.json").click()
    data = json.loads(text_of(download.value))["data"]
    assert data["profile"][0]["nickname"] == "梅"
    assert [change["agrees"] for change in data["consents"]] == [True, False]
    assert len(data["copies"]) == 1
    copy = Walk(new_page(viewport), language)
    copy.page.set_content(read)
    assert copy.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(copy.page)

    # While an order is open the account stays, and the page shows which one.
    order_no = wire.place_order(wire.plentiful(1)[0])
    page.reload()
    expect(page.get_by_text(words("privacy.deletion.blocked"))).to_be_visible()
    expect(page.get_by_text(words("privacy.deletion.text"))).to_have_count(0)
    see_order = page.get_by_role("link", name=order_no)
    expect(see_order).to_have_attribute("href", f"{walk.prefix}/home/account/orderdetails/{order_no}")
    expect(walk.button("privacy.deletion.begin")).to_be_hidden()
    axe(page)
    wire.call("PUT", f"/order/cancel/{order_no}")

    page.reload()
    walk.button("privacy.deletion.begin").click()
    expect(page.get_by_text(words("privacy.deletion.goesList.addresses"))).to_be_visible()
    expect(walk.heading("privacy.deletion.title")).to_be_focused()
    walk.button("privacy.deletion.confirm").click()
    expect(page.get_by_role("alert")).to_contain_text(words("privacy.deletion.sureError"))
    axe(page)
    page.locator("#deletion-password").fill(PASSWORD)
    page.get_by_role("checkbox", name=words("privacy.deletion.sure")).check()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    walk.button("privacy.deletion.confirm").click()
    expect(page.get_by_role("dialog", name=words("privacy.deletion.done"))).to_be_visible()
    axe(page)
    walk.button("privacy.deletion.home").click()
    walk.expect_at("/home")

    # It can no longer log in, and its page links to the login.
    assert page.evaluate("localStorage.getItem('token')") is None
    walk.open(PAGE)
    walk.expect_at("/home/login")
    walk.log_in(account)
    wrong = words.error("account_or_password_wrong")
    expect(walk.field("login.password")).to_have_accessible_description(wrong)
    visitor.page.reload()
    expect(visitor.page.get_by_role("status")).to_be_visible()
