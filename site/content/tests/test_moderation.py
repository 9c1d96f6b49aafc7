"""Editors write, moderators approve."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from wagtail.models import Page, TaskState
from wagtail_localize.models import TranslationSource

from content.models import CarouselSlide, InformationPage, SpecialArea
from content.tests.builders import make_area, make_slide
from content.tests.staff import staff
from content.tests.test_areas import slide_form
from content.tests.test_routes import form_of
from core.tests.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]


@pytest.fixture
def editor() -> Client:
    return staff("writer", "Editors")


@pytest.fixture
def moderator() -> Client:
    return staff("approver", "Moderators")


def answer(client: Client, row: Any, action: str, comment: str = "") -> None:
    state = TaskState.objects.filter(workflow_state__object_id=str(row.pk), status="in_progress").get()
    is_page = isinstance(row, Page)
    name = (
        "wagtailadmin_pages:workflow_action"
        if is_page
        else row.snippet_viewset.get_url_name("workflow_action")
    )
    response = client.post(reverse(name, args=[row.pk, action, state.pk]), {"comment": comment})
    assert response.status_code in (200, 302)


def test_an_editor_cannot_publish_a_slide_alone(editor: Client) -> None:
    slide = make_slide(title_zh="旧")
    url = reverse(slide.snippet_viewset.get_url_name("edit"), args=[slide.pk])
    editor.post(url, slide_form(title_zh="新"))
    slide.refresh_from_db()
    assert slide.title_zh == "旧"


@pytest.mark.parametrize(("action", "shown"), [("approve", "新"), ("reject", "旧")])
def test_a_moderator_approves_or_rejects_a_slide(
    editor: Client, moderator: Client, action: str, shown: str
) -> None:
    slide = make_slide(title_zh="旧")
    url = reverse(slide.snippet_viewset.get_url_name("edit"), args=[slide.pk])
    form = slide_form(title_zh="新") | {"action-submit": "yes"}
    form.pop("action-publish")
    assert editor.post(url, form).status_code == 302
    assert CarouselSlide.objects.get(pk=slide.pk).title_zh == "旧"

    answer(moderator, slide, action, "Please check.")

    stored = CarouselSlide.objects.get(pk=slide.pk)
    assert stored.title_zh == shown
    assert stored.get_latest_revision_as_object().title_zh == "新"


def test_a_moderator_approves_a_page(editor: Client, moderator: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    form = form_of(title="Answers", slug="help") | {"action-submit": "yes"}
    form.pop("action-publish")
    assert editor.post(reverse("wagtailadmin_pages:edit", args=[page.pk]), form).status_code == 302
    assert "Questions and answers" in Client().get("/home/about-us/help").content.decode()

    answer(moderator, page, "approve")

    assert "<h1>Answers</h1>" in Client().get("/home/about-us/help").content.decode()


def test_the_next_step_is_next_to_saving_and_an_approval_shows_that_it_is_live(
    editor: Client, moderator: Client
) -> None:
    slide = make_slide()
    url = reverse(slide.snippet_viewset.get_url_name("edit"), args=[slide.pk])

    def before_the_menu(client: Client) -> str:
        foot = html_of(client.get(url)).split("actions--primary", 1)[1]
        return re.split("w-dropdown__toggle|</nav>", foot)[0]

    assert "Submit for approval" in before_the_menu(editor)
    assert 'name="action-publish"' in before_the_menu(moderator)
    form = slide_form()
    form.pop("action-publish")
    editor.post(url, form | {"action-submit": "yes"})
    assert "Approve and publish" in before_the_menu(moderator)
    # Its writer would not hear of it.
    assert 'name="action-publish"' not in html_of(moderator.get(url))
    form |= {"action-workflow-action": "true", "workflow-action-name": "approve"}
    assert "It is approved and published" in html_of(moderator.post(url, form, follow=True))


def test_what_a_page_was_at_first_can_be_opened_from_its_history(moderator: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    first = page.latest_revision
    page.save_revision(log_action=True)
    history = html_of(moderator.get(reverse("wagtailadmin_pages:history", args=[page.pk])))
    assert reverse("wagtailadmin_pages:revisions_revert", args=[page.pk, first.pk]) in history


@pytest.mark.parametrize("group", ["Editors", "Moderators"])
def test_both_groups_may_edit_slides_areas_and_translations_but_not_products(group: str) -> None:
    client = staff("someone", group)
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    source = TranslationSource.objects.get_for_instance(page)
    for path in (
        reverse(CarouselSlide.snippet_viewset.get_url_name("list")),
        reverse(SpecialArea.snippet_viewset.get_url_name("list")),
        reverse("wagtail_localize:update_translations", args=[source.pk]),
    ):
        assert client.get(path).status_code == 200
    assert client.get("/admin/goods/")["Location"] == "/admin/"


def test_an_editor_sets_a_schedule_and_a_moderator_approves_it(editor: Client, moderator: Client) -> None:
    slide = make_slide(title_zh="旧")
    slide.save_revision().publish()
    start, end = (timezone.localtime() + timedelta(days=days) for days in (1, 2))
    url = reverse(slide.snippet_viewset.get_url_name("edit"), args=[slide.pk])
    times = {"go_live_at": f"{start:%Y-%m-%d %H:%M}", "expire_at": f"{end:%Y-%m-%d %H:%M}"}
    form = slide_form(title_zh="新", **times) | {"action-submit": "yes"}
    form.pop("action-publish")
    assert editor.post(url, form).status_code == 302
    assert not slide.revisions.exclude(approved_go_live_at=None).exists()

    answer(moderator, slide, "approve")

    [due] = slide.revisions.exclude(approved_go_live_at=None)
    assert f"{timezone.localtime(due.approved_go_live_at):%Y-%m-%d %H:%M}" == times["go_live_at"]
    assert [(row.live, row.title_zh) for row in CarouselSlide.objects.all()] == [(True, "旧")]
    with time_machine.travel(start + timedelta(minutes=1)):
        call_command("publish_scheduled")
        assert [row.title_zh for row in CarouselSlide.objects.shown()] == ["新"]
    with time_machine.travel(end + timedelta(minutes=1)):
        assert not CarouselSlide.objects.shown()
        call_command("publish_scheduled")
    assert [row.live for row in CarouselSlide.objects.all()] == [False]


@pytest.mark.parametrize("kind", [CarouselSlide, SpecialArea])
def test_the_forms_of_slides_and_areas_offer_a_schedule(editor: Client, kind: Any) -> None:
    row = make_slide() if kind is CarouselSlide else make_area()
    html = editor.get(reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk])).content.decode()
    for name in ("go_live_at", "expire_at"):
        assert f'name="{name}"' in html
