"""The back office is the shop's own: its name and mark, a menu by the work, and the reader's language."""

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import translation
from wagtail.admin.menu import admin_menu
from wagtail.admin.ui.sidebar import LinkMenuItem, SubMenuItem

from config.demo.staff import EDITORS
from content.models import InformationPage, ShopSettings
from content.tests.staff import in_each_language, set_language, staff
from core.languages import CHINESE, ENGLISH
from core.tests.pictures import make_picture
from core.tests.screens import only_refusals
from tests.browser.words import Words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

Entries = dict[str, list[str]]

WINDOWS = ["Slides", "Special areas", "Preview at a time", "Pictures", "Documents"]
PAGE_REPORTS = ["Broken links", "Unused pictures"]
WAGTAILS_REPORTS = [
    *("Locked pages", "Approvals", "Approval steps", "Change history", "Pages not updated lately"),
    *("Pages by type", "Translations"),
]
EDITORS_MENU: Entries = {
    "Shop windows": WINDOWS,
    "Pages": [],
    # Staff who may not unlock pages have no list of the locked ones.
    "Reports": [*PAGE_REPORTS, *WAGTAILS_REPORTS[1:]],
    "Help": ["Step by step", "Shortcuts"],
}
MANAGERS_MENU: Entries = {
    "Shop windows": WINDOWS,
    "Pages": [],
    "Catalogue": [
        *("Products", "Promotions", "Vouchers", "Brands", "Categories", "Product groups", "Product tags"),
        *("Import and export", "Synonyms"),
    ],
    "Sales": [
        *("Orders", "Tracking numbers", "Claims", "Requests to cancel", "Refunds of orders"),
        *("Payment certificates", "Payments"),
        *("Refund payments", "Disputes", "Second approvals", "Top-ups", "Invoices", "Customers"),
        "Newsletter",
    ],
    "Stock": ["Stock levels", "Stock movements", "Back-in-stock notices", "Stock locations"],
    "Reports": [
        *PAGE_REPORTS,
        *("Searches with no results", "Differences from providers’ lists", "Providers’ lists"),
        *("Audits of the books", "Refused notices", "Unmatched notices"),
        *WAGTAILS_REPORTS,
    ],
    "Settings": [
        *(
            "Shop settings",
            "Payment methods",
            "Pick-up shops",
            "Holidays and other hours",
            "Delivery windows",
        ),
        *("Days without delivery", "Delivery cost rules", "Export limits", "Carriers", "Member levels"),
        *("Exchange rate", "Messages about orders", "Preview of messages"),
    ],
    "Help": ["Step by step", "Shortcuts"],
}
GROUPS_IN_CHINESE = {
    "Shop windows": "橱窗",
    "Pages": "页面",
    "Catalogue": "商品目录",
    "Sales": "销售",
    "Stock": "库存",
    "Reports": "报告",
    "Settings": "设置",
    "Help": "帮助",
}
# What Wagtail writes in English on its pages, or wrote before the shop had Chinese for it.
ENGLISH_LEFT = re.compile(
    r"\b(Actions?|Add|All|Delete|Edit|Editor Guide|False|Filters?|History|Inspect|Last updated|Locale|More"
    r"|No|None|Reports?|Save|Search|Settings|Status|Submit|True|Updated|Usage|Yes|ago|every shop"
    r"|There (?:is|are)|Wagtail|Source|Target|Translations|Moderators|Root|Image)\b"
)
NO_TEXT = re.compile(r"<script.*?</script>|<style.*?</style>|<template.*?</template>|<svg.*?</svg>", re.S)
SPOKEN = re.compile(r'\b(?:aria-label|placeholder|title)="([^"]*)"')
# What Wagtail asks a chooser by, which answers the same to a browser.
BY_SCRIPT = {"x-requested-with": "XMLHttpRequest"}
# Days as numbers, which the Chinese does not write so.
NUMBERED_DAY = re.compile(r"\d\d/\d\d/\d{4}")


def groups_of(client: Client, language: str) -> list[LinkMenuItem | SubMenuItem]:
    set_language(client, language)
    with only_refusals():
        request = client.get("/admin/").wsgi_request
    with translation.override(language):
        return list(admin_menu.render_component(request))


def menu_of(client: Client, language: str) -> Entries:
    """Read the menu that a user sees: groups in their order, each with its entries."""
    groups = groups_of(client, language)
    with translation.override(language):
        return {
            str(group.label): [str(item.label) for item in getattr(group, "menu_items", ())]
            for group in groups
        }


def texts_of(html: str) -> str:
    """Return what a reader of a page sees and hears."""
    rest = NO_TEXT.sub(" ", html)
    return " ".join([re.sub(r"<[^>]*>", " ", rest), *SPOKEN.findall(rest)])


