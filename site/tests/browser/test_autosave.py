"""Buttons of a form that are pressed during an automatic save: one draft, with all that was typed."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route
from playwright.sync_api import TimeoutError as NotInTimeError

from tests.browser.conftest import BackOffice
from tests.browser.shops import Shop
from tests.browser.test_editor import wait_for_scripts
from tests.combinations import ALL_COMBINATIONS
from tests.combinations import choose as choose_of

pytestmark = pytest.mark.browser

# Milliseconds, longer than the script waits for an autosave (static/js/admin/save-once.js).
PATIENCE = 11_000
UNREADABLE = 422
AREAS, SLIDES = "/admin/snippets/content/specialarea/", "/admin/snippets/content/carouselslide/"


@dataclass(frozen=True)
class Form:
    """A form that saves automatically.

    `start` opens it and fills in what a draft needs, with one of its `rows`; `first` and `second` are the
    fields that are typed into before and during the autosave.
    """

    start: Callable[[Page, Shop], None]
    model: str
    first: str
    second: str
    rows: str = ""


def choose(page: Page, field: str, key: str) -> None:
    """Choose a row of the demonstration by its key."""
    page.locator(f"#id_{field}").evaluate("(input, key) => { input.value = key; }", key)


def pick_a_product(page: Page) -> None:
    """Tick the first product of the chooser of an area's products."""
    page.locator("#id_picked-OPEN_MODAL").click()
    page.locator("[data-multiple-choice-select]").first.check()
    page.locator("[data-multiple-choice-submit]").click()
    page.locator(".modal-content").wait_for(state="hidden")
    page.locator("#id_picked-0-product").wait_for(state="attached")


def new_area(page: Page, _shop: Shop) -> None:
    page.goto(f"{AREAS}add/")
    wait_for_scripts(page)
    page.locator("#id_name_zh").fill("新专区")
    choose(page, "picture", "1")
    pick_a_product(page)


def area(name: str) -> Callable[[Page, Shop], None]:
    """Return what opens the form of an area without products of its own, and picks its first one."""

    def start(page: Page, _shop: Shop) -> None:
        page.goto(AREAS)
        page.get_by_role("link", name=name, exact=True).click()
        wait_for_scripts(page)
        pick_a_product(page)

    return start


def new_slide(page: Page, _shop: Shop) -> None:
    page.goto(f"{SLIDES}add/")
    wait_for_scripts(page)
    choose(page, "pictures-0-picture", "1")


def a_slide(page: Page, _shop: Shop) -> None:
    page.goto(SLIDES)
    page.get_by_role("link", name="Market-fresh greens", exact=True).click()
    wait_for_scripts(page)


def about_page(shop: Shop) -> int:
    """Return the key of the page whose form the tests open: drafts of it may have any title."""
    with closing(sqlite3.connect(shop.data_dir / "shop.sqlite3", timeout=20)) as database:
        [[key]] = database.execute("SELECT id FROM wagtailcore_page WHERE title = 'About Eastbowl'")
    return int(key)


def new_page_to_read(page: Page, shop: Shop) -> None:
    page.goto(f"/admin/pages/add/content/informationpage/{about_page(shop)}/")
    wait_for_scripts(page)


def a_page_to_read(page: Page, shop: Shop) -> None:
    page.goto(f"/admin/pages/{about_page(shop)}/edit/")
    wait_for_scripts(page)


FORMS = {
    "new area": Form(new_area, "specialarea", "name_en", "text_en", "picked"),
    "area": Form(area("Face masks"), "specialarea", "name_en", "text_en", "picked"),
    "other area": Form(area("Mother and baby"), "specialarea", "name_en", "text_en", "picked"),
    "new slide": Form(new_slide, "carouselslide", "title_en", "text_en", "pictures"),
    "slide": Form(a_slide, "carouselslide", "title_en", "text_en"),
    "new page": Form(new_page_to_read, "informationpage", "title", "intro"),
    "page": Form(a_page_to_read, "informationpage", "title", "intro"),
}
# What a test fills in before its first autosave is not saved without a name.
PAUSED = """addEventListener('DOMContentLoaded', () => {
    const form = document.querySelector('[data-edit-form]');
    if (form) form.dataset.wAutosaveActiveValue = 'false';
})"""
NEWEST = """
    SELECT content FROM wagtailcore_revision WHERE id IN
        (SELECT max(id) FROM wagtailcore_revision GROUP BY content_type_id, object_id)
    AND content_type_id IN (SELECT id FROM django_content_type WHERE model = ?)
"""


def newest_drafts(shop: Shop, model: str) -> list[dict[str, Any]]:
    """Read the newest draft of each row of a model."""
    with closing(sqlite3.connect(shop.data_dir / "shop.sqlite3", timeout=20)) as database:
        return [json.loads(content) for (content,) in database.execute(NEWEST, [model])]


# ── What becomes of the autosave ──────────────────────────────────────────────────────────────────────


def answered(page: Page, autosave: Route) -> None:
    autosave.continue_()


def lost(page: Page, autosave: Route) -> None:
    """The shop has saved it, and the browser does not know."""
    autosave.fetch()
    autosave.abort()


def refused(page: Page, autosave: Route) -> None:
    autosave.fulfill(status=UNREADABLE, json={"success": False, "error_code": "x", "error_message": ""})


