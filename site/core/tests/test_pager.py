import pytest

from core.pages.pager import Pager


def pager(number: int, total: int) -> Pager:
    return Pager(number, total, 24, lambda page: f"/shop?page={page}")


def test_first_last_and_near_pages_are_links_and_gaps_are_not(subtests: pytest.Subtests) -> None:
    for number, shown in [
        (1, [1, 2, 0, 10]),
        (5, [1, 0, 4, 5, 6, 0, 10]),
        (10, [1, 0, 9, 10]),
        (99, [1, 0, 9, 10]),
    ]:
        with subtests.test(number=number, shown=shown):
            links = list(pager(number, 240).links)
            assert [page for page, _url in links] == shown
            assert all(url == (f"/shop?page={page}" if page else "") for page, url in links)


def test_the_first_page_has_no_previous_and_the_last_no_next() -> None:
    first, last, beyond, empty = pager(1, 25), pager(2, 25), pager(4, 25), pager(1, 0)
    assert (first.previous, first.next) == ("", "/shop?page=2")
    assert (last.previous, last.next) == ("/shop?page=1", "")
    assert (beyond.previous, beyond.next, beyond.last) == ("", "", "/shop?page=2")
    assert (empty.pages, empty.next, empty.last) == (0, "", "")
