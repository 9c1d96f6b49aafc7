"""Pages in the form that tests compare."""

import re
from html import unescape
from html.parser import HTMLParser
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


class _Translated(HTMLParser):
    """Collects the texts that a translator of a browser may change."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"area", "br", "hr", "img", "input", "link", "meta", "source", "wbr"}:
            self._open.append((tag, dict(attrs).get("translate") == "no" or tag in {"script", "style"}))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(is_left for _, is_left in self._open):
            self.texts.append(data.strip())


def translated_texts(html: str) -> list[str]:
    """Return the texts of a page outside of elements with `translate="no"`."""
    page = _Translated()
    page.feed(html)
    return page.texts
