"""Choosers, calendars and the screen of a translation, as an editor uses them."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import VIEWPORT_BY_LANGUAGE, VIEWPORTS, BackOffice
from tests.browser.test_editor import open_form, violations, wait_for_scripts, without_autosave
from tests.browser.words import LANGUAGES

pytestmark = pytest.mark.browser

# The buttons of choosers that are on top of a field.
COVERED = """() => {
  const boxes = (names) => [...document.querySelectorAll(names)]
    .filter((each) => each.checkVisibility())
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height);
  const fields = boxes('input:not([type=hidden]), textarea, select');
  return boxes('.chooser button, .shop-path button').flatMap(([button, a]) => fields
    .filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
    .map(([field]) => `${button.textContent.trim()} on ${field.id}`));
}"""


def covers(one: Locator, other: Locator) -> bool:
    """Return True if two boxes overlap."""
    a, b = one.bounding_box(), other.bounding_box()
    assert a
    assert b
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


def type_slowly(field: Locator, word: str) -> None:
    """Type a word letter by letter, as one does."""
    field.press_sequentially(word, delay=30)


@pytest.mark.parametrize("language", LANGUAGES)
def test_choosers_and_calendars_search_while_typing_and_cover_nothing(
    back_office: BackOffice, language: str
) -> None:
    viewport = VIEWPORT_BY_LANGUAGE[language]
    page = back_office("editor", language)
    # An unfinished form that saves automatically is refused.
    page.route("**/add/", without_autosave)
    open_form(page, "/admin/snippets/content/specialarea/add/")
    page.set_viewport_size(VIEWPORTS[viewport])
    assert page.evaluate(COVERED) == []
    page.locator("#id_category-chooser [data-chooser-action-choose]").first.click()
    dialog = page.locator(".modal-content")
    field = dialog.locator("#id_q")
    expect(field).to_be_focused()
    type_slowly(field, "lingshi")
    expect(dialog.get_by_role("alert")).to_contain_text(re.compile(r"\d"))
    expect(dialog.locator("#search-results")).to_contain_text("零食")
    expect(field).to_be_focused()
    expect(field).to_have_value("lingshi")
    field.fill("zebra")
    expect(dialog.get_by_role("alert")).to_contain_text("zebra")
    page.keyboard.press("Escape")

    page.set_viewport_size(VIEWPORTS["desktop"])
    open_form(page, "/admin/snippets/content/carouselslide/add/")
    page.set_viewport_size(VIEWPORTS[viewport])
    path = page.locator("#id_path")
    button = page.locator("[data-action='shop-path#choose']")
    assert page.evaluate(COVERED) == []
    button.click()
    field = dialog.locator("#shop-links-q")
    expect(field).to_be_focused()
    type_slowly(field, "peisong")
    status = dialog.get_by_role("status")
    expect(status).to_contain_text(re.compile(r"^\s*(\d|找到 \d)"))
    expect(field).to_be_focused()
    field.press("Enter")
    expect(field).to_have_value("peisong")
    assert violations(page, ".modal-content .shop-links") == []
    found = dialog.locator("[data-shop-links-results]")
    field.fill("zebra")
    expect(status).to_contain_text("zebra")
    expect(found.get_by_role("button")).to_have_count(0)
    field.fill("peisong")
    found.get_by_role("button").first.click()
    expect(path).to_have_value("/home/about-us/delivery")

    page.locator("[data-side-panel-toggle=status]").click()
    page.locator("[data-a11y-dialog-show=schedule-publishing-dialog]").first.click()
    schedule = page.locator("#schedule-publishing-dialog")
    save = schedule.locator(".button").last
    for name in ("go_live_at", "expire_at"):
        schedule.locator(f"#id_{name}").click()
        calendar = schedule.locator(".xdsoft_datetimepicker:visible")
        expect(calendar).to_have_count(1)
        save.scroll_into_view_if_needed()
        assert not covers(calendar, save)
        box = calendar.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= VIEWPORTS[viewport]["width"]
        # A day of the calendar is a click away, and fills in the field.
        calendar.locator("td.xdsoft_date:not(.xdsoft_disabled):not(.xdsoft_other_month)").last.click()
        expect(schedule.locator(f"#id_{name}")).not_to_have_value("")
    # The calendar closes as the button is pressed, which stays under the pointer.
    expect(calendar).to_be_visible()
    with page.expect_navigation():
        save.click()


def test_what_is_ticked_in_a_chooser_outlives_another_page_and_a_search(back_office: BackOffice) -> None:
    page = back_office("editor", "en")
    page.route("**/add/", without_autosave)
    open_form(page, "/admin/snippets/content/specialarea/add/")
    page.locator("#id_picked-OPEN_MODAL").click()
    dialog = page.locator(".modal-content")
    confirm = dialog.locator("[data-multiple-choice-submit]")
    kept = dialog.locator(".kept-ticks__rows")
    status = dialog.get_by_role("status")
    ticks = dialog.locator("#search-results [type=checkbox]")
    expect(status).to_have_text("Chosen: 0")
    expect(confirm).to_be_disabled()
    expect(confirm).to_be_in_viewport()
    ticks.nth(1).check()
    dialog.locator(".pagination a").last.click()
    expect(dialog.locator("#search-results [type=checkbox]:checked")).to_have_count(0)
    ticks.first.check()
    field = dialog.locator("#id_q")
    field.fill("noodle")
    expect(dialog.get_by_role("alert")).to_be_visible()
    ticks.first.check()
    expect(status).to_have_text("Chosen: 3")
    assert violations(page, ".kept-ticks") == []
    # They are ticked in the list again, and may be taken out above the button.
    field.fill("")
    expect(ticks.nth(1)).to_be_checked()
    chosen = kept.locator("label").all_inner_texts()
    kept.get_by_role("checkbox").first.focus()
    page.keyboard.press("Space")
    expect(kept.get_by_role("checkbox").first).to_be_focused()
    expect(ticks.nth(1)).not_to_be_checked()
    expect(status).to_have_text("Chosen: 2")
    confirm.click()
    expect(page.locator("[id^=inline_child_picked] .chooser__title")).to_have_text(chosen[1:])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screen_of_a_translation_is_accessible_and_links_to_its_next_step(
    back_office: BackOffice, language: str
) -> None:
    page = back_office("manager", language)
    open_form(page, "/admin/pages/search/?q=peisong", "Delivery and pick-up")
    assert violations(page, ".translation-state") == []
    link = page.locator(".translation-state a")
    link.click()
    page.wait_for_url("**/edit/**")
    wait_for_scripts(page)
    footer = page.locator("[data-translation-footer]")
    expect(footer.get_by_role("status")).to_have_text(re.compile(r"\d"))
    for viewport in ("desktop", "phone"):
        page.set_viewport_size(VIEWPORTS[viewport])
        expect(footer.locator("button[value=publish]")).to_be_in_viewport()
        assert violations(page, ".js-translation-editor", "[data-translation-footer]") == []
    # A panel at the side leaves the texts their buttons.
    page.set_viewport_size(VIEWPORTS["desktop"])
    page.locator("[data-side-panel-toggle=status]").click()
    button = page.locator(".js-translation-editor button").locator("visible=true").first
    assert not covers(page.locator(".form-side--open"), button)
    page.locator("[data-side-panel-toggle=status]").click()
    # The rest is folded.
    more = footer.locator("[data-w-dropdown-target=toggle]")
    expect(footer.locator("a[href$='/stop/']")).to_be_hidden()
    more.click()
    page.locator("a[href$='/stop/']").click()
    expect(page.locator(".translation-step form")).to_be_visible()
    assert violations(page, ".translation-step") == []
