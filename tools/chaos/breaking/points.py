"""The points at which a scenario may break a process, by name.

A scenario arms a point with a file of that name in the folder `break` of the data folder. The first process
that reaches it renames the file, so that no other does, and ends itself by SIGKILL. If the file asks for it,
it waits until the scenario has ended something else and has removed the file.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from threading import local
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

MYSELF, OTHERS = "myself", "others"
REACHED = ".reached"
# What is watched: a transaction's commit, or a call of something outside the shop.
COMMITS = {
    "order": "commerce.orders.services.place.place_order",
    "wallet": "commerce.payments.services.wallet.pay_from_wallet",
    "part": "commerce.payments.services.wallet.hold_from_wallet",
    "settling": "commerce.payments.services.settle.settle",
    "refunded": "commerce.payments.services.refunds.settle_refund",
    "expiry": "commerce.orders.services.cancel.expire_orders",
}
CALLS = {
    "start": "commerce.payments.providers.sandbox.provider.SandboxProvider.start",
    "refund": "commerce.payments.providers.sandbox.provider.SandboxProvider.refund",
    "message": "commerce.messaging.services._send",
}
NAMES = [f"{when} {name}" for name in [*COMMITS, *CALLS] for when in ("before", "after")]
MAX_WAIT_SECONDS = 30

# The name of the transaction that this thread is in.
_thread = local()


def folder_of(data_folder: Path) -> Path:
    """Return the folder of the files that arm points."""
    return data_folder / "break"


def watch() -> None:
    """Replace each watched function, in every module that has it already, by one that knows its points."""
    for name, path in COMMITS.items():
        _replace(path, partial(_named, name))
    for name, path in CALLS.items():
        _replace(path, partial(_between_points, name))
    # Django's stubs leave it out.
    wrapper: Any = BaseDatabaseWrapper
    wrapper._commit = _commit_between_points(wrapper._commit)


def reach(point: str) -> None:
    """Break here if a scenario has armed this point."""
    armed = folder_of(settings.DATA_DIR) / point
    reached = armed.with_name(point + REACHED)
    try:
        whom = armed.read_text()
        armed.rename(reached)
    except FileNotFoundError:
        return
    if whom == MYSELF:
        os.kill(os.getpid(), signal.SIGKILL)
    until = time.monotonic() + MAX_WAIT_SECONDS
    while reached.exists() and time.monotonic() < until:
        time.sleep(0.01)


def _replace(path: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    owner = _import(path.rpartition(".")[0])
    name = path.rpartition(".")[2]
    original = getattr(owner, name)
    replacement = make(original)
    setattr(owner, name, replacement)
    for module in list(sys.modules.values()):
        if vars(module).get(name) is original:
            setattr(module, name, replacement)


def _import(path: str) -> Any:
    """Return a module, or a class of one."""
    module, _, name = path.rpartition(".")
    return getattr(_import(module), name) if name[:1].isupper() else __import__(path, fromlist=["_"])


def _named(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """Let the commits of a transaction have its name."""

    @wraps(work)
    def run(*args: Any, **kwargs: Any) -> Any:
        _thread.name = name
        try:
            return work(*args, **kwargs)
        finally:
            _thread.name = ""

    return run


def _between_points(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(work)
    def run(*args: Any, **kwargs: Any) -> Any:
        reach(f"before {name}")
        result = work(*args, **kwargs)
        reach(f"after {name}")
        return result

    return run


def _commit_between_points(commit: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @wraps(commit)
    def run(connection: Any) -> Any:
        name = getattr(_thread, "name", "")
        if not name:
            return commit(connection)
        # What runs after this commit has no name.
        _thread.name = ""
        reach(f"before {name}")
        result = commit(connection)
        reach(f"after {name}")
        return result

    return run
