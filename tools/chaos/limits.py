"""A shop whose rate limits are never reached, so that what lies behind them is."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

from tools.chaos.shops import Shop

SECONDS_BETWEEN = 0.1
_FORGET = "UPDATE rate_limits_ratelimitcounter SET count = 0, locked_until = NULL WHERE count > 0"
# A proxy's header gives the client's address, so that each request may come from another network.
SETTINGS = {"TRUSTED_PROXIES": "1", "CODES_PER_DAY": "1000000"}


@contextmanager
def without_limits(shop: Shop) -> Iterator[None]:
    """Forget what the shop has counted, ten times a second, while the block runs."""
    is_over = threading.Event()
    forgetter = threading.Thread(target=_forget, args=(shop, is_over))
    forgetter.start()
    try:
        yield
    finally:
        is_over.set()
        forgetter.join()


def address(number: int) -> str:
    """Return one of many addresses of clients."""
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


def _forget(shop: Shop, is_over: threading.Event) -> None:
    while not is_over.wait(SECONDS_BETWEEN):
        with suppress(psycopg.OperationalError, sqlite3.OperationalError):
            shop.engine.write(shop.folder, _FORGET)
