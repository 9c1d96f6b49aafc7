from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from wagtail.models import Page, Revision

from content.tasks import purge_content

pytestmark = pytest.mark.django_db


def test_expired_logins_of_the_back_office_are_deleted() -> None:
    now = timezone.now()
    for key, days in (("old", -1), ("living", 1)):
        Session.objects.create(session_key=key, expire_date=now + timedelta(days=days))
    purge_content()
    assert [row.session_key for row in Session.objects.all()] == ["living"]


def test_revisions_of_over_a_year_are_deleted_but_for_the_newest() -> None:
    page = Page.objects.get(depth=1).add_child(instance=Page(title="A", slug="a"))
    revisions = [page.save_revision() for _ in range(3)]
    Revision.objects.update(created_at=timezone.now() - timedelta(days=366))
    fresh = page.add_child(instance=Page(title="B", slug="b"))
    kept = [fresh.save_revision() for _ in range(2)]
    purge_content()
    assert set(Revision.objects.all()) == {revisions[-1], *kept}
