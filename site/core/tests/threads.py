"""Many at once, each with a database connection of its own."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

from core.errors import Err, ShopError

T = TypeVar("T")
R = TypeVar("R")


def at_once(work: Callable[[T], R], each: Iterable[T], *, threads: int = 32) -> list[R | Err]:
    """Run work on each item in threads; a refusal comes back as its catalogue row, any fault is raised."""

    def run(item: T) -> R | Err:
        try:
            return work(item)
        except ShopError as error:
            return error.err
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, each))
