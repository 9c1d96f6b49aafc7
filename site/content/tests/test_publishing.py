from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError, transaction
from django.utils import timezone
from wagtail.models import Revision

from content import publishing
from content.models import CarouselSlide
from content.tasks import publish_scheduled
from content.tests.builders import make_slide
from core.tests.failing import failing_for
from core.tests.threads import start_concurrently

pytestmark = pytest.mark.django_db
TOMORROW = timezone.now() + timedelta(days=1)


def scheduled(**fields: Any) -> CarouselSlide:
    """A slide with a draft that is to be published tomorrow."""
    slide = make_slide(title_en="Old")
    slide.title_en, slide.go_live_at = "New", TOMORROW
    for name, value in fields.items():
        setattr(slide, name, value)
    slide.save_revision(approved_go_live_at=TOMORROW)
    return slide


def publish_before_and_at_the_time() -> None:
    """Run the job too early, when it changes nothing, and once the time has come."""
    publish_scheduled()
    assert titles() == ["Old", "Old"]
    with time_machine.travel(TOMORROW + timedelta(minutes=1)):
        publish_scheduled()


def titles() -> list[str]:
    return list(CarouselSlide.objects.filter(live=True).order_by("pk").values_list("title_en", flat=True))


def test_a_draft_is_published_at_its_time_past_one_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    bad, _good = scheduled(), scheduled()
    revision: Revision = bad.latest_revision
    monkeypatch.setattr(publishing, "_publish", failing_for(revision.pk, publishing._publish))
    publish_before_and_at_the_time()
    assert titles() == ["Old", "New"]


def test_content_ends_at_its_time_past_one_that_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = (make_slide(title_en="Old", expire_at=TOMORROW) for _ in range(2))
    monkeypatch.setattr(publishing, "_unpublish", failing_for(bad.pk, publishing._unpublish))
    publish_before_and_at_the_time()
    assert list(CarouselSlide.objects.filter(live=True)) == [bad]
    good.refresh_from_db()
    assert good.expired


def test_a_publication_that_fails_halfway_keeps_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduled()
    save = CarouselSlide.save

    def fail_once(slide: CarouselSlide, *args: Any, **kwargs: Any) -> None:
        monkeypatch.setattr(CarouselSlide, "save", save)
        raise OperationalError("canceling statement due to lock timeout")

    monkeypatch.setattr(CarouselSlide, "save", fail_once)
    with time_machine.travel(TOMORROW + timedelta(minutes=1)):
        publish_scheduled()
        assert titles() == ["Old"]
        publish_scheduled()
    assert titles() == ["New"]


def end_while_an_editor_changes(field: str) -> CarouselSlide:
    """Let a slide's end come while an editor, who has locked the slide, moves its end on."""
    # Without a picture, whose collection no test that commits leaves.
    slide = CarouselSlide.objects.create(
        sort=1,
        title_en="Old",
        title_zh="旧",
        label_en="Go",
        label_zh="去看看",
        path="/shop",
        expire_at=timezone.now() - timedelta(minutes=1),
    )
    with transaction.atomic():
        edited = CarouselSlide.objects.select_for_update().get(pk=slide.pk)
        job = start_concurrently(publishing.unpublish_due)
        edited.expire_at, edited.title_en = TOMORROW, "New"
        edited.save(update_fields=[field, "title_en"])
    job.result(20)
    slide.refresh_from_db()
    return slide


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("changed", "stays"), [("expire_at", True), ("title_en", False)])
def test_what_an_editor_changes_of_content_while_it_ends_is_kept_also_its_end(
    changed: str, stays: bool
) -> None:
    slide = end_while_an_editor_changes(changed)
    assert (slide.live, slide.title_en) == (stays, "New")
