import time

import pytest
from django.db import connection, transaction
from pyroaring import BitMap

from catalog.search import index
from catalog.search.models import Posting
from catalog.search.tests.builders import make
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def test_concurrent_writes_of_the_same_terms_lose_nothing() -> None:
    entries = [make("Rice Noodles", "米粉", id=number, labels=frozenset({"all"})) for number in range(1, 17)]

    def write(number: int) -> None:
        index.write([entries[number]])

    assert concurrently(write, range(16)) == [None] * 16
    assert index.labelled("all") == BitMap(range(1, 17))
    assert index.difference("g", range(8192), entries) == {}


def test_concurrent_writes_of_terms_in_different_orders_do_not_deadlock() -> None:
    words = ["rice", "milk", "tea", "sauce", "米", "奶", "茶", "酱"]
    entries = [
        make(" ".join(words[number % 8 :] + words[: number % 8]), id=1 + number * 40_000)
        for number in range(24)
    ]

    def write(number: int) -> None:
        index.write(entries[number::12], [])

    assert concurrently(write, range(12)) == [None] * 12
    for entry in entries:
        assert entry.id in index.labelled("all")


def test_without_the_lock_postgresql_loses_writes() -> None:
    Posting.objects.create(term="glall", chunk=0, ids=BitMap().serialize())

    def write_without_lock(number: int) -> None:
        with transaction.atomic():
            posting = Posting.objects.get(term="glall")
            time.sleep(0.05)
            ids = BitMap.deserialize(bytes(posting.ids)) | BitMap([number])
            Posting.objects.filter(pk=posting.pk).update(ids=ids.serialize())

    concurrently(write_without_lock, range(6))
    # SQLite has one writer at a time, so it cannot show the race.
    assert (len(index.labelled("all")) < 6) is (connection.vendor == "postgresql")
