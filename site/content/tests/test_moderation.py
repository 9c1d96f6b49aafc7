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
from wagtail.models import TaskState
from wagtail_localize.models import TranslationSource

from content.models import CarouselSlide, InformationPage, SpecialArea
from content.tests.builders import make_area, make_slide
from content.tests.forms import draft, page_form, slide_form, url_of
from content.tests.staff import staff
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]


@pytest.fixture
def moderator() -> Client:
    return staff("approver", "Moderators")


def answer(client: Client, row: Any, action: str, comment: str = "") -> None:
    state = TaskState.objects.filter(workflow_state__object_id=str(row.pk), status="in_progress").get()
    response = client.post(url_of(row, "workflow_action", action, state.pk), {"comment": comment})
    assert response.status_code in (200, 302)


def test_an_editor_cannot_publish_a_slide_alone(writer: Client) -> None:
    slide = make_slide(title_zh="旧")
    writer.post(url_of(slide), slide_form(title_zh="新"))
    slide.refresh_from_db()
    assert slide.title_zh == "旧"


def test_a_moderator_approves_or_rejects_a_slide(
    writer: Client, moderator: Client, subtests: pytest.Subtests
) -> None:
    slide = make_slide(title_zh="旧")
    form = draft(slide_form(title_zh="新")) | {"action-submit": "yes"}
    assert writer.post(url_of(slide), form).status_code == 302
    assert CarouselSlide.objects.get(pk=slide.pk).title_zh == "旧"

    for action, shown in (("approve", "新"), ("reject", "旧")):
        with subtests.test(msg=action), rolled_back():
            answer(moderator, slide, action, "Please check.")

            stored = CarouselSlide.objects.get(pk=slide.pk)
            assert stored.title_zh == shown
            assert stored.get_latest_revision_as_object().title_zh == "新"


def test_a_moderator_approves_a_page(writer: Client, moderator: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    form = draft(page_form(title="Answers", slug="help")) | {"action-submit": "yes"}
    assert writer.post(url_of(page), form).status_code == 302
    assert "Questions and answers" in Client().get("/home/about-us/help").content.decode()

    answer(moderator, page, "approve")

    assert "<h1>Answers</h1>" in Client().get("/home/about-us/help").content.decode()


def test_the_next_step_is_next_to_saving_and_an_approval_shows_that_it_is_live(
    writer: Client, moderator: Client
) -> None:
    slide = make_slide()
    url = url_of(slide)

    def before_the_menu(client: Client) -> str:
        foot = html_of(client.get(url)).split("actions--primary", 1)[1]
        return re.split("w-dropdown__toggle|</nav>", foot)[0]

    assert "Submit for approval" in before_the_menu(writer)
    assert 'name="action-publish"' in before_the_menu(moderator)
    form = draft(slide_form())
    writer.post(url, form | {"action-submit": "yes"})
    assert "Approve and publish" in before_the_menu(moderator)
    # Its writer would not hear of it.
    assert 'name="action-publish"' not in html_of(moderator.get(url))
    form |= {"action-workflow-action": "true", "workflow-action-name": "approve"}
    assert "It is approved and published" in html_of(moderator.post(url, form, follow=True))


def test_what_a_page_was_at_first_can_be_opened_from_its_history(moderator: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    first = page.latest_revision
    page.save_revision(log_action=True)
    history = html_of(moderator.get(url_of(page, "history")))
    assert url_of(page, "revisions_revert", first.pk) in history


def test_both_groups_may_edit_slides_areas_and_translations_but_not_products(
    writer: Client, moderator: Client
) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    source = TranslationSource.objects.get_for_instance(page)
    for client in (writer, moderator):
        for path in (
            url_of(CarouselSlide, "list"),
            url_of(SpecialArea, "list"),
            reverse("wagtail_localize:update_translations", args=[source.pk]),
        ):
            assert client.get(path).status_code == 200
        assert client.get("/admin/goods/")["Location"] == "/admin/"


def test_an_editor_sets_a_schedule_and_a_moderator_approves_it(writer: Client, moderator: Client) -> None:
    slide = make_slide(title_zh="旧")
    slide.save_revision().publish()
    start, end = (timezone.localtime() + timedelta(days=days) for days in (1, 2))
    times = {"go_live_at": f"{start:%Y-%m-%d %H:%M}", "expire_at": f"{end:%Y-%m-%d %H:%M}"}
    form = draft(slide_form(title_zh="新", **times)) | {"action-submit": "yes"}
    assert writer.post(url_of(slide), form).status_code == 302
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


def test_the_forms_of_slides_and_areas_offer_a_schedule(writer: Client) -> None:
    for row in (make_slide(), make_area()):
        html = writer.get(url_of(row)).content.decode()
        for name in ("go_live_at", "expire_at"):
            assert f'name="{name}"' in html
