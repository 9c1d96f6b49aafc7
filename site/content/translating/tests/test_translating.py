"""Editors translate pages text by text: what is next is offered, and what replaces texts asks first."""

import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from wagtail.models import Locale, Page
from wagtail_localize.models import StringTranslation, Translation

from content.models import InformationPage
from content.tests.forms import page_form
from content.tests.staff import in_each_language, staff
from content.translating.progress import progress_of
from content.translating.views import MAX_FILE_BYTES, NAME_IN_FILE
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]


@pytest.fixture
def page() -> InformationPage:
    """The English page of answers, which has a translation."""
    found: InformationPage = InformationPage.objects.get(slug="help", locale__language_code=ENGLISH)
    return found


@pytest.fixture
def translation(page: InformationPage) -> Translation:
    return Translation.objects.get(source__object_id=page.translation_key)


@pytest.fixture
def editor() -> Client:
    return staff("writer", "Editors")


@pytest.fixture
def moderator() -> Client:
    return staff("approver", "Moderators")


def forget(translation: Translation, count: int) -> None:
    """Leave the last texts of a translation untranslated."""
    for segment in translation.source.stringsegment_set.order_by("-order")[:count]:
        StringTranslation.objects.filter(translation_of=segment.string, context=segment.context).delete()


def make_page_next_to(page: Page) -> Page:
    fresh = InformationPage(title="Gift wrapping", slug="wrapping", locale=page.locale)
    return page.get_parent().add_child(instance=fresh)


def edit_url(page: Page) -> str:
    return reverse("wagtailadmin_pages:edit", args=[page.pk])


def twin(page: Page) -> Page:
    return page.get_translation(Locale.objects.get(language_code=CHINESE))


def save(client: Client, page: Page, action: str, title: str) -> str:
    """Save an English page and return the next screen."""
    form = page_form(title=title, slug=page.slug) | {f"action-{action}": "yes"}
    if action != "publish":
        form.pop("action-publish")
    return html_of(client.post(edit_url(page), form, follow=True))


def test_the_form_of_a_page_shows_how_much_of_its_translation_is_left_and_links_to_it(
    editor: Client, page: InformationPage, translation: Translation
) -> None:
    texts = {ENGLISH: "In Chinese: 2 of 10 texts left", CHINESE: "中文页面：10 段文字中还有 2 段待翻译"}
    forget(translation, 2)
    for language in in_each_language(editor):
        html = html_of(editor.get(edit_url(page)))
        assert texts[language] in html
        assert f'href="{edit_url(twin(page))}#translate"' in html


def test_a_page_without_a_translation_offers_one_with_one_press(
    editor: Client, page: InformationPage
) -> None:
    fresh = make_page_next_to(page)
    html = html_of(editor.get(edit_url(fresh)))
    assert "There is no page in Chinese yet." in html
    there = reverse("wagtail_localize:submit_page_translation", args=[fresh.pk])
    assert f'action="{there}"' in html
    [locale] = re.findall(r'name="locales" value="(\d+)"', html)
    made = editor.post(there, {"locales": locale})
    assert made["Location"] == edit_url(twin(fresh))
    assert "“Gift wrapping” can be translated into Chinese now." in html_of(editor.get(made["Location"]))


def test_a_page_that_shows_the_original_offers_to_translate_it(editor: Client, page: InformationPage) -> None:
    fresh = make_page_next_to(page)
    fresh.copy_for_translation(Locale.objects.get(language_code=CHINESE), alias=True)
    html = html_of(editor.get(edit_url(twin(fresh))))
    assert "readers of Chinese see the page in English" in html
    assert "Translate into Chinese" in html


def test_what_is_published_waits_in_the_translation_and_the_editor_is_notified(
    moderator: Client, page: InformationPage, translation: Translation
) -> None:
    html = save(moderator, page, "publish", "New answers")
    left = progress_of(translation).left
    assert left > 0
    text = "text" if left == 1 else "texts"
    assert f"The page in Chinese has {left} {text} to translate." in html
    assert f"{edit_url(twin(page))}#translate" in html
    assert "New answers" in translation.source.stringsegment_set.values_list("string__data", flat=True)


def test_a_draft_does_not_reach_the_translation_before_it_is_published(
    editor: Client, page: InformationPage, translation: Translation
) -> None:
    before = list(translation.source.stringsegment_set.values_list("string__data", flat=True))
    html = save(editor, page, "save", "Draft answers")
    assert "of this draft is not translated yet" in html or "of this draft are not translated yet" in html
    # There is nothing to be done there yet.
    assert "Translate into Chinese" not in html
    assert list(translation.source.stringsegment_set.values_list("string__data", flat=True)) == before


def test_who_approves_a_page_is_notified_what_waits_in_its_translation(
    editor: Client, moderator: Client, page: InformationPage, translation: Translation
) -> None:
    save(editor, page, "submit", "New answers")
    form = page_form(title="New answers", slug=page.slug) | {"action-workflow-action": "true"}
    form.pop("action-publish")
    form["workflow-action-name"] = "approve"
    html = html_of(moderator.post(edit_url(page), form, follow=True))
    assert "The page in Chinese has" in html
    assert f"{edit_url(twin(page))}#translate" in html
    assert "of this draft" not in html


def test_the_screen_of_a_translation_publishes_or_asks_for_approval_and_folds_the_rest(
    editor: Client, moderator: Client, page: InformationPage
) -> None:
    there = edit_url(twin(page))
    for client, own, others in (
        (editor, "Submit for approval", "Publish the translation"),
        (moderator, "Publish the translation", "Submit for approval"),
    ):
        html = html_of(client.get(there))
        footer = html[html.index("data-translation-footer") :]
        assert own in footer
        assert others not in footer
        assert footer.index(own) < footer.index("More") < footer.index("Write the page on its own…")


