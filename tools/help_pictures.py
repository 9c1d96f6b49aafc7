"""Draw the pictures of the back office's help, in both languages, from a demonstration of their own.

What a step names is found on its screen by these very words and outlined; a word that is not there ends it.
"""

import io
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import django
from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page, ViewportSize, sync_playwright

if TYPE_CHECKING:
    from content.help.steps import Step

BASE = Path(__file__).resolve().parent.parent
LANGUAGES = {"en": "en", "zh-hans": "zh"}
# Narrow enough to be shown in full width and still be read.
VIEWPORT: ViewportSize = {"width": 1000, "height": 640}
# What of it is shown, smaller: enough of the surroundings to find the place again.
CLIP_WIDTH, CLIP_HEIGHT = 1000, 555
# The menu folded away: its way is in the text.
FOLDED_MENU = ("wagtail_sidebar_collapsed", "1")
QUALITY = 70
PATIENCE_SECONDS = 20
# Between what is outlined and the picture's edge.
MARGIN = 16
FOOTER = "footer.footer [data-w-dropdown-target=toggle]"
STATUS = "[data-side-panel-toggle=status]"
PREVIEW = "[data-side-panel-toggle=preview]"
SCHEDULE = "[data-side-panel=status] [data-a11y-dialog-show]"

# What is pressed on a screen before its picture is taken.
PRESSED = {
    "home-preview": (PREVIEW,),
    "slide-schedule": (STATUS,),
    "slide-times": (STATUS, SCHEDULE),
    "end-schedule": (STATUS,),
    "end-time": (STATUS, SCHEDULE),
    "end-unpublish": (FOOTER,),
    "undo-version": ("table tbody [data-w-dropdown-target=toggle]",),
    "approve-look": (PREVIEW,),
    "approve-changes": (FOOTER,),
    "preview-from": (".w-slim-header [data-w-dropdown-target=toggle]",),
}
# What is seen as long as every text is translated.
ALL_TRANSLATED = {"translate-ask", "translate-publish"}
# Returns the places of the elements with some texts or labels; none before all are visible.
FIND = """
(texts) => {
    const plain = (text) => text.replace(/\\s+/g, ' ').replace(/ ?[*:]$/, '').trim();
    const textsOf = (each) => [
        each.dataset.wTooltipContentValue, each.getAttribute('aria-label'), each.innerText, each.value,
    ].map((text) => plain(String(text || '')));
    const all = [...document.querySelectorAll('body *')].filter((each) =>
        !each.closest('.sidebar, .w-minimap, [data-minimap-container], iframe')
        && each.checkVisibility({ visibilityProperty: true }));
    const found = texts.map((text) => {
        const named = all.filter((each) =>
            textsOf(each).includes(text) && each.getBoundingClientRect().width > 4);
        return named.find((each) => each.matches('button, a, label, input')) || named.at(-1);
    });
    if (!found.every(Boolean)) return null;
    found[0].scrollIntoView({ block: 'center' });
    return found.map((each) => {
        if (each.matches('button, a, input')) return each.getBoundingClientRect().toJSON();
        // A heading or a label is as wide as its column.
        const words = document.createRange();
        words.selectNodeContents(each);
        return words.getBoundingClientRect().toJSON();
    });
}
"""
# Outlines places in the shop's cobalt.
OUTLINE = """
(places) => {
    for (const place of places) {
        const mark = document.createElement('div');
        mark.style.cssText = 'position:fixed;border:3px solid #2346c7;border-radius:8px;z-index:99999;'
            + 'box-shadow:0 0 0 3px #fff;pointer-events:none;'
            + `left:${place.left - 6}px;top:${place.top - 6}px;`
            + `width:${place.width + 12}px;height:${place.height + 12}px`;
        document.body.append(mark);
    }
}
"""


def main() -> None:
    """Start a shop, take every picture, write those below `static/img/help`."""
    sys.path[:0] = [str(BASE / "site"), str(BASE)]
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    # Playwright's event loop runs in the thread that asks the database where the screens are.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        django.setup()
        from tests.browser.shops import MAKE_RUN, running

        with running(MAKE_RUN, Path(folder)) as shop:
            shop.wait_for("/readyz")
            take_all(shop.url, json.loads((Path(folder) / "backoffice.json").read_text("utf-8")))


