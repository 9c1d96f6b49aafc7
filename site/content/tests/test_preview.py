"""The preview: the shop at a later time, as an editor sees it."""

import json
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from wagtail.models import Page

from catalog.goods.tests.builders import make_product
from catalog.promotions.tests.builders import make_promotion
from content.models import AreaGood, CarouselSlide, HomePage, InformationPage
from content.tests.builders import make_area, make_slide
from content.tests.forms import url_of
from content.tests.staff import in_each_language, staff
from core.languages import CHINESE, ENGLISH
from core.preview import current_preview
from core.tests.pages import html_of
from core.tests.pictures import make_picture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

PAGE = "/admin/dashboard/preview/page/"
SCREEN = "/admin/dashboard/preview/"


def in_hours(hours: float) -> datetime:
    return timezone.now() + timedelta(hours=hours)


def preview(client: Client, path: str, hours: float = 2, **kw: str) -> Any:
    query = {"path": path, "at": in_hours(hours).isoformat()} | kw
    response = client.get(PAGE, query)
    assert current_preview() is None
    return response


def seen(client: Client, path: str, hours: float = 2, **kw: str) -> str:
    response = preview(client, path, hours, **kw)
    assert response.status_code == 200
    return str(response.content.decode())


def schedule(row: Any, hours: float, until: float | None = None, **values: Any) -> None:
    """Approve a change that is shown from some hours on and for some hours."""
    if row.live:
        row.save_revision().publish()
        row = type(row).objects.get(pk=row.pk)
    for name, value in values.items():
        setattr(row, name, value)
    row.go_live_at = in_hours(hours)
    row.expire_at = in_hours(until) if until else None
    row.save_revision().publish()


@pytest.fixture
def home() -> HomePage:
    """The home page with a carousel."""
    picture = make_picture().pk
    tile = {"title": "T", "text": "", "link": {"label": "Go", "path": "/shop"}, "tone": "mint"}
    for page in HomePage.objects.all():
        hero = {"carousel": 4, "tiles": [tile | {"picture": picture}] * 2}
        blocks = [(block.block_type, block.value) for block in page.body]
        page.body = [("hero", page.body.stream_block.child_blocks["hero"].to_python(hero)), *blocks]
        page.save_revision().publish()
    english: HomePage = HomePage.objects.get(locale__language_code="en")
    return english


def test_a_scheduled_slide_is_shown_from_its_start_until_its_end(writer: Client, home: HomePage) -> None:
    slide = make_slide(title_en="Moon cakes", title_zh="月饼上市", live=False)
    schedule(slide, 1, until=5)
    for language, prefix, title in ((ENGLISH, "", "Moon cakes"), (CHINESE, "/zh-hans", "月饼上市")):
        assert title not in seen(writer, "/home", 0.5, language=language)
        assert title in seen(writer, "/home", 2, language=language)
        assert title not in seen(writer, "/home", 6, language=language)
        assert title not in html_of(Client().get(f"{prefix}/home"))
    assert not CarouselSlide.objects.get(pk=slide.pk).live


def test_a_scheduled_change_is_shown_at_its_new_position(writer: Client, home: HomePage) -> None:
    first, second = make_slide(title_en="First", sort=1), make_slide(title_en="Second", sort=2)
    schedule(first, 1, sort=3, title_en="Now last")
    html = seen(writer, "/home")
    assert html.index("Second") < html.index("Now last")
    assert "First" not in html
    assert second.title_en in html_of(Client().get("/home"))


def test_a_draft_is_shown_only_where_drafts_are_asked_for(writer: Client, home: HomePage) -> None:
    slide = make_slide(title_en="Old words")
    slide.title_en = "New words"
    slide.save_revision()
    assert "New words" not in seen(writer, "/home")
    assert "New words" in seen(writer, "/home", drafts="on")
    slide.go_live_at = in_hours(3)
    slide.save_revision()
    assert "New words" not in seen(writer, "/home", 2, drafts="on")
    assert "New words" in seen(writer, "/home", 4, drafts="on")


def test_a_scheduled_area_is_shown_with_its_products(writer: Client) -> None:
    tea, rice = make_product(name_en="Green tea"), make_product(name_en="Fragrant rice")
    area = make_area(tea, name_en="Tea house")
    schedule(area, 1, until=4, name_en="Rice room", picked=[AreaGood(product=rice, sort_order=0)])
    html = seen(writer, f"/areas/{area.pk}")
    assert "<h1>Rice room</h1>" in html
    assert "Fragrant rice" in html
    assert "Green tea" not in html
    assert "Rice room" in seen(writer, "/areas")
    assert preview(writer, f"/areas/{area.pk}", 5).status_code == 404
    assert "<h1>Tea house</h1>" in html_of(Client().get(f"/areas/{area.pk}"))


def test_a_promotion_is_shown_at_the_times_it_will_run(writer: Client) -> None:
    product = make_product(name_en="Green tea", price="9.00")
    times = {"starts_at": in_hours(1), "ends_at": in_hours(5)}
    promotion = make_promotion((product, "7.00"), name_en="Harvest week", name_zh="丰收周", **times)
    path = f"/promotions/{promotion.pk}"
    assert Client().get(path).status_code == 404
    html = seen(writer, path)
    assert "Harvest week" in html
    assert "7.00" in html
    assert "丰收周" in seen(writer, path, language="zh-hans")
    assert preview(writer, path, 6).status_code == 404
    assert Client().get(path).status_code == 404


