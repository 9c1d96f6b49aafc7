"""The help of the back office is true: its screens open, and have the labels that its steps name."""

import html
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation
from PIL import Image
from wagtail.models import Workflow

from config.demo.staff import EDITORS, load_staff
from content.help.screens import SCREENS
from content.help.steps import HEIGHT, WIDTH
from content.help.topics import TOPIC_OF_SCREEN, TOPICS
from content.models import HomePage
from content.tests.builders import make_slide
from content.tests.staff import in_each_language, set_language, staff
from core.languages import CHINESE, ENGLISH
from tests.combinations import choose

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

LANGUAGES = (ENGLISH, CHINESE)
STEPS = [step for topic in TOPICS.values() for step in topic.steps]
PICTURES = settings.BASE_DIR / "static" / "img" / "help"
# The screens that a link of the step before opens; another row's form is reached by its name, a page by a
# button.
LINKED = ("new_slide", "new_area", "new_images", "slide_history", "slide_version", "translation")
MAX_BYTES_OF_PICTURES = 1_500_000


@pytest.fixture
def editor() -> Client:
    load_staff()
    # A version to go back to, a text that waits to be translated, and a slide that waits for approval.
    slide = make_slide()
    for _version in range(2):
        slide.save_revision(log_action=True).publish()
    home = HomePage.objects.get(locale__language_code=ENGLISH)
    home.title = "Fresh from Asia"
    home.save_revision().publish()
    client = staff("ed", EDITORS)
    waiting = make_slide(sort=2)
    waiting.save_revision()
    Workflow.objects.get(active=True).start(waiting, User.objects.get(username="ed"))
    return client


def spoken(page: str) -> set[str]:
    """Return the text of a page, with its labels."""
    rest = re.sub(r"<(script|style)\b.*?</\1>", "\n", page, flags=re.S)
    labels = re.findall(r'\b(?:aria-label|data-w-tooltip-content-value|value)="([^"]*)"', rest)
    texts = re.sub(r"<[^>]*>", "\n", rest).splitlines()
    return {" ".join(html.unescape(text).split()) for text in (*texts, *labels)}


def ways(items: list[dict[str, Any]], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the labels of each entry of the menu, from the outermost, with its URL."""
    for item in items:
        entry, *below = item["_args"]
        way = (*above, entry["label"])
        if below and isinstance(below[0], list):
            yield from ways(below[0], way)
        else:
            yield way, entry["url"]


def menu(page: str) -> dict[tuple[str, ...], str]:
    """Return the URL of each entry of the menu by its labels."""
    [props] = re.findall(r'<script id="wagtail-sidebar-props" type="application/json">(.*?)</script>', page)
    [main] = [
        module
        for module in json.loads(props)["modules"]
        if module["_type"] == "wagtail.sidebar.MainMenuModule"
    ]
    return dict(ways(main["_args"][0]))


def pressed(page: str, names: set[str]) -> set[str]:
    """Return where the links of these names on a page lead."""
    links = re.findall(r'(<a\b[^>]*?\bhref="([^"#?]*)[^>]*>.*?</a>)', page, flags=re.S)
    return {url for link, url in links if spoken(link) & names}


LEADS = {
    "home": "home",
    "slides": "slide",
    "new_slide": "slide",
    "slide": "slide",
    "slide_history": "undo",
    "slide_version": "undo",
    "change_history": "undo",
    "areas": "area",
    "new_area": "area",
    "preview": "preview",
    "images": "pictures",
    "image": "pictures",
    "new_images": "pictures",
}


@pytest.mark.parametrize("language", choose("steps", LANGUAGES))
def test_steps_name_what_is_on_their_screens_which_link_to_the_help(
    editor: Client, manager: Client, language: str
) -> None:
    readers = {False: editor, True: manager}
    for reader in readers.values():
        set_language(reader, language)
    pages: dict[tuple[str, bool], str] = {}

    def read(screen: str, by_publisher: bool) -> str:
        if (screen, by_publisher) not in pages:
            response = readers[by_publisher].get(SCREENS[screen]())
            assert response.status_code == 200, screen
            pages[screen, by_publisher] = response.content.decode()
        return pages[screen, by_publisher]

    with translation.override(language):
        for step in STEPS:
            page = read(step.screen, step.by_publisher)
            assert {str(name) for name in step.names.values()} <= spoken(page), step.picture
            if step.publishers_names:
                names = {str(name) for name in step.publishers_names.values()}
                assert names <= spoken(read(step.screen, True)), step.picture
            if step.menu:
                assert menu(page)[tuple(str(entry) for entry in step.menu)] == step.url, step.picture
        for topic in TOPICS.values():
            for step, following in pairwise(topic.steps):
                if following.screen in LINKED and not following.opens and following.screen != step.screen:
                    names = {str(name) for name in step.names.values()}
                    page = read(step.screen, step.by_publisher)
                    assert following.url in pressed(page, names), following.picture
    # Forms and lists link to their topic.
    assert set(TOPIC_OF_SCREEN.values()) < set(TOPICS)
    for screen, slug in LEADS.items():
        assert f'href="/admin/help/{slug}/"' in read(screen, False), screen
    assert 'class="help-link"' not in editor.get("/admin/account/").content.decode()


def test_every_topic_opens_for_editors_and_managers_with_its_words_and_links(
    editor: Client, manager: Client
) -> None:
    for reader in (editor, manager):
        for language in in_each_language(reader):
            listed = reader.get("/admin/help/").content.decode()
            for topic in TOPICS.values():
                page = reader.get(f"/admin/help/{topic.slug}/").content.decode()
                with translation.override(language):
                    assert str(topic.title) in html.unescape(listed)
                    for step in topic.steps:
                        if step.opens:
                            assert f'href="{step.url}"' in page
                        assert step.picture_path in page
                        for name in (*step.names.values(), *step.publishers_names.values(), *step.menu):
                            assert f'<b class="help-name">{html.escape(str(name))}</b>' in page


def test_every_step_has_its_picture_in_both_languages_and_no_picture_is_left_over() -> None:
    names = {f"{step.picture}.webp" for step in STEPS}
    assert len(names) == len(STEPS)
    for folder in ("en", "zh"):
        assert {file.name for file in (PICTURES / folder).iterdir()} == names
    files = list(PICTURES.glob("*/*"))
    for file in files:
        with Image.open(file) as picture:
            assert (picture.format, picture.size) == ("WEBP", (WIDTH, HEIGHT)), file
    assert sum(file.stat().st_size for file in files) < MAX_BYTES_OF_PICTURES


def test_the_help_asks_who_one_is_and_knows_its_topics() -> None:
    response = Client().get("/admin/help/slide/")
    assert (response.status_code, response["Location"]) == (302, "/admin/login/?next=/admin/help/slide/")
    assert staff("ed", EDITORS).get("/admin/help/nothing/").status_code == 404
