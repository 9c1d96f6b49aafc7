"""A page as a search engine or a messenger reads it."""

import json
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from core.tests.pages import html_of


class PageReader(HTMLParser):
    """The content of a page's head, the structured data in it, its breadcrumbs and its headings."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.lang = ""
        self.title = ""
        self.h1: list[str] = []
        self.meta: dict[str, str] = {}
        self.links: list[dict[str, str]] = []
        self.data: list[dict[str, Any]] = []
        # Text and URL of each breadcrumb; the page itself has no URL.
        self.crumbs: list[tuple[str, str]] = []
        self._within = ""
        self.feed(html)

    @property
    def canonical(self) -> str:
        """The canonical URL of the page."""
        [link] = [link for link in self.links if link.get("rel") == "canonical"]
        return link["href"]

    @property
    def alternates(self) -> dict[str, str]:
        """The URL of each language."""
        return {link["hreflang"]: link["href"] for link in self.links if link.get("rel") == "alternate"}

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """Return the structured data of a type."""
        found = [part for whole in self.data for part in whole.get("@graph", [whole])]
        return [part for part in found if part["@type"] == kind]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element's attributes, and where its text belongs."""
        given = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.lang = given["lang"]
        elif tag == "meta" and (name := given.get("name") or given.get("property")):
            assert name not in self.meta, f"{name} twice"
            self.meta[name] = given["content"]
        elif tag == "link":
            self.links.append(given)
        elif tag == "ol" and given.get("class") == "crumbs":
            self._within = "crumbs"
        elif tag == "li" and self._within == "crumbs":
            self.crumbs.append(("", ""))
        elif tag == "a" and self._within == "crumbs":
            self.crumbs[-1] = ("", given["href"])
        elif tag in ("title", "h1") and self._within == "":
            self._within = tag
            self.h1 += [""] if tag == "h1" else []
        elif tag == "script" and given.get("type") == "application/ld+json":
            self._within = "data"

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if tag == {"crumbs": "ol", "data": "script"}.get(self._within, self._within):
            self._within = ""

    def handle_data(self, data: str) -> None:
        """Record a text where it belongs."""
        if self._within == "title":
            self.title += data
        elif self._within == "h1":
            self.h1[-1] += data
        elif self._within == "crumbs" and self.crumbs:
            text, href = self.crumbs[-1]
            self.crumbs[-1] = (text + data, href)
        elif self._within == "data":
            self.data.append(json.loads(data))


def read_page(client: Client, path: str) -> PageReader:
    """Ask for a page that is there, and read it."""
    response = client.get(path)
    assert response.status_code == 200, path
    return PageReader(html_of(response))