def test_a_page_is_shown_as_scheduled(writer: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="zh-hans")
    schedule(page, 1, title="新的常见问题")
    assert "新的常见问题" in seen(writer, "/home/about-us/help", language="zh-hans")
    assert "新的常见问题" not in seen(writer, "/home/about-us/help", 0.5, language="zh-hans")
    assert "新的常见问题" not in html_of(Client().get("/zh-hans/home/about-us/help"))


def test_nothing_else_can_be_previewed(writer: Client) -> None:
    for path in ("/shop", "/home/cart", "/home/account", "/admin/", "/livez", "/no/such"):
        assert preview(writer, path).status_code == 404, path


def test_an_invalid_time_is_refused(writer: Client) -> None:
    for query in ({"at": "yesterday"}, {"at": "2001-01-01 10:00"}, {"language": "fr"}):
        assert writer.get(PAGE, {"path": "/home"} | query).status_code == 400, query
        screen = writer.get(SCREEN, query)
        assert screen.status_code == 200, query
        assert "<iframe" not in html_of(screen), query


def test_only_staff_who_may_write_pages_may_preview() -> None:
    client = staff("stock", permissions=("access_admin",))
    for address in (PAGE, SCREEN):
        assert Client().get(address, {"path": "/home"})["Location"].startswith("/admin/login/")
        response = client.get(address, {"path": "/home"})
        assert (response.status_code, response["Location"]) == (302, "/admin/")


def test_a_preview_writes_nothing_and_is_cached_nowhere(writer: Client, home: HomePage) -> None:
    slide = make_slide(live=False)
    schedule(slide, 1)
    seen(writer, "/home")
    pages, revisions = Page.objects.count(), slide.revisions.count()
    with CaptureQueriesContext(connection) as queries:
        response = preview(writer, "/home")
    words = {query["sql"].split(" ", 1)[0] for query in queries}
    # The longer limit of the back office is set by a SELECT too.
    assert words - {"RESET"} == {"SELECT"}
    assert "no-store" in response["Cache-Control"]
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert (Page.objects.count(), slide.revisions.count()) == (pages, revisions)


def test_the_preview_frames_the_page_and_pages_link_to_it(writer: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    form = html_of(writer.get(f"/admin/pages/{page.pk}/edit/"))
    there = "drafts=on&amp;language=en&amp;path=%2Fhome%2Fabout-us%2Fhelp&amp;part=draft"
    assert f"/admin/dashboard/preview/?{there}" in form
    html = writer.get(
        SCREEN, {"path": "/zh-hans/home/about-us/help", "language": "zh-hans", "width": "mobile"}
    )
    assert 'width="390"' in html.content.decode()
    assert "path=%2Fhome%2Fabout-us%2Fhelp&amp;language=zh-hans" in html.content.decode()


def test_a_form_links_to_its_draft_and_names_it_in_the_preview(writer: Client, home: HomePage) -> None:
    slide, area = make_slide(live=False), make_area(make_product())
    for row, path, part in (
        (slide, "/home", f"slide-{slide.pk}"),
        (area, f"/areas/{area.pk}", f"area-{area.pk}"),
    ):
        row.save_revision()
        form = html_of(writer.get(url_of(row)))
        [there] = re.findall(r'href="(/admin/dashboard/preview/[^"]+)"', form.replace("&amp;", "&"))
        screen = html_of(writer.get(there))
        assert f'data-show-part="{part}"' in screen
        [frame] = re.findall(r'src="(/admin/dashboard/preview/page/[^"]+)"', screen.replace("&amp;", "&"))
        assert f'data-part="{part}"' in html_of(writer.get(frame))
        assert "data-part=" not in Client().get(path).content.decode()


def test_a_page_links_to_the_block_that_its_draft_changes(writer: Client) -> None:
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    blocks = list(page.body.raw_data)
    last = blocks[-1]["id"]
    query = {"path": "/home/about-us/help", "drafts": "on", "part": "draft"}
    assert 'data-show-part=""' in html_of(writer.get(SCREEN, query))
    changed = {"type": "text", "value": "<p>Quite new</p>", "id": last}
    page.body = json.dumps([*blocks[:-1], changed])
    page.save_revision()
    assert f'data-show-part="block-{last}"' in html_of(writer.get(SCREEN, query))
    shown = html_of(writer.get(PAGE, query))
    assert re.search(rf'<template data-part="block-{last}"></template>\s*<[^>]+>', shown)
    assert "Quite new" in shown
    assert "data-part=" not in Client().get("/home/about-us/help").content.decode()


def test_the_preview_during_a_form_begins_in_the_language_of_the_editor(writer: Client) -> None:
    slide = make_slide()
    for language in in_each_language(writer):
        form = html_of(writer.get(url_of(slide)))
        [modes] = re.findall(r'<select[^>]*id="id_preview_mode".*?</select>', form, re.DOTALL)
        assert re.findall(r'<option value="([\w-]+)"', modes)[0] == language
