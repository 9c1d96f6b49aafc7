"""Drafts of areas that name a row which was deleted since: only what the live area names is protected."""

from collections.abc import Callable
from datetime import timedelta
from itertools import cycle
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from wagtail.models import TaskState
from wagtail.test.utils.form_data import inline_formset

from catalog.goods.models import Brand, Category, ProductTag
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.writing import delete_rows
from catalog.promotions.tests.builders import make_promotion
from content.models import CarouselSlide, SpecialArea
from content.tasks import publish_scheduled
from content.tests.builders import make_area, make_slide
from content.tests.forms import area_form, draft, picture_row, slide_form, url_of
from content.tests.staff import in_each_language, set_language, staff
from content.tests.test_slide_layout import make_photograph
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of
from core.tests.pictures import make_picture
from core.tests.screens import only_refusals
from tests.combinations import choose

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

TOMORROW = timezone.now() + timedelta(days=1)
MAKERS: dict[str, Callable[[], Any]] = {
    "picture": make_picture,
    "brand": make_brand,
    "category": make_category,
    "promotion": make_promotion,
    "tag": lambda: ProductTag.objects.create(name="hotpot"),
}
# A field that must not be empty, and a rule without what it follows.
MISSING = {
    ENGLISH: ("This field is required.", "Choose which products the area shows."),
    CHINESE: ("必填。", "请选择专区商品所依据的品牌、分类、优惠活动或标签。"),
}
REFUSED = {
    ENGLISH: "It cannot be published as it is: something is missing, or was deleted in the meantime.",
    CHINESE: "目前无法发布：有内容缺失，或所选内容已被删除。",
}


def delete(row: Any) -> None:
    if isinstance(row, Brand | Category):
        delete_rows(type(row).objects.filter(pk=row.pk))
    else:
        row.delete()


def form_naming(name: str, row: Any, area: SpecialArea) -> dict[str, Any]:
    """Return the form of an area that names a row as its picture or by its rule, without a button."""
    pick = area.picked.get()
    rows = [{"product": str(pick.product_id), "id": str(pick.pk), "ORDER": "1"}]
    fields = {name: str(row.pk), "picked": inline_formset(rows, initial=1)}
    return draft(area_form(**{"rule": name if name != "picture" else "picked"} | fields))


def live_area() -> SpecialArea:
    area = make_area(make_product(name_en="Green tea"), name_en="Tea house", name_zh="茶馆")
    area.save_revision().publish()
    return SpecialArea.objects.get(pk=area.pk)


def with_draft_of_deleted(client: Client, name: str, **more: str) -> SpecialArea:
    """Return a live area with a draft that names a row which is gone."""
    area, row = live_area(), MAKERS[name]()
    assert client.post(url_of(area), form_naming(name, row, area) | more).status_code == 302
    delete(row)
    area = SpecialArea.objects.get(pk=area.pk)
    assert area.has_unpublished_changes
    return area


def is_as_it_was(area: SpecialArea) -> bool:
    shown = SpecialArea.objects.get(pk=area.pk)
    page = html_of(Client().get(f"/areas/{area.pk}"))
    return shown.live and shown.rule == "picked" and shown.picture_id is not None and "Green tea" in page


def preview(client: Client, path: str, row: str) -> str:
    """Preview the drafts on a page, in the language of a row; return the page below its heading."""
    for language in choose(row, (ENGLISH, CHINESE)):
        query = {"path": path, "language": language, "drafts": "on"}
        shown = client.get(reverse("dashboard:preview_page"), query)
        assert shown.status_code == 200, path
    return html_of(shown).partition("</h1>")[2]


def test_back_office_and_previews_go_on_and_the_form_shows_what_is_missing(
    editor: Client, subtests: pytest.Subtests
) -> None:
    make_product(name_en="Untagged rice")
    areas = {name: with_draft_of_deleted(editor, name) for name in MAKERS}
    for url in ("/admin/", reverse("dashboard:unused_images")):
        assert editor.get(url).status_code == 200, url
    for path in ("/home", "/areas"):
        preview(editor, path, path)
    for name, area in areas.items():
        with subtests.test(msg=name):
            first, newest = area.revisions.order_by("pk")
            for url in (
                url_of(area),
                url_of(area, "history"),
                url_of(area, "revisions_compare", first.pk, newest.pk),
                url_of(area, "revisions_revert", newest.pk),
                url_of(area, "revisions_view", newest.pk),
                url_of(area, "delete"),
            ):
                assert editor.get(url).status_code == 200, url
            # A rule that follows nothing shows nothing.
            assert "Untagged rice" not in preview(editor, f"/areas/{area.pk}", name)
            named = area.latest_revision.content[name]
            form = area_form(name_en="Better", **{name: "", "rule": name if name != "picture" else "picked"})
            for language in in_each_language(editor):
                page = html_of(editor.post(url_of(area), form))
                assert MISSING[language][name != "picture"] in page
                assert 'value="Better"' in page
            # As a form sends it that was opened before.
            with only_refusals():
                assert editor.post(url_of(area), form | {name: str(named)}).status_code == 200
            assert is_as_it_was(area)


