"""`scripts/set_up.py`: runs what has changed, names what fails, leaves no process behind."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings

# Two steps side by side: one as the test has it, one that would take a minute and then leave a file.
STEPS = """
import sys
import set_up
set_up.STEPS = {
    "quick": set_up.Step("Quick one", "quick.stamp", sys.argv[1], inputs=("folder", "*.txt")),
    "slow": set_up.Step("Slow one", "slow.stamp", "echo $$ > slow.pid; sleep 60; touch slow.done"),
    "after": set_up.Step("After it", "after.stamp", "test -f made", needs=("quick",)),
}
"""
RUN = "sys.exit(set_up.main(sys.argv[2:]))"
# The signal comes at the very moment that a step has started.
SIGNAL_AT_START = """
import os, signal
start = set_up.Running.__post_init__
def start_and_signal(step):
    start(step)
    os.kill(os.getpid(), signal.SIGTERM)
set_up.Running.__post_init__ = start_and_signal
"""


def start(folder: Path, command: str, *names: str, change: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", STEPS + change + RUN, command, *names],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(settings.BASE_DIR / "scripts")},
        stdout=subprocess.PIPE,
        text=True,
    )


def is_running(folder: Path) -> bool:
    return Path("/proc", (folder / "slow.pid").read_text().strip()).exists()


def test_a_step_runs_after_what_it_needs_and_again_only_for_what_has_changed(tmp_path: Path) -> None:
    def run() -> str:
        process = start(tmp_path, "echo printed; touch made", "after")
        output = process.communicate(timeout=20)[0]
        assert process.returncode == 0
        return output

    first = run()
    assert first.index("✓ Quick one: ") < first.index("printed\n") < first.index("→ After it …")
    assert run().splitlines() == ["✓ Quick one: done before", "✓ After it: done before"]
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "new").touch()
    assert run().splitlines()[0] == "→ Quick one …"
    (tmp_path / "some.txt").write_text("changed")
    assert run().splitlines()[0] == "→ Quick one …"


def test_a_failure_names_its_step_and_ends_the_others(tmp_path: Path) -> None:
    fails = "until [ -s slow.pid ]; do sleep 0.01; done; echo the reason; exit 7"
    process = start(tmp_path, fails, "slow", "after")
    output = process.communicate(timeout=20)[0].splitlines()
    assert process.returncode == 7
    assert output[2].startswith("✗ Quick one: failed with exit code 7 after ")
    assert output[3:] == ["the reason", "– Slow one: stopped"]
    assert not is_running(tmp_path)
    assert not list(tmp_path.glob("*.stamp"))
    assert not (tmp_path / "slow.done").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_every_process(tmp_path: Path, number: signal.Signals) -> None:
    process = start(tmp_path, "true", "slow")
    while not (tmp_path / "slow.pid").exists() or not (tmp_path / "slow.pid").read_text():
        time.sleep(0.01)
    process.send_signal(number)
    output = process.communicate(timeout=20)[0].splitlines()
    assert process.returncode == 128 + number
    assert output == ["→ Slow one …", "– Slow one: stopped"]
    assert not is_running(tmp_path)
    assert not list(tmp_path.glob("*.stamp"))


def test_a_signal_ends_a_step_that_has_only_just_started(tmp_path: Path) -> None:
    process = start(tmp_path, "true", "slow", change=SIGNAL_AT_START)
    output = process.communicate(timeout=20)[0].splitlines()
    assert process.returncode == 128 + signal.SIGTERM
    assert output == ["→ Slow one …", "– Slow one: stopped"]
