"""Rich texts: validation of their content, and links in the reader's language."""

import re
from typing import Any
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from django.core.exceptions import ValidationError
from django.utils.html import escape
from django.utils.translation import gettext_lazy as _
from draftjs_exporter.error import ExporterException
from wagtail import blocks
from wagtail.rich_text import RichText

from core.languages import SHOP_PATH, localised

# The tags that Wagtail's editor writes for the allowed features.
_TAGS = {"p", "br", "hr", "h2", "h3", "b", "i", "a", "ul", "ol", "li"}
_ATTRIBUTES = {"href", "linktype", "id", "data-block-key"}
_SCHEMES = {"http", "https", "mailto", "tel"}
# Code that was typed or pasted as text. The search from each “<” ends at the next one; otherwise a text of
# many would take minutes.
_CODE = re.compile(
    r"<\s*(?:/\s*)?(script|style|iframe|object|embed|form)\b|<[^<>]*\son\w+\s*=|javascript:", re.I
)
# A lone surrogate, which neither a page nor the database can store.
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_LINK = re.compile(r'<a href="([^"]*)"')
# Paths of this host that have no language.
_NO_PAGES = ("/admin", "/api/", "/media/", "/static/", "/documents/")
CODE = _("Code such as <script>, onclick= or javascript: does not belong in a text. Remove it.")
NO_LINK = _(
    "A link has an address that is not allowed, so it was removed. Set it again: to a page of the "
    "shop, a web address, an email address or a phone number."
)


def is_allowed(address: str) -> bool:
    """Return True if a link is allowed: a path of this shop, a web address, an email or a phone number."""
    if address.startswith("#") or re.match(SHOP_PATH, address):
        return True
    try:
        return urlsplit(address).scheme.lower() in _SCHEMES
    except ValueError:
        return False


def check(html: str) -> None:
    """Refuse code and disallowed links; raises ValidationError."""
    soup = BeautifulSoup(html, "html.parser")
    tags = soup.find_all(True)
    if (
        any(tag.name not in _TAGS or not set(tag.attrs) <= _ATTRIBUTES for tag in tags)
        or _CODE.search(soup.get_text())
        or _HALF_CHARACTER.search(html)
        or any("javascript:" in str(tag.get("href", "")).lower() for tag in tags)
    ):
        raise ValidationError(CODE)
    links = (tag for tag in tags if tag.name == "a" and not tag.get("linktype"))
    if not all(is_allowed(str(link.get("href", ""))) for link in links):
        raise ValidationError(NO_LINK)


def in_readers_language(html: str) -> str:
    """Return a text with its links in the reader's language, without disallowed links.

    `html`: as stored. It refers to pages of the tree by id, which Wagtail resolves.
    """

    def lead(match: re.Match[str]) -> str:
        address = match[1]
        if re.match(SHOP_PATH, address) and not address.startswith(_NO_PAGES):
            return f'<a href="{localised(address)}"'
        return match[0] if is_allowed(address) else "<a"

    return _LINK.sub(lead, html)


class TextBlock(blocks.RichTextBlock):
    """A rich text of headings, paragraphs, lists and links."""

    def value_from_datadict(self, data: Any, files: Any, prefix: str) -> RichText:
        """Return the submitted text; values that the editor's script never sends are left to `clean`."""
        try:
            return super().value_from_datadict(data, files, prefix)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, ExporterException):
            return self.value_from_form(f"<pre>{escape(data.get(prefix, ''))}</pre>")

    def clean(self, value: Any) -> Any:
        """Return the text; raises ValidationError for code and disallowed links."""
        cleaned = super().clean(value)
        check(cleaned.source)
        return cleaned
