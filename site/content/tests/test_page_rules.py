"""The home page and the shop's URLs are protected; editors see each other's changes."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from wagtail.models import Page, Site

from catalog.goods.tests.builders import make_product
from content.models import HomePage, InformationPage
from content.tests.builders import make_area, make_slide
from content.tests.staff import set_language, staff
from content.tests.test_areas import area_form, slide_form
from content.tests.test_routes import form_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

STAYS = {
    "en": "The shop’s home page has to stay where it is, and published.",
    "zh-hans": "商店首页必须保留在原处并保持发布状态。",
}
RESERVED = {
    "en": "The shop itself answers at this address; choose another slug.",
    "zh-hans": "该地址由商店本身使用，请换一个别名。",
}


@pytest.fixture(params=["en", "zh-hans"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def boss(client: Client, language: str) -> Client:
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    set_language(client, language)
    return client


def home() -> HomePage:
    page: HomePage = HomePage.objects.get(locale__language_code="en")
    return page


def tree() -> list[tuple[Any, ...]]:
    """All pages: their place in the tree and whether they are live."""
    return list(Page.objects.order_by("path").values_list("pk", "path", "url_path", "live"))


def refusal(client: Client, url: str, data: dict[str, Any]) -> str:
    before = tree()
    page = client.post(url, data, follow=True).content.decode()
    assert tree() == before
    return page


@pytest.mark.parametrize("action", ["delete", "unpublish"])
@pytest.mark.parametrize("which", ["home", "root"])
def test_the_home_page_and_its_parent_cannot_be_removed(
    boss: Client, language: str, action: str, which: str
) -> None:
    page = home() if which == "home" else Site.objects.get().root_page
    url = reverse(f"wagtailadmin_pages:{action}", args=[page.pk])
    assert STAYS[language] in refusal(boss, url, {"include_descendants": "on"})
    many = reverse("wagtail_bulk_action", args=["wagtailcore", "page", action])
    assert STAYS[language] in refusal(boss, f"{many}?id={page.pk}", {"include_descendants": "on"})


def test_the_home_page_cannot_be_moved(boss: Client, language: str) -> None:
    there = InformationPage.objects.get(slug="about-us", locale__language_code="en")
    url = reverse("wagtailadmin_pages:move_confirm", args=[home().pk, there.pk])
    assert STAYS[language] in refusal(boss, url, {})
    many = reverse("wagtail_bulk_action", args=["wagtailcore", "page", "move"])
    refusal(boss, f"{many}?id={home().pk}", {"chooser": str(there.pk)})


def test_other_pages_can_be_removed(boss: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    boss.post(reverse("wagtailadmin_pages:delete", args=[page.pk]))
    assert not InformationPage.objects.filter(pk=page.pk).exists()
    assert boss.get("/home/about-us/help").status_code == 404


def test_the_home_page_keeps_its_url_and_cannot_expire(boss: Client, language: str) -> None:
    url = reverse("wagtailadmin_pages:edit", args=[home().pk])
    assert 'name="slug"' not in boss.get(url).content.decode()
    assert boss.post(url, form_of(title="Start", slug="start")).status_code == 302
    assert boss.get("/home").status_code == 200
    text = {
        "en": "The home page has no end: publish another version of it instead.",
        "zh-hans": "首页没有结束时间：请改为发布另一个版本。",
    }
    revision = home().latest_revision_id
    page = boss.post(url, form_of(title="Ends 结束", expire_at="2090-01-01 10:00")).content.decode()
    assert text[language] in page
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


def test_no_page_can_be_moved_to_a_url_of_the_shop(boss: Client, language: str, cart: Page) -> None:
    url = reverse("wagtailadmin_pages:move_confirm", args=[cart.pk, home().pk])
    assert RESERVED[language] in refusal(boss, url, {})
    many = reverse("wagtail_bulk_action", args=["wagtailcore", "page", "move"])
    assert RESERVED[language] in refusal(boss, f"{many}?id={cart.pk}", {"chooser": str(home().pk)})


@pytest.mark.parametrize("alias", ["", "on"])
def test_no_copy_can_be_made_at_a_url_of_the_shop(
    boss: Client, language: str, cart: Page, alias: str
) -> None:
    url = reverse("wagtailadmin_pages:copy", args=[cart.pk])
    form = {"new_title": "Cart", "new_slug": "cart", "new_parent_page": str(home().pk), "alias": alias}
    assert RESERVED[language] in refusal(boss, url, form)
    assert boss.post(url, form | {"new_slug": "trolley"}).status_code == 302
    assert InformationPage.objects.child_of(home()).filter(slug="trolley").exists()


# ── Two editors ───────────────────────────────────────────────────────────────────────────────────────

CONCURRENTLY = {"en": "first saved this too in the meantime, at", "zh-hans": "first 也保存了此内容"}


@pytest.mark.parametrize("kind", ["slide", "area", "page"])
def test_the_later_of_two_editors_gets_a_message_and_both_versions_are_saved(
    language: str, kind: str
) -> None:
    first, second = staff("first", "Moderators"), staff("second", "Moderators", language=language)
    row: Any
    if kind == "page":
        row = InformationPage.objects.get(slug="help", locale__language_code="en")
        url = reverse("wagtailadmin_pages:edit", args=[row.pk])
        forms = [form_of(title=name, slug="help") for name in ("One", "Two")]
    else:
        row = make_slide() if kind == "slide" else make_area(make_product())
        url = reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk])
        name = "title_en" if kind == "slide" else "name_en"
        make = slide_form if kind == "slide" else area_form
        more = {"sort": "77", "rule": "picked"}
        forms = [make(**{name: text} | more) for text in ("One", "Two")]
        for form in forms:
            form.pop("action-publish")
    row.save_revision()
    row.refresh_from_db()
    seen = {"loaded_revision_id": str(row.latest_revision_id)}
    assert CONCURRENTLY[language] not in first.post(url, forms[0] | seen, follow=True).content.decode()
    assert CONCURRENTLY[language] in second.post(url, forms[1] | seen, follow=True).content.decode()
    assert [str(revision.user) for revision in row.revisions.order_by("-created_at", "-pk")[:2]] == [
        "second",
        "first",
    ]
    row.refresh_from_db()
    seen = {"loaded_revision_id": str(row.latest_revision_id)}
    assert CONCURRENTLY[language] not in second.post(url, forms[1] | seen, follow=True).content.decode()


ENDED = {"en": "Nothing waits for approval here any more", "zh-hans": "此处已没有等待审核的内容"}


@pytest.mark.parametrize("kind", ["slide", "page"])
def test_a_late_approval_loses_nothing_that_was_typed(language: str, kind: str) -> None:
    late = staff("late", "Moderators", language=language)
    row: Any
    if kind == "page":
        row = InformationPage.objects.get(slug="help", locale__language_code="en")
        url, form = reverse("wagtailadmin_pages:edit", args=[row.pk]), form_of(title="Typed", slug="help")
    else:
        row = make_slide()
        url = reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk])
        form = slide_form(title_en="Typed", sort="77")
    form.pop("action-publish")
    form |= {"action-workflow-action": "yes", "workflow-action-name": "approve"}
    assert ENDED[language] in late.post(url, form, follow=True).content.decode()
    draft = type(row).objects.get(pk=row.pk).get_latest_revision_as_object()
    assert "Typed" in (getattr(draft, "title_en", ""), draft.title)
    assert type(row).objects.get(pk=row.pk).title != "Typed"


# ── Slides and areas ──────────────────────────────────────────────────────────────────────────────────


def test_lists_of_slides_and_areas_show_both_names_everyone_who_saved_them(language: str) -> None:
    writer, reader = staff("first", "Moderators"), staff("second", "Moderators", language=language)
    for row, form in (
        (make_slide(), slide_form(title_en="Tea", title_zh="茶", sort="77")),
        (make_area(make_product()), area_form(make_product().pk)),
    ):
        url = reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk])
        assert writer.post(url, form).status_code == 302
        page = reader.get(reverse(row.snippet_viewset.get_url_name("list"))).content.decode()
        for name in (form.get("title_en") or form["name_en"], form.get("title_zh") or form["name_zh"]):
            assert f">{name}<" in "".join(page.split("\n")).replace("  ", "")


def test_the_forms_of_slides_and_areas_link_to_the_preview(language: str) -> None:
    editor = staff("writer", "Editors", language=language)
    slide, area = make_slide(), make_area(make_product())
    for row, path in ((slide, "%2Fhome"), (area, f"%2Fareas%2F{area.pk}")):
        page = editor.get(reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk])).content.decode()
        there = re.findall(rf'"({reverse("dashboard:preview")}[^"]+)"', page)
        assert [each for each in there if f"path={path}" in each]
