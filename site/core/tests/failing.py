"""Work that fails for one row, as a row does that nobody has thought of."""

from collections.abc import Callable
from typing import Any


def failing_for(bad: object, work: Callable[..., Any]) -> Callable[..., Any]:
    """Return `work` that raises RuntimeError where one of its arguments is `bad`."""

    def run(*args: Any, **kwargs: Any) -> Any:
        if bad in (*args, *kwargs.values()):
            raise RuntimeError
        return work(*args, **kwargs)

    return run