def test_editors_and_managers_see_the_menu_by_their_work(manager: Client) -> None:
    assert menu_of(staff("ed", EDITORS), ENGLISH) == EDITORS_MENU
    assert menu_of(manager, ENGLISH) == MANAGERS_MENU


def test_the_menu_is_in_the_readers_language(manager: Client) -> None:
    chinese = menu_of(manager, CHINESE)
    assert list(chinese) == [GROUPS_IN_CHINESE[group] for group in MANAGERS_MENU]
    entries = [entry for group in chinese.values() for entry in group]
    assert [entry for entry in entries if not re.search(r"[\u4e00-\u9fff]", entry)] == []


def test_staff_see_only_what_they_may_open(manager: Client) -> None:
    seller = staff("sel", permissions=("access_admin", "view_order"))
    menu = menu_of(seller, ENGLISH)
    assert menu["Sales"] == ["Orders"]
    assert not {"Catalogue", "Stock", "Settings", "Pages"} & set(menu)


def test_nothing_names_another_product(manager: Client, subtests: pytest.Subtests) -> None:
    for language in in_each_language(manager):
        with subtests.test(language=language):
            with translation.override(language):
                shop = ShopSettings.load().name
            screens = ["", "account/", "reports/site-history/", "goods/", "goods/new/", "missing/"]
            pages = [manager.get(f"/admin/{screen}") for screen in screens]
            pages.append(Client(headers={"accept-language": language}).get("/admin/login/"))
            for page in pages:
                html = page.content.decode()
                address = page.wsgi_request.path
                assert not re.search(r"\bWagtail\b", html), address
                assert "icon-wagtail" not in html, address
                assert "wagtailadmin/images/favicon" not in html, address
                assert 'rel="icon" type="image/svg+xml"' in html, address
                assert re.search(rf"<title>.*-\s+{shop}", html, re.S), address
            assert pages[5].status_code == 404
            assert Words(language).page("Page not found") in pages[5].content.decode()
            html = pages[0].content.decode()
            [menu] = re.findall(r"data-wagtail-sidebar-branding-logo>(.*?)</template>", html, re.S)
            assert shop in menu
            assert "img/logo" in menu
            assert "docs.wagtail.org" not in html
            assert "guide.wagtail.org" not in html
            [props] = re.findall(r'id="wagtail-sidebar-props"[^>]*>(.*?)</script>', html, re.S)
            assert "Wagtail v" not in props


def test_what_is_shown_outside_of_a_screen_is_in_the_readers_language() -> None:
    editor = staff("ed", EDITORS)
    for language in in_each_language(editor):
        text = Words(language).page("Sorry, you do not have permission to access this area.")
        assert text in editor.get("/admin/goods/", follow=True).content.decode()
        visitor = Client(headers={"accept-language": language})
        page = visitor.get("/admin/password_reset/done/").content.decode()
        assert Words(language).page("Check your email") in page


def test_pictures_have_one_name(manager: Client) -> None:
    picture = make_picture()
    screens = [
        *(
            "images/",
            "images/?q=nowhere",
            "images/add/",
            "images/multiple/add/",
            "images/chooser/",
            "account/",
        ),
        *(f"images/{picture.pk}/", f"images/{picture.pk}/delete/", f"images/usage/{picture.pk}/"),
        f"bulk/wagtailimages/image/delete/?id={picture.pk}",
        *("reports/site-history/", "dashboard/reports/unused-images/", "snippets/content/carouselslide/add/"),
        f"pages/{InformationPage.objects.earliest('pk').pk}/edit/",
        "",
    ]
    found = {}
    for screen in screens:
        text = texts_of(manager.get(f"/admin/{screen}", headers=BY_SCRIPT).content.decode())
        if slips := re.findall(r"(?<!/)\b[Ii]mages?\b", text):
            found[screen] = slips
    assert found == {}


def test_the_colours_of_the_back_office_are_the_shops() -> None:
    tokens = (settings.BASE_DIR / "static/css/parts/tokens.css").read_text("utf-8")
    for name in ("brand", "notice"):
        sheet = finders.find(f"css/admin/{name}.css")
        with open(str(sheet), encoding="utf-8") as file:
            colours = re.findall(r"#[0-9a-f]{3,6}\b", file.read())
        assert colours
        assert [colour for colour in colours if f"{colour};" not in tokens] == []


def test_the_chinese_screens_of_the_menu_are_chinese(manager: Client) -> None:
    screens = ["/admin/", "/admin/account/", "/admin/pages/"]
    for group in groups_of(manager, CHINESE):
        screens += [item.url for item in getattr(group, "menu_items", ()) if item.url.startswith("/admin/")]
    assert len(screens) > 45
    found = {}
    for address in screens:
        text = texts_of(manager.get(address, follow=True).content.decode())
        if slips := {*ENGLISH_LEFT.findall(text), *re.findall("页码", text), *NUMBERED_DAY.findall(text)}:
            found[address] = slips
    assert found == {}
