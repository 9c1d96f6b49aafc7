"""The links at the foot of all pages, which each process reads once in two seconds."""

import time
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from wagtail.models import Page

from content.models import InformationPage
from content.privacy import public_pages
from core.languages import CHINESE, ENGLISH, reader_language
from core.snapshots import SharedSnapshot

# After this share of the maximum age, one thread reads the links while others use the old ones.
_FRESH = 0.6


@dataclass(frozen=True)
class _Links:
    links: list[tuple[str, str]]
    read_at: float

    def is_younger(self, share: float) -> bool:
        return time.monotonic() - self.read_at < settings.SNAPSHOT_SECONDS * share


_shared: dict[str, SharedSnapshot[_Links]] = {code: SharedSnapshot() for code in (ENGLISH, CHINESE)}


def menu_links(request: HttpRequest | None) -> list[tuple[str, str]]:
    """Return title and URL of the public pages that are marked “Show in menus”.

    They are in the reader's language, and at most `SNAPSHOT_SECONDS` old; reading them takes three queries.
    """
    found = _shared[reader_language()].get(
        lambda _last: _read(request),
        is_fresh=lambda last: last.is_younger(_FRESH),
        is_usable=lambda last: last.is_younger(1),
    )
    return found.links


def invalidate() -> None:
    """Make the next call read the links again."""
    for shared in _shared.values():
        shared.invalidate()


def _read(request: HttpRequest | None) -> _Links:
    read_at = time.monotonic()
    # Read as plain pages, without the texts that only the pages themselves show.
    pages = public_pages(Page.objects.type(InformationPage))
    pages = pages.filter(show_in_menus=True, locale__language_code=reader_language())
    links = [(page.title, page.get_url(request)) for page in pages.order_by("path")]
    return _Links([(title, url) for title, url in links if url], read_at)
