"""Pictures for tests of any app."""

import io

from PIL import Image
from wagtail.images import models
from wagtail.images.tests.utils import get_test_image_file


def make_picture(title: str = "dish", description: str = "") -> models.Image:
    """Make a picture of the library."""
    file = get_test_image_file()
    made: models.Image = models.Image.objects.create(title=title, description=description, file=file)
    return made


def picture(colour: str = "green", format: str = "WEBP") -> bytes:
    """Make the file of a small picture."""
    data = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(data, format)
    return data.getvalue()
