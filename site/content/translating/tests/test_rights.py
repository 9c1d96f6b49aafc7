"""Editors who may not publish change nothing that readers see, by any URL of translations."""

import json
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.regex_helper import normalize
from wagtail.models import Locale, Page
from wagtail_localize.models import StringTranslation, Translation, TranslationSource

from content.models import CarouselSlide, InformationPage, SpecialArea
from content.tests.staff import staff
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

PREFIXES = ("/admin/localize/", "/admin/translating/")
# What a draft changes in the row of a published page, and what readers do not see.
OF_DRAFTS = {
    *("latest_revision", "latest_revision_created_at", "draft_title", "has_unpublished_changes"),
    *("alias_of", "live_revision", "numchild"),
}
NEW_TITLE = "新的标题"


def addresses(resolver: URLResolver | None = None, before: str = "/") -> Iterator[tuple[str, list[str]]]:
    """Give every URL of translations as a format, with the names of its parameters."""
    for pattern in (resolver or get_resolver()).url_patterns:
        [(shape, names), *_] = normalize(pattern.pattern.regex.pattern) or [("", [])]
        address = before + shape
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, address)
        elif isinstance(pattern, URLPattern) and address.startswith(PREFIXES):
            yield address, names


def ids(rows: Any) -> list[int]:
    return list(rows.values_list("pk", flat=True))


def every_post() -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each URL for each row that it may be about, with all fields that would publish something."""
    chinese = Locale.objects.get(language_code=CHINESE).pk
    pages, translations = ids(Page.objects.filter(depth__gt=1)), ids(Translation.objects.all())
    values: dict[str, list[Any]] = {
        "page_id": pages,
        "translation_id": translations,
        "translation_source_id": ids(TranslationSource.objects.all()),
        "string_segment_id": [1],
        "overridable_segment_id": [1],
        "mode": ["desktop"],
        "app_label": ["content"],
        "model_name": ["carouselslide"],
        "pk": [1],
    }
    form = {"publish_translations": "on", "locales": chinese, "include_subtree": "on"}
    for shape, names in addresses():
        for chosen in product(*(values[name] for name in names)):
            yield shape % dict(zip(names, chosen, strict=True)), form
    for page in pages:
        for name in ("action", "localize-restart-translation", "localize-convert-to-alias"):
            yield reverse("wagtailadmin_pages:edit", args=[page]), {name: "publish"}


def seen_by_readers() -> dict[str, Any]:
    """Return everything of the published pages, slides and areas that readers see."""
    pages = {
        page.pk: {name: value for name, value in json.loads(page.to_json()).items() if name not in OF_DRAFTS}
        for page in Page.objects.live().specific()
    }
    windows = {model.__name__: list(model.objects.values()) for model in (CarouselSlide, SpecialArea)}
    return {"pages": pages, **windows}


def twin(page: Page) -> Page:
    return page.get_translation(Locale.objects.get(language_code=CHINESE))


def make_page(slug: str) -> Page:
    above = InformationPage.objects.get(slug="about-us", locale__language_code=ENGLISH)
    page = InformationPage(title="Gift wrapping", slug=slug, locale=above.locale)
    return above.add_child(instance=page)


def translate_title(slug: str) -> Translation:
    """Translate a page's title again, without publishing the translation."""
    page = InformationPage.objects.get(slug=slug, locale__language_code=ENGLISH)
    title = StringTranslation.objects.filter(context__path="title", context__object_id=page.translation_key)
    title.update(data=NEW_TITLE)
    return Translation.objects.get(source__object_id=page.translation_key)


@pytest.fixture
def pages() -> dict[str, Page]:
    """A page without translation, one that shows its original in Chinese, and translations to publish."""
    made = {"single": make_page("wrapping"), "shown": make_page("bows")}
    made["shown"].copy_for_translation(Locale.objects.get(language_code=CHINESE), alias=True)
    for slug in ("help", "about-us", "delivery"):
        translate_title(slug)
    return made


def changes(
    client: Client, url: str, form: dict[str, Any], before: dict[str, Any], capture: Callable[..., Any]
) -> bool:
    """Send a form, with what it does after the commit; return True if readers would see something else."""
    with rolled_back():
        with capture(execute=True):
            assert client.post(url, form).status_code < 500, url
        return seen_by_readers() != before


@pytest.mark.slow
@pytest.mark.usefixtures("pages")
def test_no_url_of_translations_lets_an_editor_change_what_readers_see(
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    posts = list(every_post())
    assert len({url for url, _form in posts}) > 100
    editor, moderator = staff("writer", "Editors"), staff("approver", "Moderators")
    before = seen_by_readers()
    assert not [post for post in posts if changes(editor, *post, before, django_capture_on_commit_callbacks)]
    # The control: with the right to publish, these do.
    publishing = [post for post in posts if post[0].startswith(PREFIXES)]
    assert any(changes(moderator, *post, before, django_capture_on_commit_callbacks) for post in publishing)


def test_an_editor_who_updates_translations_is_not_offered_to_publish_them(pages: dict[str, Page]) -> None:
    source = translate_title("help").source
    url = reverse("wagtail_localize:update_translations", args=[source.pk])
    for group, is_offered in (("Editors", False), ("Moderators", True)):
        html = html_of(staff(group, group).get(url))
        assert ('type="checkbox" name="publish_translations"' in html) is is_offered


def test_an_editor_translates_a_page_that_is_published_later(
    pages: dict[str, Page], django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    editor, moderator = staff("writer", "Editors"), staff("approver", "Moderators")
    chinese = Locale.objects.get(language_code=CHINESE)
    for page in pages.values():
        submit = reverse("wagtail_localize:submit_page_translation", args=[page.pk])
        with django_capture_on_commit_callbacks(execute=True):
            answer = editor.post(submit, {"locales": chinese.pk})
        there = reverse("wagtailadmin_pages:edit", args=[twin(page).pk])
        assert answer["Location"] == there
        assert "data-translation-footer" in html_of(editor.get(there))
        # Readers see what they saw before: the original, or nothing.
        assert twin(page).live is (page == pages["shown"])
        source = TranslationSource.objects.get_for_instance(page)
        title = source.stringsegment_set.get(context__path="title")
        StringTranslation.objects.create(
            translation_of=title.string, context=title.context, locale=chinese, data=NEW_TITLE
        )
        assert twin(page).title == "Gift wrapping"
        with django_capture_on_commit_callbacks(execute=True):
            moderator.post(there, {"action": "publish"})
        assert (twin(page).title, twin(page).live) == (NEW_TITLE, True)


def test_an_editor_does_not_replace_a_page_by_its_original(pages: dict[str, Page]) -> None:
    page = twin(InformationPage.objects.get(slug="help", locale__language_code=ENGLISH))
    url = reverse("wagtail_localize:convert_to_alias", args=[page.pk])
    editor, moderator = staff("writer", "Editors"), staff("approver", "Moderators")
    for client, is_offered in ((editor, False), (moderator, True)):
        html = html_of(client.get(reverse("wagtailadmin_pages:edit", args=[page.pk])))
        assert ("Show the original instead" in html) is is_offered
    before = seen_by_readers()
    for ask in (editor.get, editor.post):
        assert ask(url).status_code in (302, 403)
    assert seen_by_readers() == before
    page.refresh_from_db()
    assert page.alias_of_id is None
