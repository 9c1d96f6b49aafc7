"""Work that fails: for one row, as a row does that nobody has thought of, or because the database is busy."""

from collections.abc import Callable
from typing import Any, NoReturn

from core.database_errors import NoTurnError


def failing_for(bad: object, work: Callable[..., Any]) -> Callable[..., Any]:
    """Return `work` that raises RuntimeError where one of its arguments is `bad`, or a list that has it."""

    def run(*args: Any, **kwargs: Any) -> Any:
        if any(bad == each or (isinstance(each, list) and bad in each) for each in (*args, *kwargs.values())):
            raise RuntimeError
        return work(*args, **kwargs)

    return run


def refuse_as_busy(*_args: object, **_kwargs: object) -> NoReturn:
    """Stand in for work that has waited for the database in vain."""
    raise NoTurnError("others have written for too long")
