"""The help of the back office tells the truth: its screens open, and have the words that its steps name."""

import html
import re

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from PIL import Image

from config.demo.staff import EDITORS, MANAGERS, MODERATORS, load_staff
from content.help.screens import SCREENS
from content.help.steps import HEIGHT, WIDTH
from content.help.topics import TOPIC_OF_SCREEN, TOPICS
from content.models import HomePage
from content.tests.builders import make_slide
from content.tests.staff import set_language, staff
from core.languages import CHINESE, ENGLISH

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.usefixtures("demo_content")]

LANGUAGES = (ENGLISH, CHINESE)
STEPS = [step for topic in TOPICS.values() for step in topic.steps]
PICTURES = settings.BASE_DIR / "static" / "img" / "help"
MAX_BYTES_OF_PICTURES = 1_200_000


@pytest.fixture
def editor() -> Client:
    load_staff()
    # An earlier version to go back to, and a text that waits to be translated.
    slide = make_slide()
    for _version in range(2):
        slide.save_revision(log_action=True).publish()
    home = HomePage.objects.get(locale__language_code=ENGLISH)
    home.title = "Fresh from Asia"
    home.save_revision().publish()
    return staff("ed", EDITORS)


@pytest.fixture
def manager() -> Client:
    load_staff()
    return staff("meg", MODERATORS, MANAGERS)


def spoken(page: str) -> set[str]:
    """Return what a page says, in its texts and labels."""
    rest = re.sub(r"<(script|style)\b.*?</\1>", "\n", page, flags=re.S)
    labels = re.findall(r'\b(?:aria-label|data-w-tooltip-content-value|value)="([^"]*)"', rest)
    texts = re.sub(r"<[^>]*>", "\n", rest).splitlines()
    return {" ".join(html.unescape(text).split()) for text in (*texts, *labels)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_a_step_names_is_on_its_screen(
    editor: Client, manager: Client, language: str
) -> None:
    readers = {False: editor, True: manager}
    for reader in readers.values():
        set_language(reader, language)
    said = {}
    for screen, by_publisher in {(step.screen, step.by_publisher) for step in STEPS}:
        response = readers[by_publisher].get(SCREENS[screen]())
        assert response.status_code == 200, screen
        said[screen, by_publisher] = spoken(response.content.decode())
    with translation.override(language):
        missing = [
            (step.picture, str(name))
            for step in STEPS
            for name in step.names.values()
            if str(name) not in said[step.screen, step.by_publisher]
        ]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_opens_for_editors_and_managers_with_its_words_and_links(
    editor: Client, manager: Client, language: str
) -> None:
    for reader in (editor, manager):
        set_language(reader, language)
        listed = reader.get("/admin/help/").content.decode()
        for topic in TOPICS.values():
            page = reader.get(f"/admin/help/{topic.slug}/").content.decode()
            with translation.override(language):
                assert str(topic.title) in html.unescape(listed)
                for step in topic.steps:
                    assert f'href="{step.url}"' in page
                    assert step.picture_path in page
                    for name in step.names.values():
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_and_lists_lead_to_their_topic(editor: Client, language: str) -> None:
    set_language(editor, language)
    assert set(TOPIC_OF_SCREEN.values()) < set(TOPICS)
    leads = {
        "home": "home",
        "slides": "slide",
        "new_slide": "slide",
        "slide": "slide",
        "slide_history": "undo",
        "areas": "area",
        "new_area": "area",
        "preview": "preview",
        "new_images": "pictures",
    }
    for screen, slug in leads.items():
        assert f'href="/admin/help/{slug}/"' in editor.get(SCREENS[screen]()).content.decode(), screen
    assert 'class="help-link"' not in editor.get("/admin/account/").content.decode()
