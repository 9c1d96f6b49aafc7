"""The links at the foot of every page, which a process reads once for two seconds."""

import time
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from wagtail.models import Page

from content.models import InformationPage
from core.languages import CHINESE, ENGLISH, reader_language
from core.snapshots import SharedSnapshot

# From this share of the maximum age on, one thread reads them while the others use the old ones.
_FRESH = 0.6


@dataclass(frozen=True)
class _Links:
    links: list[tuple[str, str]]
    read_at: float

    def is_younger(self, share: float) -> bool:
        return time.monotonic() - self.read_at < settings.SNAPSHOT_SECONDS * share


_shared: dict[str, SharedSnapshot[_Links]] = {code: SharedSnapshot() for code in (ENGLISH, CHINESE)}


def menu_links(request: HttpRequest | None) -> list[tuple[str, str]]:
    """Return the title and URL of pages marked “Show in menus” that anyone may read.

    They are in the reader's language, and at most `SNAPSHOT_SECONDS` old; three queries when they are read.
    """
    found = _shared[reader_language()].get(
        lambda _last: _read(request),
        is_fresh=lambda last: last.is_younger(_FRESH),
        is_usable=lambda last: last.is_younger(1),
    )
    return found.links


def invalidate() -> None:
    """Read the links again at the next call."""
    for shared in _shared.values():
        shared.invalidate()


def _read(request: HttpRequest | None) -> _Links:
    read_at = time.monotonic()
    # As plain pages, without the texts that only their own page shows.
    pages = Page.objects.type(InformationPage).live().public()
    pages = pages.filter(show_in_menus=True, locale__language_code=reader_language())
    links = [(page.title, page.get_url(request)) for page in pages.order_by("path")]
    return _Links([(title, url) for title, url in links if url], read_at)
