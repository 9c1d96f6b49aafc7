"""A button and the autosave of a form save one row, once, with what was sent last."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from wagtail.actions.publish_revision import PublishRevisionAction
from wagtail.actions.unpublish import UnpublishAction
from wagtail.actions.unpublish_page import UnpublishPageAction
from wagtail.models import (
    Collection,
    GroupApprovalTask,
    Locale,
    Page,
    Site,
    Workflow,
    WorkflowState,
    WorkflowTask,
)

from catalog.goods.models import Brand
from catalog.goods.tests.builders import make_product
from config.middleware import back_office_saves
from content.models import AreaGood, CarouselSlide, Creation, HomePage, InformationPage, SpecialArea
from content.purging import delete_old_creations
from content.tests.builders import make_area, make_slide
from content.tests.forms import area_form, page_form, slide_form, url_below, url_of
from core.tests.threads import concurrently, start_concurrently

Form = dict[str, Any]
pytestmark = pytest.mark.django_db
AUTOSAVE = {"Accept": "application/json"}


@pytest.fixture
def boss() -> User:
    return User.objects.create_superuser("boss", "boss@example.com", "secret")


@pytest.fixture
def editor(boss: User) -> Client:
    return client_of(boss)


def client_of(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def draft(form: Form, **kw: Any) -> Form:
    """Take the button that publishes out of a form, and name the form."""
    return {name: value for name, value in form.items() if name != "action-publish"} | {"form_id": "one"} | kw


def latest(row: Any) -> Any:
    row.refresh_from_db()
    return row.get_latest_revision_as_object()


def picked(area: SpecialArea) -> list[int]:
    return [row.product_id for row in latest(area).picked.all()]


# ── One after the other, with what the browser still has ──────────────────────────────────────────────


def test_a_button_after_the_first_autosave_of_a_new_area_changes_that_area(editor: Client) -> None:
    form = draft(area_form(make_product().pk))
    assert editor.post(url_of(SpecialArea), form, headers=AUTOSAVE).json()["success"]
    answer = editor.post(url_of(SpecialArea), form | {"name_en": "Later"})
    [area] = SpecialArea.objects.all()
    assert (answer.status_code, answer.headers["Location"]) == (302, url_of(area))
    assert (latest(area).name_en, area.picked.count(), area.live) == ("Later", 1, False)


def test_a_button_publishes_what_an_autosave_has_created(editor: Client) -> None:
    form = draft(slide_form())
    editor.post(url_of(CarouselSlide), form, headers=AUTOSAVE)
    assert editor.post(url_of(CarouselSlide), form | {"action-publish": "yes"}).status_code == 302
    [slide] = CarouselSlide.objects.all()
    assert slide.live
    assert slide.pictures.count() == 1


def test_an_autosave_after_the_button_changes_nothing(editor: Client) -> None:
    form = draft(area_form(make_product().pk))
    editor.post(url_of(SpecialArea), form | {"name_en": "Later"})
    late = editor.post(url_of(SpecialArea), form, headers=AUTOSAVE)
    assert (late.status_code, late.json()["error_code"]) == (400, "invalid_revision")
    [area] = SpecialArea.objects.all()
    assert (latest(area).name_en, area.picked.count()) == ("Later", 1)


@pytest.mark.parametrize("live", [False, True])
def test_a_row_that_an_autosave_has_added_is_not_added_again(editor: Client, live: bool) -> None:
    area, slide = make_area(live=live, name_en="Before"), make_slide(live=live)
    product = make_product().pk
    for row, form in ((area, draft(area_form(product))), (slide, draft(slide_form(sort=str(slide.sort))))):
        form |= {f"{name}-{field}": "0" for name in ("picked", "pictures") for field in ("INITIAL_FORMS",)}
        assert editor.post(url_of(row), form, headers=AUTOSAVE).json()["success"]
        assert editor.post(url_of(row), form).status_code == 302
    assert picked(area) == [product]
    assert len(latest(slide).pictures.all()) == 1
    assert editor.post(url_of(area), area_form(product)).status_code == 302
    assert AreaGood.objects.filter(area=area).count() == 1


def test_an_autosave_that_knows_no_version_does_not_overwrite_a_newer_one(editor: Client) -> None:
    area = make_area(live=False)
    form = draft(area_form(make_product().pk))
    editor.post(url_of(area), form | {"name_en": "Later"})
    assert editor.post(url_of(area), form, headers=AUTOSAVE).json()["error_code"] == "invalid_revision"
    assert latest(area).name_en == "Later"


def test_another_person_or_form_creates_another_area(editor: Client) -> None:
    form = draft(area_form(make_product().pk))
    other = client_of(User.objects.create_superuser("other", "other@example.com", "secret"))
    editor.post(url_of(SpecialArea), form)
    editor.post(url_of(SpecialArea), form | {"form_id": "two"})
    other.post(url_of(SpecialArea), form)
    assert SpecialArea.objects.count() == 3


def test_a_form_that_was_refused_creates_its_area_afterwards(editor: Client) -> None:
    form = draft(area_form(make_product().pk))
    assert editor.post(url_of(SpecialArea), form | {"sort": "-1"}).status_code == 200
    assert not SpecialArea.objects.exists()
    editor.post(url_of(SpecialArea), form)
    assert SpecialArea.objects.count() == 1


def test_a_form_without_drafts_creates_once_unless_it_was_filled_in_again(editor: Client) -> None:
    form = {"name_en": "Lucky", "name_zh": "好运", "form_id": "one", "csrfmiddlewaretoken": "a"}
    answers = [editor.post(reverse("brands:add"), form | {"csrfmiddlewaretoken": token}) for token in "ab"]
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {
        (302, reverse("brands:index"))
    }
    assert Brand.objects.count() == 1
    editor.post(reverse("brands:add"), form | {"name_en": "Luckier"})
    assert Brand.objects.count() == 2


def test_what_is_submitted_twice_is_submitted_once(editor: Client) -> None:
    area = make_area(live=False)
    form = draft(area_form(make_product().pk)) | {"action-submit": "yes"}
    assert [editor.post(url_of(area), form).status_code for _ in range(2)] == [302, 302]
    assert WorkflowState.objects.count() == 1
    assert area.picked.count() == 1


def test_a_form_whose_area_was_deleted_creates_it_again(editor: Client) -> None:
    form = draft(area_form(make_product().pk))
    assert editor.post(url_of(SpecialArea), form).status_code == 302
    deleted = SpecialArea.objects.get()
    editor.post(url_of(deleted, "delete"))
    late = editor.post(url_of(SpecialArea), form, headers=AUTOSAVE)
    assert (late.status_code, SpecialArea.objects.count()) == (400, 0)
    for name in ("Tea room", "Later"):
        answer = editor.post(url_of(SpecialArea), form | {"name_en": name})
        [area] = SpecialArea.objects.all()
        assert (answer.status_code, answer.headers["Location"]) == (302, url_of(area))
        assert latest(area).name_en == name
    assert area.pk != deleted.pk


def test_a_form_whose_page_was_deleted_creates_it_again(editor: Client) -> None:
    url, form, count = new_page()
    assert editor.post(url, draft(form)).status_code == 302
    editor.post(url_of(InformationPage.objects.get(), "delete"))
    assert count() == 0
    for _ in range(2):
        assert editor.post(url, draft(form)).status_code == 302
        assert count() == 1


def test_old_creations_are_deleted(boss: User) -> None:
    Creation.objects.create(user=boss, form="new")
    old = Creation.objects.create(user=boss, form="old")
    Creation.objects.filter(pk=old.pk).update(created_at="2026-01-01T00:00Z")
    delete_old_creations()
    assert [row.form for row in Creation.objects.all()] == ["new"]


# ── Concurrently ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def first_rows(transactional_db: None) -> None:
    """Let a test commit, and make what Wagtail's migrations make, which such a test deletes."""
    if Collection.objects.exists():
        return
    Collection.add_root(name="Root")
    locale, _made = Locale.objects.get_or_create(language_code="en")
    root = Page.add_root(instance=Page(title="Root", slug="root", locale=locale))
    Site.objects.create(hostname="localhost", is_default_site=True, root_page=root)


