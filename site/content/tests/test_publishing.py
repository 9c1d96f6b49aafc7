from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from wagtail.models import Revision

from content import publishing
from content.models import CarouselSlide
from content.tasks import publish_scheduled
from content.tests.builders import make_slide
from core.tests.failing import failing_for

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


def titles() -> list[str]:
    return list(CarouselSlide.objects.filter(live=True).order_by("pk").values_list("title_en", flat=True))


def test_a_draft_is_published_at_its_time_past_one_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    bad, _good = scheduled(), scheduled()
    revision: Revision = bad.latest_revision
    monkeypatch.setattr(publishing, "_publish", failing_for(revision.pk, publishing._publish))
    publish_scheduled()
    assert titles() == ["Old", "Old"]
    with time_machine.travel(TOMORROW + timedelta(minutes=1)):
        publish_scheduled()
    assert titles() == ["Old", "New"]


def test_content_ends_at_its_time_past_one_that_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = (make_slide(title_en="Old", expire_at=TOMORROW) for _ in range(2))
    monkeypatch.setattr(publishing, "_unpublish", failing_for(bad.pk, publishing._unpublish))
    publish_scheduled()
    assert titles() == ["Old", "Old"]
    with time_machine.travel(TOMORROW + timedelta(minutes=1)):
        publish_scheduled()
    assert list(CarouselSlide.objects.filter(live=True)) == [bad]
    good.refresh_from_db()
    assert good.expired
