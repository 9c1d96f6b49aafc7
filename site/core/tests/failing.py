"""Work that fails: for one row, by an unexpected fault, or because the database is busy."""

import sqlite3
from collections.abc import Callable
from typing import Any, NoReturn

from django.db import OperationalError


def failing_for(bad: object, work: Callable[..., Any]) -> Callable[..., Any]:
    """Return `work` that raises RuntimeError where one of its arguments is `bad`, or a list that has it."""

    def run(*args: Any, **kwargs: Any) -> Any:
        if any(bad == each or (isinstance(each, list) and bad in each) for each in (*args, *kwargs.values())):
            raise RuntimeError
        return work(*args, **kwargs)

    return run


def refuse_as_busy(*_args: object, **_kwargs: object) -> NoReturn:
    """Raise the error of a statement that waited too long for other writers."""
    locked = sqlite3.OperationalError("database is locked")
    locked.sqlite_errorcode = sqlite3.SQLITE_BUSY
    raise OperationalError("database is locked") from locked