def make_home() -> Page:
    root = Site.objects.get(is_default_site=True).root_page
    return root.add_child(instance=HomePage(title="Home", slug="home", locale=root.locale))


def new_page() -> tuple[str, Form, Callable[[], int]]:
    return url_below(make_home()), page_form(), InformationPage.objects.count


def new_area() -> tuple[str, Form, Callable[[], int]]:
    return url_of(SpecialArea), area_form(make_product().pk), SpecialArea.objects.count


def save_concurrently(url: str, form: Form) -> list[int]:
    """Let a button and an autosave send a form, three times each; returns the statuses."""
    boss = User.objects.create_superuser("boss", "boss@example.com", "secret")
    clients = [client_of(boss) for _ in range(6)]

    def save(number: int) -> int:
        headers = AUTOSAVE if number % 2 else {}
        return clients[number].post(url, draft(form), headers=headers).status_code

    return [int(status) for status in concurrently(save, range(6)) if isinstance(status, int)]


@pytest.mark.usefixtures("first_rows")
@pytest.mark.parametrize("make", [new_page, new_area])
def test_button_and_autosave_of_a_new_form_create_one_draft(
    make: Callable[[], tuple[str, Form, Callable[[], int]]],
) -> None:
    url, form, count = make()
    statuses = save_concurrently(url, form)
    assert len(statuses) == 6
    assert max(statuses) < 500
    assert statuses.count(302) == 3
    assert count() == 1
    if make is new_area:
        assert AreaGood.objects.count() == 1


