"""The dashboard shows pending work to each user."""

import re
from datetime import datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.goods.models import Brand
from catalog.goods.tests.builders import make_brand, make_product
from catalog.goods.writing import delete_rows
from catalog.promotions.tests.builders import make_promotion
from catalog.search.models import FailedSearch
from content.models import InformationPage, SpecialArea
from content.tasks import publish_scheduled
from content.tests.builders import make_area, make_slide
from content.tests.forms import draft, slide_form, url_of
from content.tests.staff import in_each_language, staff
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

HEADINGS = {
    "approvals": ("To approve", "待您审核"),
    "drafts": ("Drafts with changes that are not published", "有未发布更改的草稿"),
    "schedule": ("In the next seven days", "未来七天"),
    "translations": ("Without a translation", "缺少翻译"),
    "sold-out": ("Shown in windows, but sold out", "橱窗中已售罄的商品"),
    "failed-searches": ("Searches with no results", "没有结果的搜索"),
}


def dashboard_cards(client: Client) -> dict[str, str]:
    """Return the cards of the dashboard by name, as text."""
    html = html_of(client.get("/admin/"))
    dashboard = html[html.index('id="dashboard"') :]
    found = re.findall(r'aria-labelledby="dashboard-([\w-]+)">(.*?)</section>', dashboard, re.S)
    return dict(found)


def make_pending_work() -> None:
    client = staff("writer", "Editors")
    slide = make_slide(title_en="Waiting slide")
    form = draft(slide_form(title_en="Better words", sort="77")) | {"action-submit": "yes"}
    assert client.post(url_of(slide), form).status_code == 302
    soon = timezone.now() + timedelta(days=2)
    coming = make_slide(title_en="Coming slide", title_zh="即将到来", live=False)
    coming.go_live_at = soon
    coming.save_revision().publish()
    make_area(make_product(), name_en="Going area", expire_at=soon + timedelta(days=1))
    times = {"starts_at": soon - timedelta(days=1), "ends_at": soon + timedelta(days=90)}
    make_promotion(name_en="Autumn", name_zh="秋季", **times)
    page = InformationPage.objects.get(slug="help", locale__language_code="en")
    page.title = "A better title"
    page.save_revision()
    news = InformationPage(title="Only English", slug="only", locale=page.locale)
    page.get_parent().add_child(instance=news)
    make_area(make_product(name_en="Gone tea", name_zh="卖完的茶", sold_out=True), name_en="Tea house")
    FailedSearch.objects.create(word="durian", count=9)


def test_staff_see_the_pending_work_that_they_may_do() -> None:
    make_pending_work()
    client = staff(
        "boss", "Moderators", permissions=("view_promotion", "change_promotion", "view_failedsearch")
    )
    for language in in_each_language(client):
        is_english = language == ENGLISH
        cards = dashboard_cards(client)
        expected = ["approvals", "schedule", "drafts", "translations", "sold-out", "failed-searches"]
        assert list(cards) == expected
        for name, heading in HEADINGS.items():
            assert heading[0 if is_english else 1] in cards[name]
        assert "Better words" in cards["approvals"] or "茶" in cards["approvals"]
        assert "A better title" in cards["drafts"]
        # What the first card has is not repeated.
        assert not any(text in cards["drafts"] for text in ("Better words", "茶"))
        names = ("Autumn", "Coming slide", "Going area") if is_english else ("秋季", "即将到来", "专区")
        positions = [cards["schedule"].index(name) for name in names]
        assert positions == sorted(positions)
        assert "/admin/dashboard/preview/?at=" in cards["schedule"]
        assert "Only English" in cards["translations"]
        assert ("Gone tea" if is_english else "卖完的茶") in cards["sold-out"]
        assert "durian" in cards["failed-searches"]
        for path in set(re.findall(r'href="(/[^"]+)"', "".join(cards.values()))):
            assert client.get(path.replace("&amp;", "&")).status_code == 200
    cards = dashboard_cards(staff("another", "Editors"))
    assert set(cards) == {"schedule", "drafts", "translations", "sold-out"}
    assert "Autumn" not in cards["schedule"]
    # Only moderators may publish, but editors may change slides and areas.
    assert "Better words" in cards["drafts"]
    # Without permissions for pages they see none.
    cards = dashboard_cards(staff("stock", permissions=("access_admin", "view_failedsearch")))
    assert set(cards) == {"failed-searches"}


def test_without_pending_work_the_page_shows_it() -> None:
    texts = {
        ENGLISH: ("You’re all caught up.", "Welcome, stock"),
        CHINESE: ("没有待处理的事项。", "stock，您好"),
    }
    client = staff("stock", permissions=("access_admin",))
    for language in in_each_language(client):
        page = client.get("/admin/").content.decode()
        assert all(text in page for text in texts[language])


