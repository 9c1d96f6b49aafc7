"""A checkout of the release before, set up by its own files."""

import os
import shutil
import subprocess
from pathlib import Path

from config.storm.figures import StormError
from config.storm.shops import ROOT

# Steps of scripts/set_up.py.
STEPS = ("dev-packages", "islands", "texts", "statics")
MIGRATIONS = "*/migrations/*.py"
# What migrations import.
HELPERS = "site/core/migration_operations.py"


def check_out_release_before(folder: Path) -> str:
    """Check out and set up the release before in a new folder; returns its name.

    RELEASE in the environment names another revision. Raises StormError where that cannot be had.
    """
    name = os.environ.get("RELEASE") or _release_before()
    _run("git", "clone", "--quiet", "--shared", str(ROOT), str(folder), cwd=ROOT)
    _run("git", "checkout", "--quiet", _git("rev-parse", "--verify", f"{name}^{{commit}}"), cwd=folder)
    _run("python3", "scripts/set_up.py", *STEPS, cwd=folder)
    return name


def take_migrations_of_today(folder: Path) -> None:
    """Give a checkout the migrations that stand here, for each app that it has."""
    for path in _git("ls-files", MIGRATIONS, HELPERS).splitlines():
        if (folder / path).parent.is_dir():
            shutil.copy(ROOT / path, folder / path)


def _release_before() -> str:
    """Return the newest tag before this commit; without tags, the last commit with an older schema."""
    if tags := _git("tag", "--merged", "HEAD^", "--sort=-creatordate").splitlines():
        return tags[0]
    newest = _git("log", "-1", "--diff-filter=A", "--format=%h", "--", MIGRATIONS)
    return _git("rev-parse", "--short", f"{newest}^")


def _git(*arguments: str) -> str:
    return _run("git", *arguments, cwd=ROOT).strip()


def _run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise StormError(f"{' '.join(command)} failed:\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    return done.stdout
