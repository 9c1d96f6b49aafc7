"""An editor's day at the back office: a slide, its schedule, a translation, and an approval."""

import io
import os
import re
import sqlite3
from contextlib import closing, suppress
from datetime import datetime, timedelta

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, FrameLocator, Page, Route, expect
from playwright.sync_api import TimeoutError as NotInTimeError

from tests.browser.conftest import (
    AXE,
    AXE_OPTIONS,
    VIEWPORT_BY_LANGUAGE,
    VIEWPORTS,
    BackOffice,
    NewPage,
)
from tests.browser.shops import Shop
from tests.browser.walk import open_updated
from tests.browser.words import LANGUAGES, Words

pytestmark = pytest.mark.browser

# The sidebar's link to the dashboard and search, which Wagtail labels itself.
WAGTAILS_OWN = [".sidebar-custom-branding", ".sidebar [role=search]"]
# Its forms for something new begin with a heading of the second level.
WAGTAILS_RULES = {"page-has-heading-one": {"enabled": False}}


def stop_autosave(page: Page) -> None:
    """Keep a form from saving automatically: a test is quick enough to press a button at the same moment."""
    page.route("**/edit/**", without_autosave)


def without_autosave(route: Route) -> None:
    """Answer the automatic saves of a form in the place of the shop."""
    if route.request.resource_type == "fetch" and route.request.method == "POST":
        route.fulfill(json={"success": False, "error_code": "paused", "error_message": ""})
    else:
        route.continue_()


class Clock:
    """Makes a schedule due in the shop's database, then runs the task of each minute."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def start(self, slide: int) -> None:
        """Make a slide start now."""
        self._write(
            "UPDATE wagtailcore_revision SET approved_go_live_at = ?,"
            " content = json_set(content, '$.go_live_at', ?) WHERE approved_go_live_at IS NOT NULL"
            " AND object_id = ? AND content_type_id = (SELECT id FROM django_content_type"
            " WHERE app_label = 'content' AND model = 'carouselslide')",
            "2026-01-01 00:00:00",
            "2026-01-01T00:00:00Z",
            str(slide),
        )

    def end(self, slide: int) -> None:
        """Make a slide end now."""
        self._write(
            "UPDATE content_carouselslide SET expire_at = ? WHERE expire_at IS NOT NULL AND id = ?",
            "2026-01-02 00:00:00",
            slide,
        )

    def _write(self, sql: str, *values: object) -> None:
        with closing(sqlite3.connect(self._shop.data_dir / "shop.sqlite3", timeout=20)) as database, database:
            assert database.execute(sql, values).rowcount == 1
        self._shop.run("from django.core.management import call_command; call_command('publish_scheduled')")


@pytest.fixture
def clock(shop: Shop) -> Clock:
    """The shop's clock."""
    return Clock(shop)


def picture() -> bytes:
    """Make a picture that was not uploaded yet."""
    out = io.BytesIO()
    Image.frombytes("RGB", (8, 8), os.urandom(192)).resize((640, 640)).save(out, "PNG")
    return out.getvalue()


def do(page: Page, name: str) -> None:
    """Press a button of the menu at the foot of a form: save, submit, approve…"""
    footer = page.locator("footer.footer").last
    button = footer.get_by_role("button", name=re.compile(f"^{name}"), include_hidden=True).first
    if not button.is_visible():
        footer.locator("[data-w-dropdown-target=toggle]").click()
    with page.expect_navigation():
        button.click()


def wait_for_scripts(page: Page) -> None:
    """Wait until Wagtail's scripts have run, the last of which draws the menu.

    A still network is no sign of it: a form saves automatically, and a page may embed others.
    """
    page.wait_for_load_state()
    expect(page.locator(".sidebar")).to_be_visible()


def open_form(page: Page, path: str, name: str | None = None) -> str:
    """Open a form, from the list at a URL where a name is given; returns the form's own URL."""
    stop_autosave(page)
    page.goto(path)
    if name:
        page.get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_url("**/edit/**")
    wait_for_scripts(page)
    return page.url


def preview(page: Page, mode: str, title: str) -> FrameLocator:
    """Show the preview next to the form in a language, with its title."""
    if not page.locator("[data-side-panel=preview]").is_visible():
        page.locator("[data-side-panel-toggle=preview]").click()
    shown = page.frame_locator("[data-side-panel=preview] iframe:visible").last
    heading = shown.get_by_role("heading", level=2, name=title)
    for _again in range(6):
        # Wagtail renders one preview at a time, and may ignore a language that is chosen in the meantime.
        page.locator("#id_preview_mode").select_option(mode)
        with suppress(NotInTimeError):
            heading.wait_for(timeout=10_000)
            break
    expect(heading).to_be_visible()
    return shown


