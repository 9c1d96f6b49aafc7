import pytest
from django.core.cache import cache
from django.test import TestCase
from pytest_django import DjangoAssertNumQueries

from catalog.search import failed_searches, tasks
from catalog.search.models import FailedSearch

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def counted() -> dict[str, int]:
    return dict(FailedSearch.objects.values_list("word", "count"))


def search_in_vain(word: str) -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        tasks.count_failed_search(word)


def test_spellings_of_one_search_are_counted_together() -> None:
    for word in ("Durian  Cake", "durian cake", "榴槤蛋糕", "榴莲蛋糕"):
        search_in_vain(word)
        cache.clear()
    assert counted() == {"durian cake": 2, "榴梿蛋糕": 1, "榴莲蛋糕": 1}


def test_the_same_search_soon_after_writes_nothing(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    search_in_vain("durian cake")
    with django_assert_num_queries(0):
        search_in_vain("durian cake")
    assert counted() == {"durian cake": 1}


def test_of_many_different_searches_a_process_counts_some_each_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "MAX_COUNTED", 2)
    for word in ("durian", "durian", "lychee", "longan", "rambutan"):
        search_in_vain(word)
    assert counted() == {"durian": 1, "lychee": 1}
    cache.clear()
    search_in_vain("longan")
    assert counted() == {"durian": 1, "lychee": 1, "longan": 1}


def test_neither_personal_data_nor_words_that_name_nothing_are_stored(subtests: pytest.Subtests) -> None:
    for word in [
        "a@example.com",
        "0412 345 678",
        "+61 (412) 345-678",
        "１３８００１３８０００",
        "https://x.au",
        "x" * 200,
        "😀",
        "",
    ]:
        with subtests.test(word=word):
            search_in_vain(word)
            assert counted() == {}


def test_the_rarest_searches_are_deleted_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failed_searches, "MAX_ROWS", 3)
    for number in range(6):
        FailedSearch.objects.create(word=f"w{number}", count=number + 1)
    failed_searches.count_request("w0")
    failed_searches.drop_rarest()
    # One that customers asked for stays.
    assert counted() == {"w0": 1, "w4": 5, "w5": 6}
