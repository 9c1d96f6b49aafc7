import io

import pytest
from django.core.files.base import ContentFile
from PIL import Image as Pillow
from pytest_django import DjangoAssertNumQueries
from wagtail.images import get_image_model
from wagtail.images.models import AbstractImage

from core.pictures import CARD, PAGE, make_renditions, picture_url

pytestmark = pytest.mark.django_db


def make_image(side: int = 300) -> AbstractImage:
    data = io.BytesIO()
    Pillow.new("RGBA", (side, side), (0, 128, 0, 0)).save(data, "WEBP")
    image = get_image_model()(title="Leaf", file=ContentFile(data.getvalue(), name="leaf.webp"))
    image.save()
    return image


def test_no_picture_has_no_address() -> None:
    assert picture_url(None) is None


def test_a_picture_is_made_to_fit_and_keeps_its_transparency() -> None:
    image = make_image()
    assert picture_url(image, CARD) != picture_url(image, PAGE)
    small = image.renditions.get(filter_spec__startswith="max-256")
    assert (small.width, small.height) == (256, 256)
    with Pillow.open(small.file.path) as made:
        assert (made.format, made.mode) == ("WEBP", "RGBA")
    # Nothing is made larger than it is.
    assert image.renditions.get(filter_spec__startswith="max-640").width == 300


def test_prepared_pictures_take_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    make_renditions(make_image())
    image = get_image_model().objects.prefetch_related("renditions").get()
    with django_assert_num_queries(0):
        assert picture_url(image, CARD)
        assert picture_url(image, PAGE)


def test_a_lost_file_is_no_fault_of_the_page() -> None:
    image = make_image()
    image.file.storage.delete(image.file.name)
    assert picture_url(image) is None
