"""What a process keeps in its memory is bounded."""

from concurrent.futures import ThreadPoolExecutor

from core.recent import Recent


def test_the_least_recently_used_is_dropped_first() -> None:
    kept: Recent[str, str] = Recent(2, 100)
    kept.put("a", "1", 1)
    kept.put("b", "2", 1)
    assert kept.get("a") == "1"
    kept.put("c", "3", 1)
    assert [kept.get(key) for key in "abc"] == ["1", None, "3"]


def test_the_total_size_is_bounded_and_a_value_that_is_too_large_is_not_kept() -> None:
    kept: Recent[int, str] = Recent(1_000, 100)
    for number in range(50):
        kept.put(number, "x", 30)
        assert kept.bytes <= 100
    assert len(kept) == 3
    kept.put(99, "large", 101)
    assert (kept.get(99), len(kept), kept.bytes) == (None, 0, 0)


def test_a_value_in_place_of_an_older_one_counts_once() -> None:
    kept: Recent[str, str] = Recent(10, 100)
    kept.put("a", "1", 40)
    kept.put("a", "2", 50)
    assert (kept.get("a"), len(kept), kept.bytes) == ("2", 1, 50)


def test_many_threads_keep_no_more_than_one_may() -> None:
    kept: Recent[int, int] = Recent(20, 200)

    def use(start: int) -> None:
        for number in range(start, start + 500):
            kept.put(number % 50, number, 7)
            kept.get(number % 13)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(use, range(4)))
    assert kept.bytes == 7 * len(kept) <= 7 * 20
