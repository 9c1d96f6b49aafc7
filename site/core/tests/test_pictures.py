import io
import re

import pytest
from django.conf import LazySettings
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from PIL import Image as Pillow
from pytest_django import DjangoAssertNumQueries
from wagtail.images import get_image_model
from wagtail.images.exceptions import InvalidFilterSpecError
from wagtail.images.models import AbstractImage, Filter
from wagtail.models import Collection

from core.pictures import renditions
from core.pictures.renditions import (
    AVIF,
    CARD,
    PAGE,
    WEBP,
    files_of_pictures,
    make_renditions,
    picture_files,
    picture_set,
    picture_url,
    unfinished,
)
from core.tasks import finish_pictures
from core.tests.hostile_pictures import picture, png_of

pytestmark = pytest.mark.django_db
# Fewer than a header declares.
NO_PIXELS = b"\0" * 20_000
STORE = "https://shop.oss-ap-southeast-2.aliyuncs.com/"


@pytest.fixture(autouse=True)
def _fresh_addresses() -> None:
    renditions._url.cache_clear()


def make_image(
    width: int = 300, height: int | None = None, mode: str = "RGBA", format: str = "WEBP"
) -> AbstractImage:
    data = io.BytesIO()
    color = (0, 128, 0, 0) if mode == "RGBA" else (0, 128, 0) if mode == "RGB" else 0
    Pillow.new(mode, (width, height or width), color).save(data, format)
    name = f"leaf.{format.lower()}"
    image = get_image_model()(title="Leaf", file=ContentFile(data.getvalue(), name=name))
    image.save()
    return image


def again(image: AbstractImage) -> AbstractImage:
    return get_image_model().objects.prefetch_related("renditions").get(pk=image.pk)


def rendered(image: AbstractImage | None, **options: object) -> str:
    arguments = " ".join(f"{name}={value!r}" for name, value in options.items())
    text = "{% load pictures %}{% responsive_picture image '大 蒜' " + arguments + " %}"
    return Template(text).render(Context({"image": image}))


def test_without_a_picture_there_is_no_url() -> None:
    assert picture_url(None) is None


def test_a_picture_is_made_to_fit_and_keeps_its_transparency() -> None:
    image = make_image()
    assert picture_url(image, CARD) != picture_url(image, PAGE)
    small = image.renditions.get(filter_spec__startswith="pad-256")
    assert (small.width, small.height) == (256, 256)
    with Pillow.open(small.file.path) as made:
        assert (made.format, made.mode) == ("WEBP", "RGBA")
    # Nothing is made larger than it is.
    assert image.renditions.get(filter_spec__startswith="pad-640").width == 300


