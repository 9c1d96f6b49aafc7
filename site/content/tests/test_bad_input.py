"""Invalid or malicious input of editors is refused in their language; nothing changes, nothing is lost."""

import json
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from struct import pack
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings
from wagtail.documents.models import Document
from wagtail.images.models import Image
from wagtail.test.utils.form_data import nested_form_data, streamfield
from wagtail.users.models import UserProfile

from catalog.goods.tests.builders import make_product
from content.models import CarouselSlide, HomePage, InformationPage, SpecialArea
from content.richtext import check
from content.tests.builders import make_home, make_slide
from content.tests.staff import set_language
from content.tests.test_areas import area_form, slide_form

pytestmark = pytest.mark.django_db

ENGLISH, CHINESE = "en", "zh-hans"
Text = dict[str, str]


@pytest.fixture(params=[ENGLISH, CHINESE])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def editor(client: Client, language: str) -> Client:
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    set_language(client, language)
    return client


def add_url(model: Any) -> str:
    # Whatever test is the first: the screens are registered with the URLs.
    reverse("wagtailadmin_home")
    return reverse(model.snippet_viewset.get_url_name("add"))


# ── Pictures ──────────────────────────────────────────────────────────────────────────────────────────


def wide_png() -> bytes:
    """13,000 by 13,000 pixels of one colour, in some 20 KB."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))

    side = 13_000
    rows = zlib.compress(bytes(1 + side // 8) * side, 9)
    head = pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


NO_PICTURE = {ENGLISH: "Upload a valid image.", CHINESE: "请上传一张有效的图片。"}
PICTURES: dict[str, tuple[str, bytes, Text]] = {
    "an SVG": (
        "dish.jpg",
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        {ENGLISH: "Not a valid .jpeg picture.", CHINESE: "不是有效的 .jpeg 图片。"},
    ),
    "a page": ("dish.jpg", b"<!doctype html><script>alert(1)</script>", NO_PICTURE),
    "too many pixels": (
        "dish.png",
        wide_png(),
        {ENGLISH: "This file has too many pixels (169000000).", CHINESE: "图片像素过多（169000000）"},
    ),
}


def test_the_wide_picture_is_a_small_file() -> None:
    assert 15_000 < len(wide_png()) < 60_000


@pytest.mark.parametrize("case", PICTURES)
def test_a_file_that_is_no_product_picture_is_refused(editor: Client, case: str, language: str) -> None:
    name, data, texts = PICTURES[case]
    file = SimpleUploadedFile(name, data, content_type="image/jpeg")
    answer = editor.post(reverse("wagtailimages:add"), {"title": "My dish 一道菜", "file": file})
    assert answer.status_code == 200
    page = answer.content.decode()
    assert texts[language] in page
    assert 'value="My dish 一道菜"' in page
    assert not Image.objects.exists()


# ── Texts ─────────────────────────────────────────────────────────────────────────────────────────────


def draft(text: str, address: str | None = None) -> str:
    """What the editor's script sends for a text, all of it a link where `address` is given."""
    link = {"type": "LINK", "mutability": "MUTABLE", "data": {"url": address, "onclick": "alert(1)"}}
    ranges = [{"offset": 0, "length": len(text), "key": 0}] if address else []
    block = {
        "key": "a",
        "text": text,
        "type": "unstyled",
        "depth": 0,
        "inlineStyleRanges": [],
        "entityRanges": ranges,
    }
    return json.dumps({"blocks": [block], "entityMap": {"0": link} if address else {}})


CODE = {
    ENGLISH: "Code such as &lt;script&gt;, onclick= or javascript: does not belong in a text.",
    CHINESE: "正文中不能包含 &lt;script&gt;、onclick=、javascript: 等代码，请删除。",
}
NO_LINK = {ENGLISH: "A link has an address that is not allowed", CHINESE: "有一个链接指向不允许的地址"}
TEXTS: dict[str, tuple[str, Text]] = {
    "a script": (draft("Kept <script>alert(1)</script>"), CODE),
    "a handler": (draft('Kept <b onclick="alert(1)">me</b>'), CODE),
    "a script for an address": (draft("Kept", "javascript:alert(1)"), NO_LINK),
    "a script for an address, disguised": (draft("Kept", " JaVa\tScRiPt:alert(1)"), NO_LINK),
    "data for an address": (draft("Kept", "data:text/html,<script>alert(1)</script>"), NO_LINK),
    "what no editor's script sends": ('<p onclick="alert(1)">Kept</p><script>alert(2)</script>', CODE),
}


