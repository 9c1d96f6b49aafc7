"""Invalid or malicious input of editors is refused in their language; nothing changes, nothing is lost."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

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
from wagtail.test.utils.form_data import streamfield
from wagtail.users.models import UserProfile

from catalog.goods.tests.builders import make_product
from content.models import CarouselSlide, HomePage, InformationPage, SpecialArea
from content.richtext import check
from content.tests.builders import make_home, make_slide
from content.tests.forms import area_form, page_form, slide_form, url_below, url_of
from content.tests.staff import in_each_language
from core.languages import CHINESE, ENGLISH
from core.tests.pictures import png_that_unfolds
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

Text = dict[str, str]


# ── Pictures ──────────────────────────────────────────────────────────────────────────────────────────


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
        png_that_unfolds(13_000),
        {ENGLISH: "This file has too many pixels (169000000).", CHINESE: "图片像素过多（169000000）"},
    ),
}


def test_the_wide_picture_is_a_small_file() -> None:
    assert 15_000 < len(png_that_unfolds(13_000)) < 60_000


def test_a_file_that_is_no_product_picture_is_refused(editor: Client, subtests: pytest.Subtests) -> None:
    for language in in_each_language(editor):
        for case, (name, data, texts) in PICTURES.items():
            with subtests.test(msg=case, language=language):
                file = SimpleUploadedFile(name, data, content_type="image/jpeg")
                form = {"title": "My dish 一道菜", "file": file}
                answer = editor.post(reverse("wagtailimages:add"), form)
                assert answer.status_code == 200
                page = answer.content.decode()
                assert texts[language] in page
                assert 'value="My dish 一道菜"' in page
                assert not Image.objects.exists()


# ── Forms ─────────────────────────────────────────────────────────────────────────────────────────────


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
HALF = draft("Kept \ud800")
LOOSE = draft("Kept", "/shop").replace('"0": {', '"7": {')
DEEP = "[" * 100_000
ANYTHING = {ENGLISH: "", CHINESE: ""}
NO_PRODUCT = {
    ENGLISH: "Pick at least one product below, or choose a rule.",
    CHINESE: "请在下方至少选择一件商品，或选择一条规则。",
}
ENDS_FIRST = {ENGLISH: "It must appear before it disappears", CHINESE: "上线时间必须早于下线时间"}
NO_YEAR = {
    ENGLISH: "Choose a time between the years 2000 and 2999",
    CHINESE: "请选择 2000 年至 2999 年之间的时间",
}
NO_PLACE = {ENGLISH: "Ensure this value is", CHINESE: "确保该值"}
NO_CAROUSEL = {ENGLISH: "Select a valid choice.", CHINESE: "选择一个有效的选项"}
UNREADABLE = {ENGLISH: "This request could not be read", CHINESE: "无法读取此请求"}


class BadForm(NamedTuple):
    """A form that is refused: what it sends, the text that is shown, and what is shown again."""

    url: str
    form: dict[str, Any]
    text: Text
    kept: tuple[str, ...]
    status: int = 200


def bad_texts(home: HomePage) -> Iterator[tuple[str, BadForm]]:
    """Yield forms of pages with a text that must not be published."""
    new = url_below(home)
    typed = 'value="News 新闻"'
    for case, (text, refusal) in TEXTS.items():
        for block, value in (("text", text), ("question", {"question": "Why?", "answer": text})):
            form = page_form(body=streamfield([(block, value)]))
            yield f"{case} in a {block}", BadForm(new, form, refusal, (typed, "Kept"))
        form = page_form(slug=home.slug, body=streamfield([("text", text)]))
        yield f"{case} on the home page", BadForm(url_of(home), form, refusal, ("Kept",))
    for case, text in {"half a character": HALF, "a loose link": LOOSE, "a deep text": DEEP}.items():
        yield case, BadForm(new, page_form(body=streamfield([("text", text)])), ANYTHING, (typed,))
    for broken in ({"body-count": "many"}, {"body-count": "9"}, {"body-0-order": "first"}):
        form = page_form(body=streamfield([("text", draft("Kept"))])) | broken
        yield f"blocks that contradict themselves: {broken}", BadForm(new, form, UNREADABLE, (), 400)


def bad_times(home: HomePage) -> Iterator[tuple[str, BadForm]]:
    """Yield forms of slides, areas and pages whose times are impossible."""
    product = make_product().pk
    later = timezone.localtime() + timedelta(days=9)
    backwards = {
        "go_live_at": later.strftime("%Y-%m-%d %H:%M"),
        "expire_at": (later - timedelta(days=3)).strftime("%Y-%m-%d %H:%M"),
    }
    all_times = (
        (backwards, ENDS_FIRST),
        ({"go_live_at": "0001-01-01 00:00"}, NO_YEAR),
        ({"expire_at": "9999-12-31 23:59"}, NO_YEAR),
    )
    for times, text in all_times:
        forms = {
            url_of(CarouselSlide): (slide_form(**times), 'value="茶"'),
            url_of(SpecialArea): (area_form(product, **times), 'value="茶馆"'),
            url_below(home): (page_form(**times), 'value="News 新闻"'),
        }
        for url, (form, typed) in forms.items():
            yield f"{times} of {url}", BadForm(url, form, text, (*times.values(), typed))


def bad_choices() -> Iterator[tuple[str, BadForm]]:
    """Yield forms of slides and areas that name what is not there."""
    product = make_product().pk
    area, slide = url_of(SpecialArea), url_of(CarouselSlide)
    yield "an area without products", BadForm(area, area_form(), NO_PRODUCT, ('value="茶馆"',))
    for name in ("picture", "picked-0-product", "brand"):
        form = area_form(product, **{name: "abc"})
        yield f"a key that is no number: {name}", BadForm(area, form, UNREADABLE, (), 400)
    for sort in ("32767", "-1"):
        form = slide_form(sort=sort)
        yield f"an invalid position: {sort}", BadForm(slide, form, NO_PLACE, ('value="茶"',))
    for carousel in ("0", "100"):
        form = slide_form(carousel=carousel)
        yield f"an invalid carousel: {carousel}", BadForm(slide, form, NO_CAROUSEL, ('value="茶"',))


def test_bad_forms_are_refused_and_what_was_typed_is_shown_again(
    editor: Client, subtests: pytest.Subtests
) -> None:
    home = make_home()
    forms = dict([*bad_texts(home), *bad_times(home), *bad_choices()])
    for language in in_each_language(editor):
        for case, bad in forms.items():
            with subtests.test(msg=case, language=language), rolled_back():
                answer = editor.post(bad.url, bad.form)
                assert answer.status_code == bad.status
                page = answer.content.decode()
                assert is_shown(page, bad.text[language])
                assert [text for text in bad.kept if text not in page] == []
                for model in (CarouselSlide, SpecialArea, InformationPage):
                    assert not model.objects.exists()
                stored = HomePage.objects.get(pk=home.pk)
                assert stored.latest_revision_id == home.latest_revision_id


def is_shown(page: str, text: str) -> bool:
    """Whether a page has a text; errors of blocks are in it as JSON in an attribute."""
    plain = page.replace("\\u003C", "<").replace("\\u003E", ">").replace("&quot;", '"')
    escaped = json.dumps(text)[1:-1]
    forms = {text, escaped, text.replace("&lt;", "<").replace("&gt;", ">")}
    forms |= {json.dumps(form)[1:-1] for form in forms}
    return any(form in plain or form in page for form in forms)


def test_a_link_may_link_to_the_shop_a_website_an_email_address_or_a_telephone(
    editor: Client, subtests: pytest.Subtests
) -> None:
    home = make_home()
    for address in (
        "https://example.org/?a=1&b=2",
        "mailto:a@example.org",
        "tel:+61855500000",
        "#top",
        "/shop?word=a",
    ):
        with subtests.test(msg=address), rolled_back():
            form = page_form(body=streamfield([("text", draft("Go", address))]))
            assert editor.post(url_below(home), form).status_code == 302
            shown = Client().get("/home/news").content.decode()
            assert f'<a href="{address.replace("&", "&amp;")}">Go</a>' in shown
            assert "onclick" not in shown


# ── Positions of slides ───────────────────────────────────────────────────────────────────────────────

TAKEN = {
    ENGLISH: "Another slide already has this place in the carousel.",
    CHINESE: "该位置已有另一张轮播图。",
}


def assert_position_taken(editor: Client, url: str, language: str) -> None:
    """Send the form of a slide at position 1, and assert that the form shows that another slide has it."""
    answer = editor.post(url, slide_form())
    page = answer.content.decode()
    assert (answer.status_code, TAKEN[language] in page) == (200, True)
    assert 'value="茶"' in page


def test_two_slides_cannot_have_the_same_position(editor: Client) -> None:
    make_slide(sort=1)
    for language in in_each_language(editor):
        assert_position_taken(editor, url_of(CarouselSlide), language)
        assert CarouselSlide.objects.count() == 1


def take_position_concurrently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another editor take position 1 as soon as a form has been checked."""
    validate: Callable[..., None] = CarouselSlide.validate_constraints

    def validate_too_early(self: CarouselSlide, *args: Any, **kw: Any) -> None:
        validate(self, *args, **kw)
        if not CarouselSlide.objects.filter(sort=1).exists():
            make_slide(sort=1, title_en="Quicker")

    monkeypatch.setattr(CarouselSlide, "validate_constraints", validate_too_early)


