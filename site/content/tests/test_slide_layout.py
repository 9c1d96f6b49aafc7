"""A slide shows cut-outs on a plate or a full picture; pictures of an odd shape are not published."""

import re
from io import BytesIO
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from PIL import Image as Pillow
from PIL.ExifTags import Base
from wagtail.images.models import Image
from wagtail.test.utils.form_data import inline_formset, streamfield

from catalog.goods.tests.builders import make_product
from content.models import CarouselSlide, InformationPage, SpecialArea
from content.tests.builders import make_home, make_slide
from content.tests.forms import area_form, draft, page_form, picture_row, slide_form, url_below, url_of
from content.tests.staff import in_each_language
from core.pictures.banners import MAX_BYTES, banner_files
from core.pictures.shapes import odd_full
from core.tests.pages import html_of
from core.tests.screens import only_refusals

# Markup of pages, and files.
pytestmark = pytest.mark.django_db


def make_photograph(width: int = 1920, height: int = 1080, turned: int = 1, **focus: int) -> Image:
    """Make a picture that is red on the left half, blue on the right, and as restless as a photograph.

    `turned`: its orientation in EXIF.
    """
    exif = Pillow.Exif()
    exif[Base.Orientation] = turned
    halves = Pillow.new("RGB", (width, height), "red")
    halves.paste("blue", (width // 2, 0, width, height))
    grain = Pillow.effect_noise((max(width // 3, 1), max(height // 3, 1)), 60).resize((width, height))
    file = BytesIO()
    Pillow.blend(halves, grain.convert("RGB"), 0.3).save(file, "JPEG", exif=exif)
    return Image.objects.create(title="photo", file=ContentFile(file.getvalue(), "photo.jpg"), **focus)


def slide_with(picture: Image, **kw: Any) -> dict[str, Any]:
    return slide_form(pictures=inline_formset([picture_row(picture=str(picture.pk))]), **kw)


def test_a_full_picture_is_previewed_and_published_with_the_files_of_its_widths(editor: Client) -> None:
    picture = make_photograph()
    form = slide_with(picture, layout="full")
    assert editor.post(url_of(CarouselSlide), form).status_code == 302
    slide = CarouselSlide.objects.get()
    shown = url_of(slide, "preview_on_edit")
    assert editor.post(shown, form).json()["is_valid"]
    for mode, alt in (("en", "A cup of tea"), ("zh-hans", "一杯茶")):
        page = html_of(editor.get(shown, {"mode": mode}))
        assert "slide--full" in page
        assert "slide__art" not in page
        [full] = re.findall(r'<picture class="slide__full">.*?</picture>', page)
        assert f'alt="{alt}"' in full
        assert re.findall(r" (\d+)w", full) == ["480", "720", "640", "960"]


def test_the_api_has_the_same_square_of_a_slide_in_each_layout(client: Client) -> None:
    slide = make_slide()
    before = client.get("/api/v1/pc/home/carouse").json()
    CarouselSlide.objects.filter(pk=slide.pk).update(layout="full")
    assert client.get("/api/v1/pc/home/carouse").json() == before


def test_the_files_of_a_full_picture_are_small() -> None:
    picture = make_photograph()
    assert banner_files(picture)
    files = banner_files(Image.objects.prefetch_related("renditions").get())
    assert files
    by_url = {rendition.url: rendition.file.size for rendition in picture.renditions.all()}
    assert len(by_url) > 4
    sizes = [by_url[url] for url, _width in (*files.wide, *files.tall)]
    assert 0 < max(sizes) <= MAX_BYTES


def test_a_full_picture_keeps_its_focal_point_on_a_phone() -> None:
    focus = {"focal_point_y": 500, "focal_point_width": 50, "focal_point_height": 50}
    for x, is_red in ((100, True), (1800, False)):
        picture = make_photograph(focal_point_x=x, **focus)
        assert banner_files(picture)
        tall = picture.renditions.get(filter_spec="fill-480x544|format-webp|webpquality-60")
        red, _green, blue = Pillow.open(tall.file).convert("RGB").resize((1, 1)).getpixel((0, 0))  # type: ignore[misc]
        assert (red > blue) is is_red


def test_an_object_store_cuts_a_full_picture_around_its_focal_point(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = make_photograph(focal_point_x=1900, focal_point_y=0, focal_point_width=2, focal_point_height=2)
    monkeypatch.setattr("core.pictures.banners.store_pads", lambda: True)
    files = banner_files(picture)
    assert files
    assert "crop,x_967,y_0,w_953,h_1080/resize,w_480/quality,q_60/format,webp" in files.tall[0][0]


STRIP = {"en": "it would be a thin strip", "zh-hans": "会变成一条细线"}
NOT_FULL = {"en": "One that fills the slide needs at least 960 × 500", "zh-hans": "至少需要 960 × 500 像素"}


def test_a_slide_with_a_picture_of_an_odd_shape_is_a_draft_at_most(
    editor: Client, subtests: pytest.Subtests
) -> None:
    for layout, size, texts in (
        ("plate", (1200, 10), STRIP),
        ("full", (1200, 10), NOT_FULL),
        ("full", (800, 600), NOT_FULL),
        ("full", (1000, 1500), NOT_FULL),
    ):
        form = slide_with(make_photograph(*size), layout=layout)
        for language in in_each_language(editor):
            with subtests.test(layout=layout, size=size, language=language):
                with only_refusals():
                    assert texts[language] in html_of(editor.post(url_of(CarouselSlide), form))
                assert not CarouselSlide.objects.exists()
        assert editor.post(url_of(CarouselSlide), draft(form)).status_code == 302
        slide = CarouselSlide.objects.get()
        assert not slide.live
        slide.delete()
    assert 'value="茶"' in html_of(editor.post(url_of(CarouselSlide), form))


def test_a_picture_that_its_camera_has_turned_is_judged_as_it_is_shown() -> None:
    for size, suits in (((1920, 1080), False), ((1080, 1920), True)):
        picture = make_photograph(*size, turned=6)
        shown = picture.get_rendition("max-400x400")
        assert (shown.width > shown.height) is suits
        assert (odd_full(picture) == "") is suits


def test_an_area_with_a_strip_for_a_picture_is_not_published(editor: Client) -> None:
    form = area_form(make_product().pk, picture=str(make_photograph(1200, 10).pk))
    with only_refusals():
        assert STRIP["en"] in html_of(editor.post(url_of(SpecialArea), form))
    assert not SpecialArea.objects.exists()


def test_a_page_with_a_strip_for_a_picture_is_not_published(editor: Client) -> None:
    url = url_below(make_home())
    picture = {"image": str(make_photograph(1200, 10).pk), "alt_text": "A strip", "decorative": ""}
    form = page_form(body=streamfield([("picture", picture)]))
    answer = editor.post(url, form)
    assert answer.status_code == 200
    assert STRIP["en"] in answer.content.decode()
    assert not InformationPage.objects.filter(slug="news").exists()
    assert editor.post(url, draft(form)).status_code == 302


def test_the_first_picture_by_its_place_fills_the_slide(editor: Client) -> None:
    small, large = str(make_photograph(400, 300).pk), str(make_photograph().pk)
    rows = [picture_row(picture=small, ORDER="2"), picture_row(picture=large, ORDER="1")]
    answer = editor.post(url_of(CarouselSlide), slide_form(layout="full", pictures=inline_formset(rows)))
    assert answer.status_code == 302
    slide = CarouselSlide.objects.get()
    assert (slide.live, [str(row.picture_id) for row in slide.pictures.all()]) == (True, [large, small])
