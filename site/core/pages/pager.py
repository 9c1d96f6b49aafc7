"""The numbered pages of a list as links."""

from collections.abc import Callable, Iterator
from functools import cached_property

from django.core.paginator import Paginator


class Pager:
    """Links to the pages of a list of `total` entries; `url` returns the URL of a page number."""

    def __init__(self, number: int, total: int, page_size: int, url: Callable[[int], str]) -> None:
        self.number = number
        self._url = url
        self._paginator = Paginator(range(total), page_size, allow_empty_first_page=False)

    @cached_property
    def pages(self) -> int:
        """The number of pages."""
        return self._paginator.num_pages

    @property
    def previous(self) -> str:
        """The URL of the previous page; empty on the first."""
        return self._url(self.number - 1) if 1 < self.number <= self.pages + 1 else ""

    @property
    def next(self) -> str:
        """The URL of the next page; empty on the last."""
        return self._url(self.number + 1) if self.number < self.pages else ""

    @property
    def last(self) -> str:
        """The URL of the last page; empty if there are no pages."""
        return self._url(self.pages) if self.pages else ""

    @property
    def links(self) -> Iterator[tuple[int, str]]:
        """Number and URL of the first page, the last page and nearby pages; a gap is 0 without a URL."""
        near = min(self.number, self.pages)
        for number in self._paginator.get_elided_page_range(near, on_each_side=1, on_ends=1):
            yield (number, self._url(number)) if isinstance(number, int) else (0, "")