def violations(page: Page, *where: str) -> list[str]:
    """Return what axe finds on a page of the back office, or in parts of it."""
    parts = {"include": [[each] for each in where]} if where else {}
    page.evaluate(AXE)
    found = page.evaluate(
        "async ([where, how]) => (await axe.run(where, how)).violations",
        [parts | {"exclude": [[each] for each in WAGTAILS_OWN]}, AXE_OPTIONS | {"rules": WAGTAILS_RULES}],
    )
    return [f"{each['id']}: {node['html'][:300]}" for each in found for node in each["nodes"]]


def test_the_staff_log_in_by_the_form(new_page: NewPage, passwords: dict[str, str]) -> None:
    page = new_page("desktop")
    page.goto("/admin/login/")
    assert violations(page) == []
    page.locator("#id_username").fill("editor")
    page.locator("#id_password").fill(passwords["editor"])
    page.locator("#id_password").press("Enter")
    page.wait_for_url("**/admin/")
    expect(page.locator(".sidebar")).to_be_visible()


def test_staff_who_mistype_their_password_pass_a_security_check(
    new_page: NewPage, passwords: dict[str, str]
) -> None:
    page = new_page("desktop")
    page.goto("/admin/login/")
    for password in ("wrong", "wrong", "wrong", "wrong", passwords["manager"]):
        page.locator("#id_username").fill("manager")
        page.locator("#id_password").fill(password)
        if page.locator("[name=ticket]").count():
            # A form that is sent before the check has begun only brings the next check.
            page.locator("[name=staff-login][data-ready]").wait_for(state="attached")
        with page.expect_navigation():
            page.locator("#id_password").press("Enter")
    expect(page.locator(".sidebar")).to_be_visible()