def test_a_picture_that_is_not_square_is_padded_with_white(subtests: pytest.Subtests) -> None:
    for width, height in [(400, 100), (100, 400), (30, 90), (1, 500)]:
        with subtests.test(width=width, height=height):
            image = make_image(width, height, "RGB", "PNG")
            picture_url(image)
            made = image.renditions.get()
            side = min(max(width, height), CARD)
            assert (made.width, made.height) == (side, side)
            with Pillow.open(made.file.path) as opened:
                picture = opened.convert("RGB")
            assert picture.getpixel((0, 0)) == (255, 255, 255)
            red, green, blue = picture.getpixel((side // 2, side // 2))  # type: ignore[misc]
            assert min(red, blue) < 200 or width == 1
            assert green >= 120


def test_a_picture_of_any_colour_mode_is_padded() -> None:
    for mode in ("P", "L", "LA", "1", "I;16"):
        image = make_image(300, 200, mode, "PNG")
        assert picture_url(image), mode
        assert image.renditions.get().width == CARD, mode


def test_a_square_of_a_hundred_is_the_default() -> None:
    made = make_image(400, 200, "RGB", "PNG").get_rendition("pad")
    assert (made.width, made.height) == (100, 100)


def test_only_squares_can_be_requested() -> None:
    for spec in ("pad-0x0", "pad-16385x16385", "pad-100x90", "pad-100", "pad-axa", "pad--5x-5"):
        with pytest.raises(InvalidFilterSpecError):
            _ = Filter(spec).operations


def test_prepared_pictures_take_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    image = make_image()
    make_renditions(image, WEBP)
    make_renditions(image, AVIF)
    image = again(image)
    with django_assert_num_queries(0):
        assert picture_url(image, CARD)
        assert picture_url(image, PAGE)
        assert "image/avif" in rendered(image)


def test_many_pictures_are_read_with_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    images = [make_image(width) for width in (100, 300, 700)]
    for image in images:
        make_renditions(image, WEBP)
    make_renditions(images[0], AVIF)
    with django_assert_num_queries(1):
        found = files_of_pictures([None, *(image.pk for image in images)])
    assert found == {image.pk: picture_files(again(image)) for image in images}
    with django_assert_num_queries(0):
        assert files_of_pictures([None]) == {}


def test_a_picture_among_many_is_made_where_it_is_needed_and_left_out_where_its_file_is_lost() -> None:
    late, lost = make_image(), make_image()
    lost.file.storage.delete(lost.file.name)
    found = files_of_pictures([late.pk, lost.pk])
    assert found == {late.pk: picture_files(again(late))}
    assert rendered(found[late.pk]) == rendered(again(late))


def test_a_missing_file_does_not_break_the_page() -> None:
    image = make_image()
    image.file.storage.delete(image.file.name)
    assert picture_url(image) is None
    assert "tile__mark" in rendered(image)


def test_a_damaged_file_does_not_break_the_page() -> None:
    image = make_image()
    with image.file.storage.open(image.file.name, "wb") as file:
        file.write(b"no picture")
    assert picture_url(again(image)) is None


def test_only_existing_pictures_are_printed() -> None:
    image = make_image(900)
    assert picture_set(again(image), AVIF) == []
    assert "avif" not in rendered(image)
    make_renditions(image, WEBP)
    make_renditions(image, AVIF)
    image = again(image)
    assert [width for _, width in picture_set(image, AVIF)] == [256, 384, 640]
    text = rendered(image)
    assert re.search(r'<source type="image/avif" srcset="\S+\.avif 256w, \S+ 384w, \S+ 640w" sizes="', text)
    assert re.search(r'<img src="\S+256\S+\.webp" srcset="\S+\.webp 256w, ', text)
    assert 'alt="" width="256" height="256" loading="lazy" decoding="async"' in text


def test_a_small_picture_is_offered_in_one_size() -> None:
    image = make_image(200)
    make_renditions(image, WEBP)
    assert "srcset" not in rendered(again(image))


def test_the_first_picture_on_screen_is_fetched_first() -> None:
    image = make_image()
    assert 'fetchpriority="high"' in rendered(image, first=True)
    eager = rendered(image, eager=True)
    assert "fetchpriority" not in eager
    assert "lazy" not in eager
    assert 'width="640" height="640"' in rendered(image, place="page")


def test_without_a_picture_the_name_is_shown() -> None:
    assert rendered(None) == '<span class="tile__mark" aria-hidden="true">大</span>'


def test_the_task_makes_the_sizes_that_pages_do_not_wait_for() -> None:
    image = make_image(900)
    finish_pictures.call_local()
    made = set(image.renditions.values_list("filter_spec", flat=True))
    assert made == {
        f"pad-{side}x{side}|format-{name}" for side in (256, 384, 640) for name in ("webp", "avif")
    }
    assert not unfinished(AVIF).exists()
    finish_pictures.call_local()
    assert image.renditions.count() == 6


def test_a_picture_that_cannot_be_read_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    spoilt, product = make_image(), make_image()
    with spoilt.file.storage.open(spoilt.file.name, "wb") as file:
        file.write(b"no picture")
    finish_pictures.call_local()
    finish_pictures.call_local()
    # Once for each format; then it waits.
    assert caplog.text.count(f"row {spoilt.pk} failed") == 2
    assert product.renditions.count() == 6


def test_the_task_stops_at_its_time_limit(settings: LazySettings) -> None:
    settings.PICTURE_SECONDS = 0
    make_image()
    finish_pictures.call_local()
    assert unfinished(WEBP).exists()


def test_the_object_store_pads_pictures_itself(
    settings: LazySettings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    image = make_image()
    settings.MEDIA_URL = STORE
    asked = "?x-oss-process=image/resize,m_pad,w_256,h_256,color_FFFFFF"
    with django_assert_num_queries(0):
        assert picture_url(image) == f"{STORE}{image.file.name}{asked}"
        assert picture_url(image, 16384) == f"{STORE}{image.file.name}{asked.replace('256', '16384')}"
        text = rendered(image)
    assert "avif" not in text
    assert "w_384,h_384,color_FFFFFF 384w" in text
    finish_pictures.call_local()
    assert not image.renditions.exists()


def test_only_the_object_stores_own_host_is_recognised(settings: LazySettings) -> None:
    image = make_image()
    for url in ("https://aliyuncs.com.example.com/", "https://cdn.example.com/a.aliyuncs.com/"):
        renditions._url.cache_clear()
        settings.MEDIA_URL = url
        assert "x-oss-process" not in str(picture_url(image)), url


def test_editors_cannot_upload_an_unusable_picture(staff: Client, subtests: pytest.Subtests) -> None:
    collection = Collection.get_first_root_node()
    for name, data, reason in [
        ("a.png", png_of(13_000, 13_000, NO_PIXELS), "too many pixels"),
        ("a.png", png_of(60_000, 60_000, NO_PIXELS), "too many pixels"),
        ("a.webp", picture("WEBP", (4_000, 2_501), "L", lossless=True), "too many pixels"),
        ("a.png", png_of(400, 300, NO_PIXELS), "valid image"),
        ("a.png", png_of(400, 300, NO_PIXELS)[:40], "valid image"),
        ("a.jpg", picture("JPEG")[:300], "valid image"),
        ("a.jpg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "valid"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "valid"),
        ("a.jpg", b"<!doctype html><script>alert(1)</script>", "valid"),
        ("a.jpg", picture("PNG"), "extension does not match"),
        ("a.gif", picture("GIF"), "This kind of picture is not supported"),
        ("a.jpg", picture("JPEG") + b"\0" * 5 * 1024 * 1024, "too big"),
    ]:
        with subtests.test(name=name, data=data, reason=reason):
            sent = {"title": "A", "collection": collection.pk, "file": SimpleUploadedFile(name, data)}
            page = staff.post(reverse("wagtailimages:add"), sent)
            assert page.status_code == 200
            reasons = re.findall(
                r"error-message[^>]*>\s*(.*?)\s*</p>|errorlist[^>]*>(.*?)</ul>", page.content.decode(), re.S
            )
            assert reason in str(reasons), reasons
            assert not get_image_model().objects.exists()


def test_editors_upload_pictures(staff: Client) -> None:
    for format in ("JPEG", "PNG", "WEBP", "AVIF"):
        file = SimpleUploadedFile(f"a.{format.lower()}", picture(format))
        sent = {"title": format, "collection": Collection.get_first_root_node().pk, "file": file}
        assert staff.post(reverse("wagtailimages:add"), sent).status_code == 302, format
    finish_pictures.call_local()
    for image in get_image_model().objects.all():
        assert image.renditions.filter(filter_spec__contains="avif").exists(), image.title
    assert get_image_model().objects.count() == 4