def test_of_two_editors_the_later_gets_a_message(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    take_position_concurrently(monkeypatch)
    for language in in_each_language(editor):
        with rolled_back():
            assert_position_taken(editor, url_of(CarouselSlide), language)
            assert [slide.title_en for slide in CarouselSlide.objects.all()] == ["Quicker"]


def test_of_two_editors_of_a_slide_the_later_gets_a_message(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    slide = make_slide(sort=7, title_en="Before")
    take_position_concurrently(monkeypatch)
    for language in in_each_language(editor):
        with rolled_back():
            assert_position_taken(editor, url_of(slide), language)
            slide.refresh_from_db()
            assert (slide.sort, slide.title_en, slide.latest_revision) == (7, "Before", None)


def test_a_draft_whose_position_was_taken_is_published_after_the_others() -> None:
    slide = make_slide(sort=7, title_en="Before")
    slide.sort, slide.title_en = 1, "After"
    revision = slide.save_revision()
    make_slide(sort=1)
    make_slide(sort=9)
    revision.publish()
    slide.refresh_from_db()
    assert (slide.title_en, slide.sort, slide.live) == ("After", 10, True)


# ── Times and files ───────────────────────────────────────────────────────────────────────────────────

SKIPPED = {
    ENGLISH: "The clock skips this time: choose another one.",
    CHINESE: "时钟会跳过这一时刻：请选择其他时间。",
}


def test_a_time_that_the_clock_skips_is_refused_and_of_one_that_comes_twice_the_later_is_meant(
    editor: Client, settings: Settings, subtests: pytest.Subtests
) -> None:
    settings.TIME_ZONE = "Australia/Sydney"
    forms: list[tuple[Any, str, Callable[..., dict[str, Any]]]] = [
        (CarouselSlide, url_of(CarouselSlide), slide_form),
        (InformationPage, url_below(make_home()), page_form),
    ]
    with time_machine.travel(datetime(2027, 1, 1, tzinfo=UTC)):
        editor.force_login(User.objects.get())
        for language in in_each_language(editor):
            for model, url, form in forms:
                with subtests.test(language=language, model=model), rolled_back():
                    page = editor.post(url, form(go_live_at="2027-10-03 02:30")).content.decode()
                    assert SKIPPED[language] in page
                    assert "2027-10-03 02:30" in page
                    assert not model.objects.exists()
                    editor.post(url, form(go_live_at="2027-04-04 02:30", expire_at="2027-04-05 02:30"))
                    row = model.objects.get()
                    assert row.go_live_at == datetime(2027, 4, 3, 16, 30, tzinfo=UTC)
                    assert row.expire_at == datetime(2027, 4, 4, 16, 30, tzinfo=UTC)


def test_a_document_that_a_browser_would_execute_is_refused(
    editor: Client, subtests: pytest.Subtests
) -> None:
    for name in ("evil.html", "evil.svg", "evil.js", "evil.xml", "evil"):
        with subtests.test(msg=name):
            for url, field in (
                (reverse("wagtaildocs:add"), "file"),
                (reverse("wagtaildocs:add_multiple"), "files[]"),
            ):
                file = SimpleUploadedFile(name, b"<script>alert(1)</script>")
                form = {"title": "Evil", field: file}
                editor.post(url, form, headers={"X-Requested-With": "XMLHttpRequest"})
            assert not Document.objects.exists()
    file = SimpleUploadedFile("price-list.pdf", b"%PDF-1.4")
    assert editor.post(reverse("wagtaildocs:add"), {"title": "List", "file": file}).status_code == 302
    assert Document.objects.exists()


NO_FACE = {
    ENGLISH: "The file you uploaded was either not an image or a corrupted image.",
    CHINESE: "您所上传的文件不是图片或者是已损坏的图片",
}


def test_staff_read_why_a_profile_picture_is_refused(editor: Client) -> None:
    for language in in_each_language(editor):
        picture = SimpleUploadedFile("face.png", b"no picture", "image/png")
        page = editor.post(reverse("wagtailadmin_account"), {"avatar-avatar": picture}).content.decode()
        assert NO_FACE[language] in page
        assert not UserProfile.objects.exclude(avatar="").exists()


def test_a_text_of_nothing_but_angle_brackets_is_checked_immediately() -> None:
    begun = time.thread_time()
    for text in ("&lt;" * 60_000, "&lt;" + " " * 60_000):
        check(f"<p>{text}</p>")
    assert time.thread_time() - begun < 5