def failed(page: Page, autosave: Route) -> None:
    autosave.fulfill(status=503, body="busy")


def never_answered(page: Page, autosave: Route) -> None:
    """The script ends its wait."""
    page.clock.fast_forward(PATIENCE)


def hold(page: Page) -> list[Route]:
    """Hold the first autosave of a form."""
    held: list[Route] = []

    def handle(route: Route) -> None:
        sent = route.request
        if is_autosave(sent) and not held:
            held.append(route)
        else:
            route.fallback()

    page.route("**/admin/**", handle)
    return held


def is_autosave(sent: Request) -> bool:
    of_form = re.search(r"/(add|edit)/([\w/]+/)?$", sent.url) is not None
    return of_form and sent.resource_type == "fetch" and sent.method == "POST"


# ── How it is pressed ─────────────────────────────────────────────────────────────────────────────────


def save_draft(page: Page) -> None:
    page.locator("footer.footer").get_by_role("button", name="Save draft").last.click()


def publish(page: Page) -> None:
    footer = page.locator("footer.footer").last
    footer.get_by_role("button", name=re.compile("^Publish")).first.click()


def save_twice(page: Page) -> None:
    page.locator("footer.footer").get_by_role("button", name="Save draft").last.dblclick()


def by_the_keyboard(page: Page) -> None:
    page.keyboard.press("Control+s")
    page.keyboard.press("Control+s")


# Every kind of form, answer and button is in one of them.
CASES = [
    ("new area", refused, publish),
    ("other area", failed, save_draft),
    ("new slide", lost, by_the_keyboard),
    ("slide", answered, save_twice),
    ("new page", never_answered, save_twice),
    ("page", lost, save_draft),
]
if ALL_COMBINATIONS:
    CASES += [
        ("new area", answered, save_draft),
        ("new area", lost, save_twice),
        ("area", never_answered, by_the_keyboard),
        ("new slide", never_answered, save_draft),
        ("new page", answered, publish),
    ]


def begin_autosave(page: Page, shop: Shop, form: Form, title: str) -> list[Route]:
    """Type a title into a form and hold the autosave that sends it."""
    page.add_init_script(PAUSED)
    form.start(page, shop)
    held = hold(page)
    page.locator("[data-edit-form]").evaluate("(form) => { form.dataset.wAutosaveActiveValue = 'true'; }")
    with page.expect_request(is_autosave):
        # Often before Wagtail looks for changes, which it does from two seconds after the page has loaded.
        page.locator(f"#id_{form.first}").click()
        page.locator(f"#id_{form.first}").fill(title)
        # On leaving the field, a page's path is derived from it.
        page.locator(f"#id_{form.first}").press("Tab")
    return held


STATUS_OF: dict[Callable[[Page, Route], None], int] = {refused: UNREADABLE, failed: 503}


@pytest.mark.parametrize(
    ("name", "becomes", "press"), CASES, ids=[f"{a}-{b.__name__}-{c.__name__}" for a, b, c in CASES]
)
def test_a_button_pressed_during_an_autosave_saves_one_draft_with_all_that_was_typed(
    back_office: BackOffice,
    shop: Shop,
    name: str,
    becomes: Callable[[Page, Route], None],
    press: Callable[[Page], None],
) -> None:
    form, title = FORMS[name], f"{name} {becomes.__name__} {press.__name__}"
    page = back_office("manager", refused=STATUS_OF.get(becomes))
    page.clock.install()
    held = begin_autosave(page, shop, form, title)
    page.locator(f"#id_{form.second}").fill("typed in the meantime")
    with page.expect_response(lambda answer: answer.request.is_navigation_request()) as saved:
        press(page)
        becomes(page, held[0])
    assert saved.value.request.method == "POST"
    assert saved.value.status == 302
    page.wait_for_load_state()
    if becomes is never_answered:
        # It reaches the shop after all.
        late = held[0].fetch()
        assert late.status == 400
        assert late.json()["error_code"] == "invalid_revision"
    [draft] = [each for each in newest_drafts(shop, form.model) if each[form.first] == title]
    assert draft[form.second] == "typed in the meantime"
    if form.rows:
        assert len(draft[form.rows]) == 1


@pytest.mark.parametrize("name", choose_of("typed on", ["new area", "page"]))
def test_what_is_typed_during_an_autosave_is_saved_by_the_next_one(
    back_office: BackOffice, shop: Shop, name: str
) -> None:
    form, title = FORMS[name], f"{name} typed on"
    page = back_office("manager")
    page.clock.install()
    held = begin_autosave(page, shop, form, title)
    # So late that it is there when the answer comes, and was not seen before.
    late = "addEventListener('w-autosave:success', () => { field.value = 'typed at the answer'; }, true)"
    page.locator(f"#id_{form.second}").evaluate(f"(field) => {{ {late}; }}")
    with page.expect_response(lambda answer: is_autosave(answer.request)):
        held[0].continue_()
    with page.expect_response(lambda answer: is_autosave(answer.request)) as next_one:
        pass
    assert next_one.value.status == 200
    [draft] = [each for each in newest_drafts(shop, form.model) if each[form.first] == title]
    assert draft[form.second] == "typed at the answer"
    # What was saved is not saved again.
    with pytest.raises(NotInTimeError), page.expect_request(is_autosave, timeout=500):
        page.clock.run_for(3_000)