@pytest.mark.usefixtures("first_rows")
def test_button_and_autosave_of_an_area_add_its_new_product_once() -> None:
    area = make_area(live=False)
    statuses = save_concurrently(url_of(area), area_form(make_product().pk))
    assert max(statuses) < 500
    assert statuses.count(302) == 3
    assert area.picked.count() == 1


@pytest.mark.usefixtures("first_rows")
@pytest.mark.parametrize("live", [False, True])
def test_two_editors_who_pick_a_product_for_an_area_at_the_same_time_add_it_once(live: bool) -> None:
    area, product = make_area(live=live), make_product()
    users = [User.objects.create_superuser(name, f"{name}@example.com", "secret") for name in "abcd"]

    def publish(user: User) -> int:
        form = area_form(product.pk, form_id=user.username)
        return client_of(user).post(url_of(area), form).status_code

    assert concurrently(publish, users) == [302] * 4
    assert AreaGood.objects.filter(area=area).count() == 1


@pytest.mark.usefixtures("first_rows")
def test_control_without_taking_turns_drafts_are_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the same race without the turns makes more than one draft."""
    monkeypatch.setattr(back_office_saves, "ADD", "nothing")
    url, form, count = new_area()
    save_concurrently(url, form)
    assert count() > 1


# ── A save meets what another person does to the same row ─────────────────────────────────────────────


Act = tuple[type[Any], str, str, Form]


def published_page(parent: Page, **fields: Any) -> Page:
    page = parent.add_child(instance=InformationPage(locale=parent.locale, **fields))
    page.save_revision().publish()
    page.refresh_from_db()
    return page


def a_page() -> Page:
    return published_page(published_page(make_home(), title="Above", slug="above"), title="Old", slug="old")


def a_slide() -> CarouselSlide:
    slide = make_slide(title_en="Old")
    slide.save_revision().publish()
    return CarouselSlide.objects.get(pk=slide.pk)


def unpublish_slide(slide: CarouselSlide) -> Act:
    return UnpublishAction, "_commit_unpublish", url_of(slide, "unpublish"), {}


def approve_slide(slide: CarouselSlide) -> Act:
    workflow, task = Workflow.objects.create(name="Look"), GroupApprovalTask.objects.create(name="Look")
    WorkflowTask.objects.create(workflow=workflow, task=task)
    state = workflow.start(slide, User.objects.get()).current_task_state
    url = url_of(slide, "workflow_action", "approve", state.pk)
    return PublishRevisionAction, "_publish_revision", url, {}


def unpublish_page(page: Page) -> Act:
    return UnpublishPageAction, "_commit_unpublish", url_of(page, "unpublish"), {}


def unpublish_page_above(page: Page) -> Act:
    url = url_of(page.get_parent(), "unpublish")
    return UnpublishPageAction, "_commit_unpublish", url, {"include_descendants": "on"}


def url_of_chosen(action: str, chosen: str) -> str:
    return reverse("wagtail_bulk_action", args=["wagtailcore", "page", action]) + f"?id={chosen}"


def unpublish_chosen_pages(page: Page) -> Act:
    return UnpublishPageAction, "_commit_unpublish", url_of_chosen("unpublish", str(page.pk)), {}


def unpublish_all_pages(page: Page) -> Act:
    url = url_of_chosen("unpublish", f"all&childOf={page.get_parent().pk}")
    return UnpublishPageAction, "_commit_unpublish", url, {}


def publish_chosen_pages(page: Page) -> Act:
    return PublishRevisionAction, "_publish_revision", url_of_chosen("publish", str(page.pk)), {}


MEETINGS: list[tuple[Callable[[], Any], Callable[[Any], Act]]] = [
    (a_slide, unpublish_slide),
    (a_slide, approve_slide),
    (a_page, unpublish_page),
    (a_page, unpublish_page_above),
    (a_page, unpublish_chosen_pages),
    (a_page, unpublish_all_pages),
    (a_page, publish_chosen_pages),
]


def save_during(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], Any], doing: Callable[[Any], Act]
) -> list[str]:
    """Let an editor save a draft while another's request writes the same row; returns the newest titles.

    The first is that of the draft which the form shows then, the second that of the last draft there is.
    """
    boss = User.objects.create_superuser("boss", "boss@example.com", "secret")
    row = make()
    action, step, url, form = doing(row)
    title = "title" if isinstance(row, Page) else "title_en"
    if isinstance(row, Page):
        saved = page_form(slug=row.slug, title="New")
    else:
        saved = slide_form(sort=str(row.sort), title_en="New")
    saving: list[Any] = []
    write, editor = getattr(action, step), client_of(boss)

    def write_during_it(act: Any, *args: Any, **kw: Any) -> Any:
        if act.object.pk == row.pk and not saving:
            saving.append(start_concurrently(lambda: editor.post(url_of(row), draft(saved)).status_code))
        return write(act, *args, **kw)

    monkeypatch.setattr(action, step, write_during_it)
    assert client_of(boss).post(url, form).status_code == 302
    assert saving[0].result(20) == 302
    newest = row.revisions.order_by("-pk").first()
    return [getattr(latest(row), title), newest.content[title]]


@pytest.mark.usefixtures("first_rows")
@pytest.mark.parametrize(("make", "doing"), MEETINGS)
def test_a_draft_that_is_saved_in_the_meantime_stays_the_newest(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], Any], doing: Callable[[Any], Act]
) -> None:
    assert save_during(monkeypatch, make, doing) == ["New", "New"]


@pytest.mark.usefixtures("first_rows")
def test_control_without_taking_turns_a_draft_is_hidden_by_an_older_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: without the turns the form shows what was there before the draft."""
    monkeypatch.setattr(back_office_saves, "_changed_rows", lambda *_: None)
    assert save_during(monkeypatch, a_slide, unpublish_slide) == ["Old", "New"]
