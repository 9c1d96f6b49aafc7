"""Pages in the form that tests compare."""

import re
from typing import Protocol


class Page(Protocol):
    """A page in an answer of the test client."""

    content: bytes


def html_of(response: Page) -> str:
    """Return a page's HTML without the line breaks and indentation that a browser does not show."""
    page = re.sub(r"(?<=>)\s*\n\s*|\s*\n\s*(?=[<>])", "", response.content.decode())
    return re.sub(r"\s*\n\s*", " ", page)
