"""A page that lacks what its form requires cannot be published, and the user reads why."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from wagtail.models import Locale, Page, TaskState
from wagtail.rich_text import RichText
from wagtail_localize.models import Translation, TranslationSource

from catalog.goods.tests.builders import make_product
from catalog.goods.writing import delete_rows
from content.models import HomePage, InformationPage
from content.tasks import publish_scheduled
from content.tests.forms import url_of
from content.tests.staff import in_each_language, staff
from content.tests.test_deleted_choices import REFUSED
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of
from core.tests.rows import rolled_back
from core.tests.screens import only_refusals

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

TOMORROW = timezone.now() + timedelta(days=1)
HALF = [("question", {"question": "", "answer": RichText("<p>Half an answer</p>")})]
LACKS = {
    ENGLISH: "Body · 1. Question and answer · Question · This field is required.",
    CHINESE: "正文 · 1. 问答 · 问题 · 必填。",
}


def half_drafted(language: str = ENGLISH, body: Any = None) -> InformationPage:
    """Return a live page with half a draft."""
    page: InformationPage = InformationPage.objects.get(slug="help", locale__language_code=language)
    page.title, page.body = "Half a page", HALF if body is None else body
    page.save_revision(clean=False)
    return page


def is_as_it_was(page: Page) -> bool:
    stored = type(page).objects.get(pk=page.pk)
    return stored.live and stored.has_unpublished_changes and "Half" not in html_of(Client().get(stored.url))


def press(client: Client, url: str, form: dict[str, Any]) -> str:
    with only_refusals():
        return html_of(client.post(url, form, follow=True))


def test_a_moderator_who_approves_half_a_page_reads_what_it_lacks() -> None:
    moderator = staff("approver", "Moderators")
    page = half_drafted()
    page.get_workflow().start(page, None)
    state = TaskState.objects.get(status="in_progress")
    for language in in_each_language(moderator):
        shown = press(moderator, url_of(page, "workflow_action", "approve", state.pk), {"comment": ""})
        assert REFUSED[language] in shown
        assert LACKS[language] in shown
        assert TaskState.objects.get(pk=state.pk).status == "in_progress"
        assert is_as_it_was(page)


def test_a_list_publishes_the_whole_pages_and_names_the_half_one() -> None:
    moderator = staff("publisher", "Moderators")
    half = half_drafted()
    whole = InformationPage.objects.get(slug="privacyPolicy", locale__language_code=ENGLISH)
    whole.title = "A whole page"
    whole.save_revision()
    url = reverse("wagtail_bulk_action", args=["wagtailcore", "page", "publish"])
    there = reverse("wagtailadmin_explore", args=[half.get_parent().pk])
    for language in in_each_language(moderator):
        with rolled_back():
            shown = press(moderator, f"{url}?id={half.pk}&id={whole.pk}&next={there}", {})
            assert {ENGLISH: "1 page has been published", CHINESE: "已发布 1 个页面"}[language] in shown
            assert {ENGLISH: "“Half a page” cannot", CHINESE: "“Half a page”目前无法发布"}[language] in shown
            assert LACKS[language] in shown
            assert is_as_it_was(half)
            assert InformationPage.objects.get(pk=whole.pk).title == "A whole page"


def test_pages_below_are_published_unless_they_are_half() -> None:
    above = InformationPage.objects.get(slug="about-us", locale__language_code=ENGLISH)
    new = [
        above.add_child(instance=InformationPage(title=title, slug=slug, locale=above.locale, live=False))
        for title, slug in (("Half a page", "half"), ("Gift wrapping", "wrapping"))
    ]
    new[0].body = HALF
    new[0].save_revision(clean=False)
    url = reverse("wagtail_bulk_action", args=["wagtailcore", "page", "publish"])
    shown = press(
        staff("publisher", "Moderators"), f"{url}?id={above.pk}&next=/admin/", {"include_descendants": "on"}
    )
    assert "“Half a page” cannot" in shown
    assert [InformationPage.objects.get(pk=page.pk).live for page in new] == [False, True]


def test_half_a_page_misses_its_time_and_the_dashboard_shows_why() -> None:
    page = half_drafted()
    page.latest_revision.approved_go_live_at = TOMORROW
    page.latest_revision.save()
    on_time = InformationPage.objects.get(slug="privacyPolicy", locale__language_code=ENGLISH)
    on_time.title = "On time"
    on_time.save_revision(approved_go_live_at=TOMORROW)
    with time_machine.travel(TOMORROW + timedelta(minutes=9)):
        publish_scheduled()
        assert InformationPage.objects.get(pk=on_time.pk).title == "On time"
        assert LACKS[ENGLISH] in html_of(staff("publisher", "Moderators").get("/admin/"))
    assert is_as_it_was(page)


def test_a_home_page_whose_picked_product_was_deleted_is_not_published_again() -> None:
    product = make_product()
    page = HomePage.objects.get(locale__language_code=ENGLISH)
    page.body = [("picked_goods", {"heading": "Half", "goods": [product]})]
    revision = page.save_revision()
    delete_rows(type(product).objects.filter(pk=product.pk))
    before = HomePage.objects.get(pk=page.pk).live_revision_id
    with pytest.raises(ValidationError, match="Picked products · Products · 1 · This"):
        revision.publish()
    assert HomePage.objects.get(pk=page.pk).live_revision_id == before


def test_the_interface_of_scripts_publishes_nothing() -> None:
    page = half_drafted()
    url = f"/admin/api/main/pages/{page.pk}/action/publish/"
    assert staff("publisher", "Moderators").post(url).status_code == 404
    assert is_as_it_was(page)


def half_translated() -> tuple[Page, TranslationSource]:
    """Return the Chinese page of an English one whose texts have a half block since."""
    page = InformationPage.objects.get(slug="help", locale__language_code=ENGLISH)
    source = TranslationSource.objects.get_for_instance(page)
    page.body = HALF
    page.save(clean=False)
    source.update_from_db()
    return page.get_translation(Locale.objects.get(language_code=CHINESE)), source


@pytest.mark.parametrize("way", ["publish", "submit", "update"])
def test_half_a_translation_is_not_published(way: str, django_capture_on_commit_callbacks: Any) -> None:
    page, source = half_translated()
    before = page.live_revision_id, list(page.revisions.values_list("pk"))
    editor = staff("publisher", "Moderators")
    translation = Translation.objects.get(source=source)
    url, form = {
        "publish": (reverse("wagtailadmin_pages:edit", args=[page.pk]), {"action": "publish"}),
        "submit": (reverse("translating:submit", args=[translation.pk]), {}),
        "update": (
            reverse("wagtail_localize:update_translations", args=[source.pk]),
            {"publish_translations": "on"},
        ),
    }[way]
    with django_capture_on_commit_callbacks(execute=True):
        shown = press(editor, url, form)
    assert "cannot be published as it is" in shown
    assert LACKS[ENGLISH] in shown
    page.refresh_from_db()
    assert (page.live_revision_id, list(page.revisions.values_list("pk"))) == before
    assert "Half" not in html_of(Client().get(page.url))
    assert not page.workflow_in_progress


def test_a_page_is_checked_whole_while_another_editor_saves_a_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    body = InformationPage.body.field.stream_block
    answer = body.child_blocks["question"].child_blocks["answer"]
    page = InformationPage(body=HALF)
    is_saving, may_go_on = Event(), Event()
    clean = type(answer).clean

    def slow(block: Any, value: Any) -> Any:
        if block.is_deferred_validation:
            is_saving.set()
            may_go_on.wait(0.3)
        return clean(block, value)

    monkeypatch.setattr(type(answer), "clean", slow)
    with ThreadPoolExecutor() as pool:
        saving = pool.submit(body.clean_deferred, page.body)
        assert is_saving.wait(20)
        with pytest.raises(ValidationError):
            body.clean(page.body)
        may_go_on.set()
        assert saving.result(20)
