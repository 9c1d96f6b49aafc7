"""Errors of a busy, unreachable or read-only database, or a full or read-only disk; the caller may retry.

See docs/wire.md#envelope.
"""

import errno
import sqlite3
import time

from django.db import Error, OperationalError

from core.errors import Err, ShopError

# Seconds after which a caller may retry; most waits are over by then.
RETRY_SECONDS = 3
# Seconds within which a lost connection is replaced; a request that has waited longer gets 429.
REPLACED_WITHIN = 2.5

# PostgreSQL: serialization_failure, deadlock_detected.
RETRYABLE = frozenset({"40001", "40P01"})
# PostgreSQL: feature_not_supported, for example for a plan that is older than a column's new type.
STALE_PLAN = "0A000"
# Errors that remain after the retry, then lock_not_available, query_canceled (by a timeout),
# idle_in_transaction_session_timeout, too_many_connections.
_BUSY = RETRYABLE | {"55P03", "57014", "25P03", "53300"}
# connection_exception, operator_intervention (the server stops or starts).
_ENDED = ("08", "57P")
# Also insufficient_resources (a full disk), read_only_sql_transaction (a standby, or a server that is
# switched to reading only), io_error.
_OUT_OF_REACH = (*_ENDED, "53", "25006", "58030")
# A refused connection has no SQLSTATE, only a text.
_TOO_MANY_CONNECTIONS = ("too many clients", "too many connections", "remaining connection slots")
_SQLITE_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_SQLITE_OUT_OF_REACH = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
)
# No space left, the user's quota is exceeded, or the disk only reads (also in `refuse_other_files`).
_NOT_WRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
# The low byte of SQLite's extended error codes.
PRIMARY_CODE = 0xFF


def sqlstate(error: BaseException) -> str:
    """Return PostgreSQL's SQLSTATE of a Django error; empty for other errors."""
    return getattr(error.__cause__, "sqlstate", None) or ""


def has_lost_connection(error: Error, *, since: float) -> bool:
    """Return True if PostgreSQL's connection was lost soon after `since` (seconds, monotonic clock)."""
    # Errors that the shop raises itself, without the database, have no cause.
    is_lost = sqlstate(error).startswith(_ENDED) or (error.__cause__ and _has_no_connection(error))
    # A server without free connections gets no request for another one.
    return bool(is_lost) and not _is_busy(error) and time.monotonic() - since < REPLACED_WITHIN


def refusal_of(error: BaseException | None) -> ShopError | None:
    """Return the refusal for a temporary error of database or disk; None for a fault."""
    if isinstance(error, OSError) and error.errno in _NOT_WRITABLE:
        return ShopError(Err.shop_unavailable, retry_after=RETRY_SECONDS)
    if not isinstance(error, Error):
        return None
    if _is_busy(error):
        return ShopError(Err.shop_busy, retry_after=RETRY_SECONDS)
    if _is_out_of_reach(error):
        return ShopError(Err.shop_unavailable, retry_after=RETRY_SECONDS)
    return None


def _is_busy(error: Error) -> bool:
    return (
        sqlstate(error) in _BUSY
        or _sqlite_code(error) in _SQLITE_BUSY
        or (_has_no_connection(error) and any(text in str(error) for text in _TOO_MANY_CONNECTIONS))
    )


def _is_out_of_reach(error: Error) -> bool:
    return (
        sqlstate(error).startswith(_OUT_OF_REACH)
        or _sqlite_code(error) in _SQLITE_OUT_OF_REACH
        or _has_no_connection(error)
    )


def _has_no_connection(error: Error) -> bool:
    """Return True if no statement was executed; other errors have a SQLSTATE or a code of SQLite."""
    return isinstance(error, OperationalError) and not sqlstate(error) and _sqlite_code(error) is None


def _sqlite_code(error: BaseException) -> int | None:
    code: int | None = getattr(error.__cause__, "sqlite_errorcode", None)
    return None if code is None else code & PRIMARY_CODE
