import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.search import unfound
from catalog.search.models import Unfound
from catalog.search.tasks import tell_unfound

pytestmark = pytest.mark.django_db


def counted() -> dict[str, int]:
    return dict(Unfound.objects.values_list("word", "count"))


def test_a_search_is_counted_however_it_is_written() -> None:
    for word in ("Durian  Cake", "durian cake", "榴槤蛋糕", "榴莲蛋糕"):
        tell_unfound(word)
        cache.clear()
    assert counted() == {"durian cake": 2, "榴梿蛋糕": 1, "榴莲蛋糕": 1}


def test_the_same_search_soon_after_writes_nothing() -> None:
    tell_unfound("durian cake")
    with CaptureQueriesContext(connection) as queries:
        tell_unfound("durian cake")
    assert len(queries) == 0
    assert counted() == {"durian cake": 1}


@pytest.mark.parametrize(
    "word",
    [
        "a@example.com",
        "0412 345 678",
        "+61 (412) 345-678",
        "１３８００１３８０００",
        "https://x.au",
        "x" * 200,
        "😀",
        "",
    ],
)
def test_nothing_is_kept_of_who_somebody_is_nor_of_what_is_no_name(word: str) -> None:
    tell_unfound(word)
    assert counted() == {}


def test_the_rarest_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfound, "MAX_ROWS", 3)
    for number in range(6):
        Unfound.objects.create(word=f"w{number}", count=number + 1)
    unfound.make_room()
    assert counted() == {"w3": 4, "w4": 5, "w5": 6}
