from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from wagtail.models import Page, Revision, Task, TaskState, Workflow, WorkflowState

from content.tasks import purge_content
from core.tests.failing import failing_for

pytestmark = pytest.mark.django_db


def test_expired_logins_of_the_back_office_are_deleted() -> None:
    now = timezone.now()
    for key, days in (("old", -1), ("living", 1)):
        Session.objects.create(session_key=key, expire_date=now + timedelta(days=days))
    purge_content()
    assert [row.session_key for row in Session.objects.all()] == ["living"]


def test_revisions_of_over_a_year_are_deleted_but_for_thenewest() -> None:
    page = Page.objects.get(depth=1).add_child(instance=Page(title="A", slug="a"))
    revisions = [page.save_revision() for _ in range(3)]
    Revision.objects.update(created_at=timezone.now() - timedelta(days=366))
    fresh = page.add_child(instance=Page(title="B", slug="b"))
    kept = [fresh.save_revision() for _ in range(2)]
    purge_content()
    assert set(Revision.objects.all()) == {revisions[-1], *kept}


def test_old_revisions_that_are_scheduled_or_under_review_stay() -> None:
    page = Page.objects.get(depth=1).add_child(instance=Page(title="A", slug="a"))
    scheduled, reviewed, newest = (page.save_revision() for _ in range(3))
    workflow = Workflow.objects.create(name="Review")
    state = WorkflowState.objects.create(
        content_type=scheduled.content_type,
        base_content_type=scheduled.base_content_type,
        object_id=page.pk,
        workflow=workflow,
    )
    task = Task.objects.create(name="Look")
    TaskState.objects.create(workflow_state=state, revision=reviewed, task=task)
    Revision.objects.filter(pk=scheduled.pk).update(approved_go_live_at=timezone.now() + timedelta(days=9))
    Revision.objects.update(created_at=timezone.now() - timedelta(days=366))
    purge_content()
    assert Revision.objects.count() == 3
    WorkflowState.objects.update(status=WorkflowState.STATUS_APPROVED)
    purge_content()
    assert set(Revision.objects.all()) == {scheduled, newest}


def test_a_revision_that_cannot_be_deleted_keeps_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page.objects.get(depth=1).add_child(instance=Page(title="A", slug="a"))
    bad, _good, newest = (page.save_revision() for _ in range(3))
    Revision.objects.update(created_at=timezone.now() - timedelta(days=366))
    monkeypatch.setattr(Revision, "delete", failing_for(bad, Revision.delete))
    purge_content()
    assert set(Revision.objects.all()) == {bad, newest}
