"""The home page and the shop's URLs are protected; editors see each other's changes."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from wagtail.models import Page, Site

from catalog.goods.tests.builders import make_product
from content.models import HomePage, InformationPage
from content.tests.builders import make_area, make_slide
from content.tests.forms import area_form, draft, page_form, slide_form, url_of
from content.tests.staff import in_each_language, staff
from core.tests.rows import rolled_back
from core.tests.screens import only_refusals

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

STAYS = {
    "en": "The shop’s home page has to stay where it is, and published.",
    "zh-hans": "商店首页必须保留在原处并保持发布状态。",
}
RESERVED = {
    "en": "The shop itself answers at this address; choose another slug.",
    "zh-hans": "该地址由商店本身使用，请换一个别名。",
}


def home() -> HomePage:
    page: HomePage = HomePage.objects.get(locale__language_code="en")
    return page


def tree() -> list[tuple[Any, ...]]:
    """All pages: their place in the tree and whether they are live."""
    return list(Page.objects.order_by("path").values_list("pk", "path", "url_path", "live"))


def refusal(client: Client, url: str, data: dict[str, Any]) -> str:
    before = tree()
    with only_refusals():
        page = client.post(url, data, follow=True).content.decode()
    assert tree() == before
    return page


def test_the_home_page_and_its_parent_cannot_be_removed(editor: Client, subtests: pytest.Subtests) -> None:
    with_children = {"include_descendants": "on"}
    for language in in_each_language(editor):
        for page in (home(), Site.objects.get().root_page):
            for action in ("delete", "unpublish"):
                with subtests.test(language=language, page=page, action=action):
                    assert STAYS[language] in refusal(editor, url_of(page, action), with_children)
                    many = reverse("wagtail_bulk_action", args=["wagtailcore", "page", action])
                    assert STAYS[language] in refusal(editor, f"{many}?id={page.pk}", with_children)


def test_the_home_page_cannot_be_moved(editor: Client) -> None:
    there = InformationPage.objects.get(slug="about-us", locale__language_code="en")
    many = reverse("wagtail_bulk_action", args=["wagtailcore", "page", "move"])
    for language in in_each_language(editor):
        assert STAYS[language] in refusal(editor, url_of(home(), "move_confirm", there.pk), {})
        refusal(editor, f"{many}?id={home().pk}", {"chooser": str(there.pk)})


def test_other_pages_can_be_removed(editor: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    editor.post(url_of(page, "delete"))
    assert not InformationPage.objects.filter(pk=page.pk).exists()
    assert editor.get("/home/about-us/help").status_code == 404


def test_the_home_page_keeps_its_url_and_cannot_expire(editor: Client) -> None:
    url = url_of(home())
    assert 'name="slug"' not in editor.get(url).content.decode()
    assert editor.post(url, page_form(title="Start", slug="start")).status_code == 302
    assert editor.get("/home").status_code == 200
    texts = {
        "en": "The home page has no end: publish another version of it instead.",
        "zh-hans": "首页没有结束时间：请改为发布另一个版本。",
    }
    revision = home().latest_revision_id
    for language in in_each_language(editor):
        form = page_form(title="Ends 结束", expire_at="2090-01-01 10:00")
        page = editor.post(url, form).content.decode()
        assert texts[language] in page
        assert 'value="Ends 结束"' in page
        assert home().latest_revision_id == revision


@pytest.fixture
def cart() -> InformationPage:
    """A page whose slug is free where it is, and the shop's own under /home."""
    above = InformationPage.objects.get(slug="about-us", locale__language_code="en")
    page: InformationPage = above.add_child(
        instance=InformationPage(title="Cart", slug="cart", locale=above.locale)
    )
    return page


def test_no_page_can_be_moved_to_a_url_of_the_shop(editor: Client, cart: Page) -> None:
    many = reverse("wagtail_bulk_action", args=["wagtailcore", "page", "move"])
    for language in in_each_language(editor):
        assert RESERVED[language] in refusal(editor, url_of(cart, "move_confirm", home().pk), {})
        chosen = {"chooser": str(home().pk)}
        assert RESERVED[language] in refusal(editor, f"{many}?id={cart.pk}", chosen)