def test_a_brand_that_was_typed_before_the_login_ended_is_saved_after_the_next(
    back_office: BackOffice, shop: Shop, passwords: dict[str, str]
) -> None:
    page = back_office("manager")
    page.goto("/admin/brands/new/")
    page.locator("#id_name_en").fill("Long Typed")
    page.locator("#id_name_zh").fill("久写")
    page.context.clear_cookies(name="sessionid")
    page.locator("#id_name_zh").press("Enter")
    expect(page.get_by_text("Your login has ended.")).to_be_visible()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Log in in a new window").click()
    login = opened.value
    login.locator("#id_username").fill("manager")
    login.locator("#id_password").fill(passwords["manager"])
    login.locator("#id_password").press("Enter")
    expect(login.locator(".sidebar")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Send it again").click()
    page.wait_for_url(f"{shop.url}/admin/brands/")
    expect(page.get_by_text("Long Typed").first).to_be_visible()


def test_a_slide_with_a_new_picture_appears_and_goes_at_its_times(
    back_office: BackOffice, new_page: NewPage, clock: Clock
) -> None:
    english, chinese = "Moon festival", "花好月圆，中秋团圆"
    page = back_office("editor")
    form = open_form(page, "/admin/snippets/content/carouselslide/", "Quiet, clever skincare")
    # The preview follows the automatic saves.
    page.unroute_all()
    slide = int(re.findall(r"/edit/(\d+)/", form)[0])
    page.locator("#id_title_en").fill(english)
    page.locator("#id_title_zh").fill(chinese)
    chooser = page.locator("#id_pictures-0-picture-chooser")
    chooser.get_by_role("button", name="Actions").click()
    page.get_by_text("Change picture", exact=True).click()
    modal = page.locator(".modal-content")
    modal.get_by_role("tab", name="Upload").click()
    file: FilePayload = {"name": "moon.png", "mimeType": "image/png", "buffer": picture()}
    modal.locator("input[type=file]").set_input_files(file)
    modal.locator("#id_image-chooser-upload-title").fill("A moon of red lacquer")
    modal.locator("#tab-upload button[type=submit]").click()
    expect(chooser).to_contain_text("A moon of red lacquer")

    for mode, title, lang in (("en", english, "en-AU"), ("zh-hans", chinese, "zh-Hans")):
        seen = preview(page, mode, title)
        expect(seen.locator("html")).to_have_attribute("lang", lang)
    widths = "all => all.map((each) => each.dataset.deviceWidth)"
    assert page.locator("[data-device-width]").evaluate_all(widths) == ["390", "1440"]

    stop_autosave(page)
    start, end = (datetime.now() + timedelta(days=days) for days in (1, 3))
    page.locator("[data-side-panel-toggle=status]").click()
    page.locator("[data-side-panel=status]").get_by_role("button", name="Set schedule").click()
    dialog = page.get_by_role("dialog").filter(has_text="Save schedule")
    page.locator("#id_go_live_at").fill(f"{start:%Y-%m-%d %H:%M}")
    page.locator("#id_expire_at").fill(f"{end:%Y-%m-%d %H:%M}")
    with page.expect_navigation():
        # By the keyboard: Wagtail's calendar opens a moment late and may cover the button.
        dialog.get_by_role("button", name="Save schedule").press("Enter")
    open_form(page, form)
    do(page, "Submit for approval")

    approver = back_office("manager")
    approver.goto("/admin/")
    approver.get_by_role("region", name="To approve").get_by_role("link", name=english).click()
    wait_for_scripts(approver)
    do(approver, "Approve and publish")
    shopper = new_page("desktop")
    open_updated(shopper, "/zh-hans/home", chinese, is_there=False)
    later = f"{start + timedelta(hours=1):%Y-%m-%d %H:%M}"
    page.goto(f"/admin/dashboard/preview/?path=/home&language=zh-hans&at={later}")
    then = page.frame_locator("[data-preview-frame]")
    expect(then.get_by_role("heading", level=2, name=chinese)).to_be_attached()

    clock.start(slide)
    open_updated(shopper, "/zh-hans/home", chinese)
    open_updated(shopper, "/home", english)

    clock.end(slide)
    open_updated(shopper, "/zh-hans/home", chinese, is_there=False)
    open_updated(shopper, "/home", english, is_there=False)


def test_a_page_is_sent_back_approved_translated_and_reverted(
    back_office: BackOffice, new_page: NewPage
) -> None:
    first, second, chinese = "A grocer in Perth.", "A grocer in Northbridge, Perth.", "珀斯北桥的亚洲超市。"
    page, approver, shopper = back_office("editor"), back_office("manager"), new_page("desktop")
    form = open_form(page, "/admin/pages/search/?q=About+Eastbowl", "About Eastbowl")
    page.locator("#id_intro").fill(first)
    do(page, "Submit for approval")

    open_form(approver, form)
    approver.locator("footer.footer [data-w-dropdown-target=toggle]").last.click()
    approver.get_by_role("button", name="Request changes").click()
    modal = approver.locator(".modal-content")
    modal.locator("textarea").fill("Write where in Perth.")
    with approver.expect_navigation():
        modal.locator("button[type=submit]").click()

    page.goto("/admin/")
    expect(page.get_by_text("Sent back at Approval")).to_be_visible()
    open_form(page, form)
    page.locator("[data-side-panel-toggle=status]").click()
    page.get_by_role("button", name="View details").click()
    expect(page.get_by_text("Write where in Perth.")).to_be_visible()
    open_form(page, form)
    page.locator("#id_intro").fill(second)
    do(page, "Submit again")
    open_form(approver, form)
    do(approver, "Approve and publish")
    open_updated(shopper, "/home/about-us/information", second)

    # The published text waits there, and the button jumps to its field.
    open_form(page, form)
    page.get_by_role("link", name="Continue translating").click()
    page.wait_for_url("**/edit/#translate")
    footer = page.locator("[data-translation-footer]")
    expect(footer.get_by_role("status")).to_have_text("1 of 9 texts left")
    waiting = page.locator("li.incomplete textarea")
    expect(waiting).to_be_focused()
    waiting.fill(chinese)
    waiting.press("Enter")
    expect(footer.get_by_role("status")).to_have_text("All 9 texts are translated")
    expect(footer.get_by_role("button", name="Submit for approval")).to_be_focused()
    open_form(approver, page.url)
    with approver.expect_navigation():
        approver.get_by_role("button", name="Publish the translation").click()
    open_updated(shopper, "/zh-hans/home/about-us/information", chinese)

    page.goto(form.replace("/edit/", "/history/"))
    earlier = page.get_by_role("row").filter(has_text="Draft saved").filter(has_text="Editor").last
    earlier.get_by_role("button", name="Actions").click()
    page.get_by_text("Compare with current version").last.click()
    expect(page.locator("table.listing")).to_contain_text("Northbridge")
    page.go_back()
    earlier.get_by_role("button", name="Actions").click()
    page.get_by_text("Open this version").last.click()
    wait_for_scripts(page)
    expect(page.locator("#id_intro")).to_have_value(first)
    do(page, "(Replace|Save)")
    open_form(approver, form)
    do(approver, "Publish")
    open_updated(shopper, "/home/about-us/information", first)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shops_own_back_office_pages_are_accessible(back_office: BackOffice, language: str) -> None:
    page = back_office("manager", language)
    areas = "/admin/snippets/content/specialarea/"
    slides = "/admin/snippets/content/carouselslide/"
    screens = {
        "/admin/": None,
        "/admin/dashboard/preview/": "Preview at a time",
        "/admin/dashboard/reports/unused-images/": "Unused pictures",
        "/admin/dashboard/reports/broken-links/": "Broken links",
        "/admin/files/": "Import and export",
        f"{slides}add/": None,
        "/admin/help/": "Step by step",
        "/admin/help/slide/": "A new slide",
        f"{areas}add/": None,
    }
    found = []
    for path, heading in screens.items():
        page.set_viewport_size(VIEWPORTS["desktop"])
        page.goto(path)
        wait_for_scripts(page)
        expect(page.locator("html")).to_have_attribute("lang", language)
        if heading:
            title = page.get_by_role("heading", name=Words(language).page(heading))
            expect(title.first).to_be_visible()
        page.set_viewport_size(VIEWPORTS[VIEWPORT_BY_LANGUAGE[language]])
        found += [f"{path}: {each}" for each in violations(page)]
    assert not found, "\n".join(found)
