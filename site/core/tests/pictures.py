"""Pictures for tests of any app."""

import io

from PIL import Image


def picture(colour: str = "green", format: str = "WEBP") -> bytes:
    """Make a small picture."""
    data = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(data, format)
    return data.getvalue()