def take_all(url: str, passwords: dict[str, str]) -> None:
    """Walk the steps of all topics in each language, as editor or as manager."""
    from django.utils import translation

    from content.help.topics import TOPICS
    from tests.browser.conftest import FLAGS

    steps = [step for topic in TOPICS.values() for step in topic.steps]
    late = {step.picture for step in steps} - ALL_TRANSLATED
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        readers = {name: log_in(browser, url, name, passwords[name]) for name in ("editor", "manager")}
        for wave in (ALL_TRANSLATED, late):
            if wave is late:
                change_what_is_shown()
            for language, folder in LANGUAGES.items():
                set_language(language)
                with translation.override(language):
                    for step in steps:
                        if step.picture in wave:
                            page = readers["manager" if step.by_publisher else "editor"]
                            take(page, step, BASE / "static" / "img" / "help" / folder)
        browser.close()


def log_in(browser: Browser, url: str, name: str, password: str) -> Page:
    """Return a page of a member of staff."""
    context = browser.new_context(base_url=url, viewport=VIEWPORT, reduced_motion="reduce")
    context.add_cookies([{"name": FOLDED_MENU[0], "value": FOLDED_MENU[1], "url": url}])
    # Which panel was open next to the form of the step before.
    context.add_init_script("localStorage.clear()")
    page = context.new_page()
    form = page.request.get("/admin/login/").text()
    [token, *_] = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
    fields = {"username": name, "password": password, "csrfmiddlewaretoken": token}
    page.request.post("/admin/login/", form=fields, headers={"Referer": url})
    return page


def set_language(language: str) -> None:
    """Show the back office to all staff in a language."""
    from django.contrib.auth.models import User
    from wagtail.users.models import UserProfile

    for user in User.objects.all():
        UserProfile.objects.update_or_create(user=user, defaults={"preferred_language": language})


def change_what_is_shown() -> None:
    """Publish more versions of a slide, submit another, and have a text of the home page to translate."""
    from django.contrib.auth.models import User
    from wagtail.models import Workflow

    from content.models import CarouselSlide, HomePage

    slide = CarouselSlide.objects.order_by("pk").get(sort=1)
    for _version in range(2):
        slide.save_revision(log_action=True).publish(log_action=True)
    editor = User.objects.get(username="editor")
    other = CarouselSlide.objects.order_by("pk").get(sort=2)
    other.save_revision(user=editor, log_action=True)
    Workflow.objects.get(active=True).start(other, editor)
    home = HomePage.objects.get(locale__language_code="en")
    home.title = "Asian groceries, health and beauty in Perth"
    home.save_revision(log_action=True).publish()


def take(page: Page, step: "Step", folder: Path) -> None:
    """Open the screen of a step, press what comes before, outline what it names, write the picture."""
    from content.help.steps import HEIGHT, WIDTH

    page.goto(step.url)
    page.locator(".sidebar").wait_for()
    pressed = PRESSED.get(step.picture, ())
    for each in pressed:
        page.locator(each).locator("visible=true").last.click()
    if PREVIEW in pressed:
        preview = page.frame_locator("[data-side-panel=preview] iframe:visible").last
        preview.get_by_role("heading").first.wait_for()
    places = wait_for_names(page, step)
    page.evaluate(OUTLINE, places)
    left, right = min(each["left"] for each in places), max(each["right"] for each in places)
    top, bottom = min(each["top"] for each in places), max(each["bottom"] for each in places)
    if right - left > CLIP_WIDTH - 2 * MARGIN or bottom - top > CLIP_HEIGHT - 2 * MARGIN:
        sys.exit(f"{step.picture}: what it names is too far apart: {places}")
    x = min(max(0, (left + right - CLIP_WIDTH) / 2), VIEWPORT["width"] - CLIP_WIDTH)
    y = min(max(0, (top + bottom - CLIP_HEIGHT) / 2), VIEWPORT["height"] - CLIP_HEIGHT)
    clip: FloatRect = {"x": round(x), "y": round(y), "width": CLIP_WIDTH, "height": CLIP_HEIGHT}
    png = page.screenshot(clip=clip, animations="disabled")
    shown = Image.open(io.BytesIO(png)).convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    folder.mkdir(parents=True, exist_ok=True)
    shown.save(folder / f"{step.picture}.webp", quality=QUALITY, method=6)


def wait_for_names(page: Page, step: "Step") -> list[dict[str, float]]:
    """Return where on the screen the words of a step are, once they are there and do not move."""
    names = [str(name) for name in step.names.values()]
    deadline, last = time.monotonic() + PATIENCE_SECONDS, None
    while time.monotonic() < deadline:
        places: list[dict[str, float]] | None = page.evaluate(FIND, names)
        if places and places == last:
            return places
        last = places
        page.wait_for_timeout(100)
    sys.exit(f"{step.picture}: not all of {names} are at {step.url}")


if __name__ == "__main__":
    main()
