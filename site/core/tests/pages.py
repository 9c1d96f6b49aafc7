"""Pages in the form that tests compare."""

import re
from html import unescape
from typing import Protocol

from django.test import Client


class Page(Protocol):
    """A page in an answer of the test client."""

    content: bytes


def html_of(response: Page) -> str:
    """Return a page's HTML without the line breaks and indentation that a browser does not show."""
    page = re.sub(r"(?<=>)\s*\n\s*|\s*\n\s*(?=[<>])", "", response.content.decode())
    return re.sub(r"\s*\n\s*", " ", page)


def shown(client: Client, path: str, status: int = 200) -> str:
    """Open a page; returns its HTML."""
    response = client.get(path)
    assert response.status_code == status, path
    return html_of(response)


def names_on_cards(html: str) -> list[str]:
    """Return the products that a page's cards show, in order."""
    return [unescape(name) for name in re.findall(r'card__name"><a href="[^"]+">([^<]+)', html)]