def test_no_copy_can_be_made_at_a_url_of_the_shop(
    editor: Client, cart: Page, subtests: pytest.Subtests
) -> None:
    url = url_of(cart, "copy")
    for language in in_each_language(editor):
        for alias in ("", "on"):
            with subtests.test(language=language, alias=alias), rolled_back():
                form = {"new_title": "Cart", "new_slug": "cart", "new_parent_page": str(home().pk)}
                form["alias"] = alias
                assert RESERVED[language] in refusal(editor, url, form)
                assert editor.post(url, form | {"new_slug": "trolley"}).status_code == 302
                assert InformationPage.objects.child_of(home()).filter(slug="trolley").exists()


# ── Two editors ───────────────────────────────────────────────────────────────────────────────────────

CONCURRENTLY = {"en": "first saved this too in the meantime, at", "zh-hans": "first 也保存了此内容"}


def two_forms(kind: str) -> tuple[Any, list[dict[str, Any]]]:
    """Return a row, and what two editors who change its name send to save a draft."""
    names = ("One", "Two")
    if kind == "page":
        page = InformationPage.objects.get(slug="help", locale__language_code="en")
        return page, [page_form(title=name, slug="help") for name in names]
    if kind == "slide":
        return make_slide(), [draft(slide_form(title_en=name, sort="77")) for name in names]
    return make_area(make_product()), [draft(area_form(name_en=name, sort="77")) for name in names]


def test_the_later_of_two_editors_gets_a_message_and_both_versions_are_saved(
    subtests: pytest.Subtests,
) -> None:
    first, second = staff("first", "Moderators"), staff("second", "Moderators")
    for language in in_each_language(second):
        for kind in ("slide", "area", "page"):
            with subtests.test(language=language, kind=kind), rolled_back():
                row, forms = two_forms(kind)
                url, text = url_of(row), CONCURRENTLY[language]
                row.save_revision()
                row.refresh_from_db()
                seen = {"loaded_revision_id": str(row.latest_revision_id)}
                with only_refusals():
                    assert text not in first.post(url, forms[0] | seen, follow=True).content.decode()
                    assert text in second.post(url, forms[1] | seen, follow=True).content.decode()
                newest = row.revisions.order_by("-created_at", "-pk")[:2]
                assert [str(revision.user) for revision in newest] == ["second", "first"]
                row.refresh_from_db()
                seen = {"loaded_revision_id": str(row.latest_revision_id)}
                with only_refusals():
                    assert text not in second.post(url, forms[1] | seen, follow=True).content.decode()


ENDED = {"en": "Nothing waits for approval here any more", "zh-hans": "此处已没有等待审核的内容"}


def test_a_late_approval_loses_nothing_that_was_typed(subtests: pytest.Subtests) -> None:
    late = staff("late", "Moderators")
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    rows: list[tuple[Any, dict[str, Any]]] = [
        (page, page_form(title="Typed", slug="help")),
        (make_slide(), slide_form(title_en="Typed", sort="77")),
    ]
    approval = {"action-workflow-action": "yes", "workflow-action-name": "approve"}
    for language in in_each_language(late):
        for row, form in rows:
            with subtests.test(language=language, row=row), rolled_back():
                with only_refusals():
                    answer = late.post(url_of(row), draft(form) | approval, follow=True)
                assert ENDED[language] in answer.content.decode()
                stored = type(row).objects.get(pk=row.pk)
                typed = stored.get_latest_revision_as_object()
                assert "Typed" in (getattr(typed, "title_en", ""), typed.title)
                assert stored.title != "Typed"


# ── Slides and areas ──────────────────────────────────────────────────────────────────────────────────


def test_lists_of_slides_and_areas_show_both_names_everyone_who_saved_them() -> None:
    writer, reader = staff("first", "Moderators"), staff("second", "Moderators")
    rows = (
        (make_slide(), slide_form(sort="77"), ("Tea", "茶")),
        (make_area(make_product()), area_form(make_product().pk), ("Tea house", "茶馆")),
    )
    for row, form, names in rows:
        assert writer.post(url_of(row), form).status_code == 302
        for _language in in_each_language(reader):
            page = reader.get(url_of(type(row), "list")).content.decode()
            for name in names:
                assert f">{name}<" in "".join(page.split("\n")).replace("  ", "")


def test_the_forms_of_slides_and_areas_link_to_the_preview() -> None:
    editor = staff("writer", "Editors")
    slide, area = make_slide(), make_area(make_product())
    for _language in in_each_language(editor):
        for row, path in ((slide, "%2Fhome"), (area, f"%2Fareas%2F{area.pk}")):
            page = editor.get(url_of(row)).content.decode()
            there = re.findall(rf'"({reverse("dashboard:preview")}[^"]+)"', page)
            assert [each for each in there if f"path={path}" in each]
