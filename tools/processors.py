"""Processor time and memory of running processes, from /proc; None where the system has none."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
MIB = 1024 * 1024


def tree(pid: int) -> list[int]:
    """Return a process and all that descend from it."""
    found = [pid]
    for each in found:
        for tasks in PROC.glob(f"{each}/task/*/children"):
            with suppress(OSError):
                found += map(int, tasks.read_text().split())
    return found


def tree_seconds(pid: int) -> float | None:
    """Return the processor time that a process and its descendants have had; None where it is not known."""
    seconds = [seconds_of(text) for text in _texts(tree(pid), "stat")]
    return sum(seconds) if seconds else None


def seconds_of(stat: str) -> float:
    """Read the processor time, of the program and of the kernel for it, from the text of /proc/PID/stat."""
    # The name, in brackets, may contain blanks.
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def database_seconds(name: str) -> dict[int, float] | None:
    """Return the processor time of each of PostgreSQL's processes for a database, by its id.

    None where there is none: on another machine, or in a system without /proc.
    """
    found = {}
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError):
            if serves_database((folder / "cmdline").read_text("utf-8", errors="replace"), name):
                seconds = thread_seconds(int(folder.name))
                if seconds is not None:
                    found[int(folder.name)] = seconds
    return found or None


def thread_seconds(pid: int) -> float | None:
    """Return the processor time of a process of one thread, finely; None where it is not known."""
    # The first number is in billionths of a second.
    return next((int(text.split()[0]) / 1e9 for text in _texts([pid], "schedstat")), None)


def serves_database(command_line: str, name: str) -> bool:
    """Return True if a process is PostgreSQL's for a connection to a database, by what it calls itself."""
    return command_line.startswith("postgres:") and name in command_line.replace("\0", " ").split()


def spent(before: dict[int, float] | None, after: dict[int, float] | None) -> float | None:
    """Return the processor time between two answers of `database_seconds`; new connections began at 0."""
    if after is None:
        return None
    return sum(seconds - (before or {}).get(pid, 0.0) for pid, seconds in after.items())


def largest_mib(pids: list[int]) -> float | None:
    """Return the memory of the largest of some processes, shared pages in proportion."""
    sizes = [_proportional_bytes(text) for text in _texts(pids, "smaps_rollup")]
    return round(max(sizes) / MIB, 1) if sizes else None


def _proportional_bytes(rollup: str) -> int:
    return next((int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:")), 0)


def _texts(pids: list[int], name: str) -> Iterator[str]:
    for pid in pids:
        with suppress(OSError):
            yield (PROC / str(pid) / name).read_text()
