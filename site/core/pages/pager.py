"""The numbered pages of a list as links."""

from collections.abc import Callable, Iterator
from functools import cached_property

from django.core.paginator import Paginator


class Pager:
    """Links to the pages of a list of `total` entries; `url` makes the URL of a page by its number."""

    def __init__(self, number: int, total: int, page_size: int, url: Callable[[int], str]) -> None:
        self.number = number
        self._url = url
        self._paginator = Paginator(range(total), page_size, allow_empty_first_page=False)

    @cached_property
    def pages(self) -> int:
        """How many pages there are."""
        return self._paginator.num_pages

    @property
    def previous(self) -> str:
        """The page before, empty on the first."""
        return self._url(self.number - 1) if 1 < self.number <= self.pages + 1 else ""

    @property
    def next(self) -> str:
        """The page after, empty on the last."""
        return self._url(self.number + 1) if self.number < self.pages else ""

    @property
    def last(self) -> str:
        """The last page, empty where there is none."""
        return self._url(self.pages) if self.pages else ""

    @property
    def links(self) -> Iterator[tuple[int, str]]:
        """Number and URL of the first, the last and the near pages; a gap has no URL."""
        near = min(self.number, self.pages)
        for number in self._paginator.get_elided_page_range(near, on_each_side=1, on_ends=1):
            yield (number, self._url(number)) if isinstance(number, int) else (0, "")