def test_what_is_long_past_or_far_in_the_future_is_not_listed() -> None:
    far = make_slide(title_en="Far", live=False)
    far.go_live_at = timezone.now() + timedelta(days=30)
    far.save_revision().publish()
    make_area(make_product(sold_out=False), expire_at=timezone.now() + timedelta(days=30))
    assert dashboard_cards(staff("boss", "Moderators")) == {}


def make_late_area() -> SpecialArea:
    """Make a live area whose draft has its time in an hour, and names a brand that was deleted since."""
    area = make_area(make_product(), name_en="Tea house", name_zh="茶馆")
    area.save_revision().publish()
    area = SpecialArea.objects.get(pk=area.pk)
    brand = make_brand()
    area.rule, area.brand, area.go_live_at = (
        SpecialArea.Rule.brand,
        brand,
        timezone.now() + timedelta(hours=1),
    )
    area.save_revision().publish()
    delete_rows(Brand.objects.filter(pk=brand.pk))
    return SpecialArea.objects.get(pk=area.pk)


LATE = {
    ENGLISH: ("Could not be published on time", "Brand · Choose which products the area shows.", "Tea house"),
    CHINESE: ("未能按时发布", "品牌 · 请选择专区商品所依据的品牌、分类、优惠活动或标签。", "茶馆"),
}


def test_a_change_that_could_not_be_published_at_its_time_is_shown_with_the_reason() -> None:
    area = make_late_area()
    assert "late" not in dashboard_cards(staff("early", "Moderators"))
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        publish_scheduled()
        client = staff("boss", "Moderators")
        for language in in_each_language(client):
            card = dashboard_cards(client)["late"]
            assert all(text in card for text in LATE[language])
            [url] = re.findall(r'href="(/[^"]+)"', card)
            assert url == url_of(area)
            assert client.get(url).status_code == 200
        assert "late" not in dashboard_cards(staff("stock", permissions=("access_admin",)))


def publish_without_brand(client: Client, area: SpecialArea, at: datetime | None = None) -> None:
    area.go_live_at = at
    area.save_revision().publish()


def reschedule(client: Client, area: SpecialArea) -> None:
    publish_without_brand(client, area, timezone.now() + timedelta(days=1))


def unschedule(client: Client, area: SpecialArea) -> None:
    assert client.post(url_of(area, "revisions_unschedule", area.scheduled_revision.pk)).status_code == 302


def test_what_could_not_be_published_is_shown_until_it_is_settled(subtests: pytest.Subtests) -> None:
    area = make_late_area()
    with time_machine.travel(timezone.now() + timedelta(hours=2)):
        client = staff("boss", "Moderators")
        assert "late" in dashboard_cards(client)
        for settle in (publish_without_brand, reschedule, unschedule):
            with subtests.test(settle=settle), rolled_back():
                settle(client, SpecialArea.objects.get(pk=area.pk))
                publish_scheduled()
                assert "late" not in dashboard_cards(client)


def test_what_the_clock_has_not_come_to_yet_is_called_neither_late_nor_faulty() -> None:
    slide = make_slide(title_en="On time")
    slide.go_live_at = timezone.now() + timedelta(hours=1)
    slide.save_revision().publish()
    with time_machine.travel(slide.go_live_at + timedelta(minutes=1)):
        assert "late" not in dashboard_cards(staff("early", "Moderators"))
    with time_machine.travel(slide.go_live_at + timedelta(minutes=5)):
        assert "will be tried again" in dashboard_cards(staff("boss", "Moderators"))["late"]


def test_the_number_of_queries_does_not_grow_with_pending_work() -> None:
    make_pending_work()
    client = staff("boss", "Moderators", permissions=("view_promotion", "view_failedsearch"))
    client.get("/admin/")

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get("/admin/")
        return len(captured)

    def make_more(number: int) -> None:
        make_area(make_product(sold_out=True))
        slide = make_slide()
        slide.title_en = "Draft"
        slide.save_revision()
        FailedSearch.objects.create(word=f"word {number}")

    for number in range(6):
        make_more(number)
        page = InformationPage.objects.get(slug="help", locale__language_code="en")
        page.get_parent().add_child(
            instance=InformationPage(title="More", slug=f"more-{number}", locale=page.locale, live=False)
        )
    # Enough of each kind to fill the cards.
    full = queries()
    for number in range(6, 18):
        make_more(number)
    assert queries() <= full
