"""Moves the clock of each Python process that has this folder on its path, by a file (scenario `clock`).

The file `clock` in the data folder has the whole seconds by which the clock is ahead. What measures durations
by the monotonic clock goes on, as on a machine whose time is set; PostgreSQL's own clock stays.
"""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

import time_machine

LOOKS_EVERY_SECONDS = 0.05
_file = Path(os.environ["DATA_DIR"]) / "clock"
_clock = time_machine.travel(None).start()
_ahead = 0


def _follow() -> None:
    global _ahead
    while True:
        # It may be half written.
        with suppress(OSError, ValueError):
            ahead = int(_file.read_text())
            _clock.shift(ahead - _ahead)
            _ahead = ahead
        time.sleep(LOOKS_EVERY_SECONDS)


def _start() -> None:
    threading.Thread(target=_follow, daemon=True).start()


# Threads do not follow into a fork.
os.register_at_fork(after_in_child=_start)
_start()