def page_form(**kw: Any) -> dict[str, Any]:
    form: dict[str, Any] = nested_form_data(
        {"title": "News 新闻", "slug": "news", "intro": "", "body": streamfield([]), "action-publish": "yes"}
        | kw
    )
    return form


def home_form(home: HomePage, **kw: Any) -> dict[str, Any]:
    return page_form(slug=home.slug, **kw)


@pytest.mark.parametrize("case", TEXTS)
@pytest.mark.parametrize("block", ["text", "question"])
def test_code_in_a_text_is_refused(editor: Client, case: str, block: str, language: str) -> None:
    sent, texts = TEXTS[case]
    home = make_home()
    value: Any = sent if block == "text" else {"question": "Why?", "answer": sent}
    url = reverse("wagtailadmin_pages:add", args=("content", "informationpage", home.pk))
    answer = editor.post(url, page_form(body=streamfield([(block, value)])))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert is_shown(page, texts[language])
    assert 'value="News 新闻"' in page
    assert "Kept" in page
    assert not InformationPage.objects.filter(slug="news").exists()


@pytest.mark.parametrize("case", TEXTS)
def test_code_in_a_text_of_the_home_page_is_refused(editor: Client, case: str, language: str) -> None:
    sent, texts = TEXTS[case]
    home = make_home()
    was = home.latest_revision_id
    url = reverse("wagtailadmin_pages:edit", args=[home.pk])
    page = editor.post(url, home_form(home, body=streamfield([("text", sent)]))).content.decode()
    assert is_shown(page, texts[language])
    assert "Kept" in page
    home.refresh_from_db()
    assert home.latest_revision_id == was


def is_shown(page: str, text: str) -> bool:
    """Whether a page has a text; errors of blocks are in it as JSON in an attribute."""
    plain = page.replace("\\u003C", "<").replace("\\u003E", ">").replace("&quot;", '"')
    escaped = json.dumps(text)[1:-1]
    forms = {text, escaped, text.replace("&lt;", "<").replace("&gt;", ">")}
    forms |= {json.dumps(form)[1:-1] for form in forms}
    return any(form in plain or form in page for form in forms)


@pytest.mark.parametrize(
    "address",
    ["https://example.org/?a=1&b=2", "mailto:a@example.org", "tel:+61855500000", "#top", "/shop?word=a"],
)
def test_a_link_may_link_to_the_shop_a_website_an_email_address_or_a_telephone(
    editor: Client, address: str
) -> None:
    home = make_home()
    url = reverse("wagtailadmin_pages:add", args=("content", "informationpage", home.pk))
    answer = editor.post(url, page_form(body=streamfield([("text", draft("Go", address))])))
    assert answer.status_code == 302
    shown = Client().get("/home/news").content.decode()
    assert f'<a href="{address.replace("&", "&amp;")}">Go</a>' in shown
    assert "onclick" not in shown


# ── Slides and areas ──────────────────────────────────────────────────────────────────────────────────


def test_an_area_without_products_is_refused(editor: Client, language: str) -> None:
    text = {
        ENGLISH: "Pick at least one product below, or choose a rule.",
        CHINESE: "请在下方至少选择一件商品，或选择一条规则。",
    }
    page = editor.post(add_url(SpecialArea), area_form()).content.decode()
    assert text[language] in page
    assert 'value="茶馆"' in page
    assert not SpecialArea.objects.exists()


ENDS_FIRST = {
    ENGLISH: "It must appear before it disappears",
    CHINESE: "上线时间必须早于下线时间",
}


def backwards() -> dict[str, str]:
    later = timezone.localtime() + timedelta(days=9)
    return {
        "go_live_at": later.strftime("%Y-%m-%d %H:%M"),
        "expire_at": (later - timedelta(days=3)).strftime("%Y-%m-%d %H:%M"),
    }


@pytest.mark.parametrize("model", [CarouselSlide, SpecialArea])
def test_an_end_before_its_start_is_refused(editor: Client, model: Any, language: str) -> None:
    times = backwards()
    form = slide_form(**times) if model is CarouselSlide else area_form(make_product().pk, **times)
    page = editor.post(add_url(model), form).content.decode()
    assert ENDS_FIRST[language] in page
    assert times["go_live_at"] in page
    assert 'value="茶' in page
    assert not model.objects.exists()


def test_an_end_before_the_start_of_a_page_is_refused(editor: Client, language: str) -> None:
    home = make_home()
    times = backwards()
    url = reverse("wagtailadmin_pages:add", args=("content", "informationpage", home.pk))
    page = editor.post(url, page_form(**times)).content.decode()
    assert ENDS_FIRST[language] in page
    assert times["expire_at"] in page
    assert 'value="News 新闻"' in page
    assert not InformationPage.objects.filter(slug="news").exists()


