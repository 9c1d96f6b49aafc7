"""A checkout of the release before, set up by its own files."""

import os
import shutil
import subprocess
from pathlib import Path

from tools.chaos.figures import ScenarioError
from tools.launch import ROOT

# Steps of scripts/set_up.py.
STEPS = ("dev-packages", "islands", "texts", "statics")
MIGRATIONS = "*/migrations/*.py"
# Lines of version and commit, the newest last.
RELEASES = Path(__file__).with_name("releases.txt")
# Imported by migrations.
HELPERS = "site/core/migration_operations.py"


def check_out_release_before(folder: Path) -> str:
    """Check out and set up the release before in a new folder, and return its name.

    RELEASES has the commit of each release, because tags are not in every clone. RELEASE in the environment
    names another revision. Raise ScenarioError if the revision does not exist.
    """
    name = os.environ.get("RELEASE") or RELEASES.read_text("utf-8").split()[-1]
    _run("git", "clone", "--quiet", "--shared", str(ROOT), str(folder), cwd=ROOT)
    _run("git", "checkout", "--quiet", _git("rev-parse", "--verify", f"{name}^{{commit}}"), cwd=folder)
    _run("python3", "scripts/set_up.py", *STEPS, cwd=folder)
    return name


def take_migrations_of_today(folder: Path) -> None:
    """Copy the current migrations into a checkout, for each app that it has."""
    for path in _git("ls-files", MIGRATIONS, HELPERS).splitlines():
        if (folder / path).parent.is_dir():
            shutil.copy(ROOT / path, folder / path)


def _git(*arguments: str) -> str:
    return _run("git", *arguments, cwd=ROOT).strip()


def _run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise ScenarioError(f"{' '.join(command)} failed:\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    return done.stdout