def approve(client: Client, row: Any) -> str:
    """Approve what waits, as the dialog with a comment does, and return what is shown then."""
    state = row.current_workflow_task_state
    url = url_of(row, "workflow_action", "approve", state.pk)
    answer = client.post(url, {"comment": ""}, headers={"X-Requested-With": "XMLHttpRequest"})
    assert answer.json()["step"] == "success"
    with only_refusals():
        page = html_of(client.get(answer.json()["redirect"]))
    assert TaskState.objects.get(pk=state.pk).status == "in_progress"
    return page


STRIP = "a picture of 1200 × 10 pixels"
HALVES: list[tuple[str, dict[str, str]]] = [
    ("slide", {"title_en": ""}),
    ("slide", {"pictures-0-alt_zh": ""}),
    ("slide", {"pictures-0-picture": STRIP}),
    ("slide", {"pictures-0-DELETE": "on"}),
    ("area", {"picture": STRIP}),
    ("area", {"picked-0-DELETE": "on"}),
]


def with_half_a_draft(writer: Client, editor: Client, kind: str, half: dict[str, str]) -> Any:
    """Return a live row whose whole draft waits for approval; half a draft of it was saved since."""
    if kind == "slide":
        row: Any = make_slide(title_en="Whole")
        pictures = [picture_row(id=str(row.pictures.get().pk))]
        form = draft(slide_form(sort=str(row.sort), pictures=inline_formset(pictures, initial=1)))
    else:
        row = make_area(make_product(), name_en="Whole")
        picked = [{"product": str(pick.product_id), "id": str(pick.pk)} for pick in row.picked.all()]
        form = draft(area_form(sort=str(row.sort), picked=inline_formset(picked, initial=1)))
    assert writer.post(url_of(row), form | {"action-submit": "yes"}).status_code == 302
    assert editor.post(url_of(row), form | half).status_code == 302
    return type(row).objects.get(pk=row.pk)


def test_such_a_draft_and_half_a_draft_are_published_neither_by_a_moderator_nor_at_their_time(
    editor: Client, subtests: pytest.Subtests
) -> None:
    writer, strip = staff("writer", "Editors"), {STRIP: str(make_photograph(1200, 10).pk)}
    languages = cycle([ENGLISH, CHINESE])
    areas = [with_draft_of_deleted(writer, name, **{"action-submit": "yes"}) for name in MAKERS]
    halves = [
        with_half_a_draft(
            writer, editor, kind, {name: strip.get(value, value) for name, value in half.items()}
        )
        for kind, half in HALVES
    ]
    titles = [str(row) for row in halves]
    for row, language in zip((*areas, *halves), languages, strict=False):
        with subtests.test(row=row, language=language):
            set_language(editor, language)
            assert REFUSED[language] in approve(editor, row)
            row.latest_revision.approved_go_live_at = TOMORROW
            row.latest_revision.save()

    def are_as_they_were() -> bool:
        shown = [str(type(row).objects.get(pk=row.pk)) for row in halves]
        return all(map(is_as_it_was, areas)) and shown == titles

    assert are_as_they_were()
    on_time = make_slide(live=False, title_en="On time")
    on_time.go_live_at = TOMORROW
    on_time.save_revision().publish()
    set_language(editor, ENGLISH)
    with time_machine.travel(TOMORROW + timedelta(minutes=9)):
        publish_scheduled()
        assert CarouselSlide.objects.shown().filter(title_en="On time").exists()
        assert are_as_they_were()
        for row in (*areas, *halves):
            assert row.revisions.filter(approved_go_live_at=TOMORROW).exists()
        # No passing fault; the login of the day before has ended.
        editor.force_login(User.objects.get(username="boss"))
        assert "will be tried again" not in html_of(editor.get("/admin/"))