TAKEN = {
    ENGLISH: "Another slide already has this place in the carousel.",
    CHINESE: "该位置已有另一张轮播图。",
}


def test_two_slides_cannot_have_the_same_position(editor: Client, language: str) -> None:
    make_slide(sort=1)
    page = editor.post(add_url(CarouselSlide), slide_form()).content.decode()
    assert TAKEN[language] in page
    assert 'value="茶"' in page
    assert CarouselSlide.objects.count() == 1


def take_position_concurrently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another editor take position 1 as soon as a form has been checked."""
    validate: Callable[..., None] = CarouselSlide.validate_constraints

    def validate_too_early(self: CarouselSlide, *args: Any, **kw: Any) -> None:
        validate(self, *args, **kw)
        if not CarouselSlide.objects.filter(sort=1).exists():
            make_slide(sort=1, title_en="Quicker")

    monkeypatch.setattr(CarouselSlide, "validate_constraints", validate_too_early)


def test_of_two_editors_the_later_gets_a_message(
    editor: Client, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_position_concurrently(monkeypatch)
    answer = editor.post(add_url(CarouselSlide), slide_form())
    page = answer.content.decode()
    assert (answer.status_code, TAKEN[language] in page) == (200, True)
    assert 'value="茶"' in page
    assert [slide.title_en for slide in CarouselSlide.objects.all()] == ["Quicker"]


def test_of_two_editors_of_a_slide_the_later_gets_a_message(
    editor: Client, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slide = make_slide(sort=7, title_en="Before")
    take_position_concurrently(monkeypatch)
    url = reverse(CarouselSlide.snippet_viewset.get_url_name("edit"), args=[slide.pk])
    answer = editor.post(url, slide_form())
    page = answer.content.decode()
    assert (answer.status_code, TAKEN[language] in page) == (200, True)
    assert 'value="茶"' in page
    slide.refresh_from_db()
    assert (slide.sort, slide.title_en, slide.latest_revision) == (7, "Before", None)


def test_a_draft_whose_position_was_taken_is_published_after_the_others(editor: Client) -> None:
    slide = make_slide(sort=7, title_en="Before")
    slide.sort, slide.title_en = 1, "After"
    revision = slide.save_revision()
    make_slide(sort=1)
    make_slide(sort=9)
    revision.publish()
    slide.refresh_from_db()
    assert (slide.title_en, slide.sort, slide.live) == ("After", 10, True)


# ── What no form sends ────────────────────────────────────────────────────────────────────────────────

UNREADABLE = {ENGLISH: "This request could not be read", CHINESE: "无法读取此请求"}


@pytest.mark.parametrize("name", ["picture", "picked-0-product", "brand"])
def test_a_key_that_is_no_number_is_refused(editor: Client, name: str, language: str) -> None:
    answer = editor.post(add_url(SpecialArea), area_form(make_product().pk, **{name: "abc"}))
    assert answer.status_code == 400
    assert UNREADABLE[language] in answer.content.decode()
    assert not SpecialArea.objects.exists()


@pytest.mark.parametrize("broken", [{"body-count": "many"}, {"body-count": "9"}, {"body-0-order": "first"}])
def test_blocks_that_contradict_themselves_are_refused(
    editor: Client, broken: dict[str, str], language: str
) -> None:
    home = make_home()
    url = reverse("wagtailadmin_pages:add", args=("content", "informationpage", home.pk))
    answer = editor.post(url, page_form(body=streamfield([("text", draft("Kept"))])) | broken)
    assert answer.status_code == 400
    assert UNREADABLE[language] in answer.content.decode()
    assert not InformationPage.objects.filter(slug="news").exists()


HALF = draft("Kept \ud800")
LOOSE = draft("Kept", "/shop").replace('"0": {', '"7": {')
DEEP = "[" * 100_000


@pytest.mark.parametrize("sent", [HALF, LOOSE, DEEP])
def test_a_text_that_cannot_be_read_or_shown_is_refused(editor: Client, sent: str, language: str) -> None:
    home = make_home()
    url = reverse("wagtailadmin_pages:add", args=("content", "informationpage", home.pk))
    answer = editor.post(url, page_form(body=streamfield([("text", sent)])))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert 'value="News 新闻"' in page
    assert not InformationPage.objects.filter(slug="news").exists()


NO_YEAR = {
    ENGLISH: "Choose a time between the years 2000 and 2999",
    CHINESE: "请选择 2000 年至 2999 年之间的时间",
}


@pytest.mark.parametrize("model", [CarouselSlide, SpecialArea, InformationPage])
@pytest.mark.parametrize("times", [{"go_live_at": "0001-01-01 00:00"}, {"expire_at": "9999-12-31 23:59"}])
def test_an_impossible_time_is_refused(
    editor: Client, model: Any, times: dict[str, str], language: str
) -> None:
    if model is InformationPage:
        url = reverse("wagtailadmin_pages:add", args=("content", "informationpage", make_home().pk))
        form = page_form(**times)
    else:
        url = add_url(model)
        form = slide_form(**times) if model is CarouselSlide else area_form(make_product().pk, **times)
    page = editor.post(url, form).content.decode()
    assert NO_YEAR[language] in page
    assert next(iter(times.values())) in page
    assert not model.objects.exists()


SKIPPED = {
    ENGLISH: "The clock skips this time: choose another one.",
    CHINESE: "时钟会跳过这一时刻：请选择其他时间。",
}


@pytest.mark.parametrize("model", [CarouselSlide, InformationPage])
def test_a_time_that_the_clock_skips_is_refused_and_of_one_that_comes_twice_the_later_is_meant(
    editor: Client, model: Any, language: str, settings: Settings
) -> None:
    settings.TIME_ZONE = "Australia/Sydney"
    with time_machine.travel(datetime(2027, 1, 1, tzinfo=UTC)):
        editor.force_login(User.objects.get())
        if model is InformationPage:
            url = reverse("wagtailadmin_pages:add", args=("content", "informationpage", make_home().pk))
            form = page_form
        else:
            url, form = add_url(model), slide_form
        page = editor.post(url, form(go_live_at="2027-10-03 02:30")).content.decode()
        assert SKIPPED[language] in page
        assert "2027-10-03 02:30" in page
        assert not model.objects.exists()
        editor.post(url, form(go_live_at="2027-04-04 02:30", expire_at="2027-04-05 02:30"))
    row = model.objects.get()
    assert row.go_live_at == datetime(2027, 4, 3, 16, 30, tzinfo=UTC)
    assert row.expire_at == datetime(2027, 4, 4, 16, 30, tzinfo=UTC)


NO_PLACE = {ENGLISH: "Ensure this value is", CHINESE: "确保该值"}
NO_CAROUSEL = {ENGLISH: "Select a valid choice.", CHINESE: "选择一个有效的选项"}


@pytest.mark.parametrize("bad", [{"sort": "32767"}, {"sort": "-1"}, {"carousel": "0"}, {"carousel": "100"}])
def test_an_invalid_position_is_refused(editor: Client, bad: dict[str, str], language: str) -> None:
    page = editor.post(add_url(CarouselSlide), slide_form(**bad)).content.decode()
    assert (NO_PLACE if "sort" in bad else NO_CAROUSEL)[language] in page
    assert 'value="茶"' in page
    assert not CarouselSlide.objects.exists()


@pytest.mark.parametrize("name", ["evil.html", "evil.svg", "evil.js", "evil.xml", "evil"])
def test_a_document_that_a_browser_would_execute_is_refused(editor: Client, name: str) -> None:
    for url, field in (
        (reverse("wagtaildocs:add"), "file"),
        (reverse("wagtaildocs:add_multiple"), "files[]"),
    ):
        file = SimpleUploadedFile(name, b"<script>alert(1)</script>")
        editor.post(url, {"title": "Evil", field: file}, headers={"X-Requested-With": "XMLHttpRequest"})
    assert not Document.objects.exists()
    file = SimpleUploadedFile("price-list.pdf", b"%PDF-1.4")
    assert editor.post(reverse("wagtaildocs:add"), {"title": "List", "file": file}).status_code == 302
    assert Document.objects.exists()


NO_PICTURE = {
    ENGLISH: "The file you uploaded was either not an image or a corrupted image.",
    CHINESE: "您所上传的文件不是图片或者是已损坏的图片",
}


def test_staff_read_why_a_profile_picture_is_refused(editor: Client, language: str) -> None:
    picture = SimpleUploadedFile("face.png", b"no picture", "image/png")
    page = editor.post(reverse("wagtailadmin_account"), {"avatar-avatar": picture}).content.decode()
    assert NO_PICTURE[language] in page
    assert not UserProfile.objects.exclude(avatar="").exists()


def test_a_text_of_nothing_but_angle_brackets_is_checked_immediately() -> None:
    begun = time.thread_time()
    for text in ("&lt;" * 60_000, "&lt;" + " " * 60_000):
        check(f"<p>{text}</p>")
    assert time.thread_time() - begun < 5
