"""Addresses of every kind of region are typed, chosen, refused, saved and edited, some of it by keyboard."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Response, expect

from tests.browser.conftest import Axe, NewPage
from tests.browser.walk import Walk
from tests.browser.wire import DEMO2, Wire
from tests.browser.words import LANGUAGES

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", LANGUAGES)]

LIST = "/setting/deliveryAddressNew"
# Of a list below an input: selects have options, too.
OPTION = "[role=option]"
PARTS = ("countryName", "provinceName", "cityName", "areaName", "zipCode")


@pytest.fixture
def wire(shop_url: str) -> Iterator[Wire]:
    """The API as a customer who loses what they save."""
    wire = Wire(shop_url).log_in(DEMO2)
    before = {row["addressId"] for row in wire.call("POST", LIST, {})["list"]}
    yield wire
    for row in wire.call("POST", LIST, {})["list"]:
        if row["addressId"] not in before:
            wire.call("DELETE", f"/setting/deliveryAddress/{row['addressId']}")


class Form:
    """The form of a new address, of a recipient called after their country."""

    def __init__(self, walk: Walk, wire: Wire) -> None:
        self.walk, self.wire = walk, wire

    def open(self) -> None:
        self.walk.button("address.add").click()
        expect(self.walk.heading("address.new")).to_be_focused()

    def fill(self, name: str, phone: str) -> None:
        self.walk.field("address.addressee").fill(name)
        self.walk.field("address.phone").fill(phone)
        self.walk.field("address.addressDetails").fill("1 Walk Street")

    def choose(self, key: str, label: str) -> None:
        self.walk.field(key).select_option(label)

    def saved(self, name: str) -> list[str]:
        """Save it, expect it as the first of the list; returns its parts as the server has them."""
        self.walk.button("address.save").click()
        expect(self.walk.heading("address.new")).to_be_hidden()
        expect(self.walk.page.locator(".addr > li").first).to_contain_text(name)
        rows = self.wire.call("POST", LIST, {})["list"]
        [row] = [row for row in rows if row["contacts"] == name]
        return [row[part] for part in PARTS]


def test_an_address_of_each_kind_is_saved(
    new_page: NewPage, axe: Axe, wire: Wire, language: str, viewport: str
) -> None:
    walk = Walk(new_page(viewport, wire), language)
    page, words, form = walk.page, walk.words, Form(walk, wire)
    regions: list[Response] = []
    page.on("response", lambda answer: regions.append(answer) if "/regions/" in answer.url else None)
    walk.open("/home/account/useraddress")

    form.open()
    axe(page)
    walk.button("address.save").click()
    expect(page.get_by_role("alert")).to_be_visible()

    # The list of countries has the featured ones first, and takes names, pinyin and initials.
    country = walk.field("address.country")
    country.click()
    featured = page.get_by_role("group", name=words("address.featured")).get_by_role("option")
    expect(featured).to_have_count(8)
    axe(page)
    country.fill("xinxilan")
    expect(page.locator(OPTION)).to_have_count(1)
    expect(
        walk.page.get_by_role("status").filter(has_text=words("address.countriesFound", count=1))
    ).to_be_attached()
    country.press("Escape")
    australia = words("address.australia")
    expect(country).to_have_value(australia)

    # Australia outside Perth, by keyboard alone from the country on.
    country.focus()
    page.keyboard.press("ArrowDown")
    active = country.get_attribute("aria-activedescendant")
    expect(page.locator(f'[id="{active}"]')).to_have_text(australia)
    page.keyboard.press("Enter")
    for text in ("Mei", "0412 345 678", "1 Walk Street", "box hill v"):
        page.keyboard.press("Tab")
        page.keyboard.type(text)
    expect(page.locator(OPTION).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(walk.field("address.state")).to_have_value("VIC")
    page.keyboard.press("Enter")
    expect(walk.heading("address.title")).to_be_focused()
    expect(page.locator(".addr > li").first).to_contain_text("Mei")

    # Perth, council by council; combinations that are impossible are shown before the form is sent.
    form.open()
    form.fill("Perth", "0412 345 678")
    form.choose("address.state", "WA")
    form.choose("address.councilOptional", "Canning")
    form.choose("address.suburbOfCouncil", "Cannington")
    walk.field("address.postcode").fill("6000")
    walk.button("address.save").click()
    wrong = words("address.error.postcodeElsewhere")
    expect(page.get_by_role("alert")).to_contain_text(wrong)
    expect(walk.field("address.postcode")).to_have_accessible_description(wrong)
    axe(page)
    walk.field("address.postcode").fill("6107")
    assert form.saved("Perth") == ["Australia", "WA", "Canning", "Cannington", "6107"]

    form.open()
    walk.choose_country("zhongguo")
    form.fill("China", "+8613812345678")
    form.choose("address.province", "广东省")
    form.choose("address.city", "广州市")
    form.choose("address.district", "天河区")
    axe(page)
    assert form.saved("China") == ["China", "广东省", "广州市", "天河区", ""]

    form.open()
    walk.choose_country("taiwan")
    form.fill("Taiwan", "+886912345678")
    form.choose("address.county", "臺北市")
    form.choose("address.district", "中正區")
    expect(walk.field("address.postcode")).to_have_value("100")
    assert form.saved("Taiwan") == ["Taiwan", "臺北市", "中正區", "", "100"]

    form.open()
    walk.choose_country("马来")
    form.fill("Malaysia", "+60123456789")
    johor = walk.field("address.state").get_by_role("option", name="Johor", exact=language == "en")
    expect(johor).to_have_text("Johor" if language == "en" else "柔佛 Johor")
    form.choose("address.state", "Johor")
    form.choose("address.town", "Bandar Penawar")
    form.choose("address.postcode", "81930")
    assert form.saved("Malaysia") == ["Malaysia", "Johor", "Bandar Penawar", "", "81930"]

    form.open()
    walk.choose_country("canada")
    form.fill("Canada", "+14165550123")
    walk.field("address.postcodeOptional").fill("M5V 3L9")
    assert form.saved("Canada") == ["Canada", "", "", "", "M5V 3L9"]

    # An edited address goes first.
    page.get_by_role("button", name=words("address.editOf", name="Perth"), exact=True).click()
    expect(walk.field("address.councilOptional")).to_have_value("Canning")
    walk.field("address.addressee").fill("Perth again")
    walk.button("address.save").click()
    expect(page.locator(".addr > li").first).to_contain_text("Perth again")
    axe(page)

    # So does the default; whatever button has gone, the focus is at the heading.
    page.get_by_role("button", name=words("address.makeDefaultOf", name="Canada"), exact=True).press("Enter")
    expect(page.locator(".addr > li").first).to_contain_text("Canada")
    expect(walk.heading("address.title")).to_be_focused()
    page.get_by_role("button", name=words("address.deleteOf", name="Canada"), exact=True).press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=words("address.delete"), exact=True).press("Enter")
    expect(page.locator(".addr > li").filter(has_text="Canada")).to_have_count(0)
    expect(walk.heading("address.title")).to_be_focused()

    assert regions
    kept = {answer.url: answer.headers["cache-control"] for answer in regions}
    assert all("immutable" in value for value in kept.values()), kept
    # Of the suburbs only those parts that what was typed begins with.
    assert {url.rsplit("/", 1)[1] for url in kept if "suburbs-" in url} == {
        "suburbs-b.json",
        "suburbs-c.json",
        "suburbs-6.json",
    }