def test_an_editor_asks_for_approval_of_a_translation_and_a_moderator_publishes_it(
    editor: Client,
    moderator: Client,
    page: InformationPage,
    translation: Translation,
    django_capture_on_commit_callbacks: Any,
) -> None:
    title = StringTranslation.objects.get(context__path="title", context__object_id=page.translation_key)
    title.data = "新的标题"
    title.save()
    there = reverse("translating:submit", args=[translation.pk])
    for _press in range(2):
        assert editor.post(there)["Location"] == edit_url(twin(page))
    assert twin(page).title != "新的标题"
    assert twin(page).workflow_in_progress
    assert "It waits for approval." in html_of(editor.get(edit_url(twin(page))))
    assert "新的标题" in html_of(moderator.get("/admin/"))
    with django_capture_on_commit_callbacks(execute=True):
        moderator.post(edit_url(twin(page)), {"action": "publish"})
    assert twin(page).title == "新的标题"
    assert not twin(page).workflow_in_progress


def test_what_replaces_or_ends_a_translation_shows_it_before_it_is_done(
    moderator: Client, page: InformationPage, translation: Translation
) -> None:
    texts = {
        ENGLISH: ("not translated yet", "no longer come here", "PO format", "is deleted immediately"),
        CHINESE: ("段没有翻译", "不再送到这里翻译", "PO 格式", "会立即被替换"),
    }
    forget(translation, 1)
    before = html_of(Client().get("/zh-hans/home/about-us/help"))
    screens = [
        reverse(f"translating:{name}", args=[translation.pk]) for name in ("publish_early", "stop", "file")
    ]
    screens.append(reverse("wagtail_localize:convert_to_alias", args=[twin(page).pk]))
    for language in in_each_language(moderator):
        for screen, text in zip(screens, texts[language], strict=True):
            assert text in html_of(moderator.get(screen))
    translation.refresh_from_db()
    assert translation.enabled
    assert html_of(Client().get("/zh-hans/home/about-us/help")) == before


def test_a_page_that_was_set_free_offers_to_follow_again_after_a_question(
    editor: Client, page: InformationPage, translation: Translation
) -> None:
    stop = reverse("wagtail_localize:stop_translation", args=[translation.pk])
    editor.post(stop, {"next": edit_url(twin(page))})
    html = html_of(editor.get(edit_url(twin(page))))
    restart = reverse("translating:restart", args=[twin(page).pk])
    assert f'href="{restart}"' in html
    assert "localize-restart-translation" not in html
    assert "goes when the translation is published" in html_of(editor.get(restart))
    translation.refresh_from_db()
    assert not translation.enabled
    editor.post(edit_url(twin(page)), {"localize-restart-translation": "yes"})
    translation.refresh_from_db()
    assert translation.enabled


def test_translations_come_back_in_the_file_that_was_downloaded(
    editor: Client, translation: Translation
) -> None:
    forget(translation, 1)
    download = reverse("wagtail_localize:download_pofile", args=[translation.pk])
    text = editor.get(download).content.decode()
    filled = text.replace('msgstr ""', 'msgstr "译文"').replace('msgstr "译文"', 'msgstr ""', 1)
    file = SimpleUploadedFile("texts.po", filled.encode())
    there = reverse("translating:file", args=[translation.pk])
    assert "were taken over" in html_of(editor.post(there, {"file": file}, follow=True))
    assert progress_of(translation).left == 0


def test_a_file_that_is_none_of_the_page_is_refused(
    editor: Client, translation: Translation, subtests: pytest.Subtests
) -> None:
    forget(translation, 1)
    for content, expected in (
        (None, "This field is required."),
        (b"\xff\xfe", "This file cannot be read."),
        (b"no translations", "This file cannot be read."),
        (
            b'msgid ""\nmsgstr "X-WagtailLocalize-TranslationID: other\\n"\n',
            "This file belongs to another page.",
        ),
    ):
        with subtests.test(content=content):
            fields = {"file": SimpleUploadedFile("texts.po", content)} if content else {}
            answer = editor.post(reverse("translating:file", args=[translation.pk]), fields)
            assert answer.status_code == 200
            assert expected in html_of(answer)
            assert progress_of(translation).left == 1


def test_a_file_is_limited_and_never_stays_on_the_disk(
    editor: Client,
    translation: Translation,
    subtests: pytest.Subtests,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    forget(translation, 1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    name = f"{NAME_IN_FILE}: {translation.uuid}"
    large = f'msgid ""\nmsgstr "{name}\\n"\n# {"a" * MAX_FILE_BYTES}\n'
    for content, expected in (
        (large.encode(), "This file is too large."),
        (b'msgid ""\nmsgstr "Language: zh\\n"\n', "This file cannot be read."),
    ):
        for view in ("translating:file", "wagtail_localize:upload_pofile"):
            with subtests.test(view=view, expected=expected):
                file = SimpleUploadedFile("texts.po", content)
                answer = editor.post(reverse(view, args=[translation.pk]), {"file": file})
                assert expected in html_of(answer)
                assert progress_of(translation).left == 1
                assert not list(tmp_path.iterdir())


def test_the_steps_are_closed_to_staff_without_pages(translation: Translation) -> None:
    client = staff("stock", permissions=("access_admin",))
    for name in ("publish_early", "stop", "file", "submit"):
        url = reverse(f"translating:{name}", args=[translation.pk])
        assert client.post(url).status_code in (302, 403), name
        assert not translation.get_target_instance().workflow_in_progress
        assert Client().post(url).status_code == 302, name
