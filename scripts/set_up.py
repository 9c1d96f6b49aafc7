"""Set the shop up: run the steps whose inputs have changed, independent ones side by side.

    set_up.py STEP ...    runs these steps, after the steps that they need

A step's stamp keeps the hash of its command and inputs, and lies with what the step makes.
"""

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

DATA_DIR = os.environ.get("DATA_DIR", "var")
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Seconds that a step may take to end once it is asked to.
GRACE = 5.0


@dataclass(frozen=True)
class Step:
    """A shell command, run when one of its inputs (files, folders or patterns) has changed."""

    title: str
    stamp: str
    command: str
    inputs: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def is_done(self) -> bool:
        """Return True if it has run with this very command and these very inputs."""
        return Path(self.stamp).is_file() and Path(self.stamp).read_text() == self._key()

    def note_done(self) -> None:
        """Write the stamp."""
        Path(self.stamp).parent.mkdir(parents=True, exist_ok=True)
        Path(self.stamp).write_text(self._key())

    def _key(self) -> str:
        digest = hashlib.sha256(self.command.encode())
        for file in _files_of(self.inputs):
            digest.update(f"\0{file}\0".encode() + file.read_bytes())
        return digest.hexdigest()


STEPS = {
    "venv": Step("Virtual environment", ".venv/.step-venv", '"$PYTHON" -m venv .venv'),
    "packages": Step(
        "Python packages",
        ".venv/.step-packages",
        "scripts/install_packages.sh requirements.txt --editable",
        inputs=("requirements.txt", "requirements-uv.txt", "pyproject.toml", "scripts/install_packages.sh"),
        needs=("venv",),
    ),
    "dev-packages": Step(
        "Python packages for tests",
        ".venv/.step-dev",
        "scripts/install_packages.sh requirements-dev.txt",
        inputs=("requirements-dev.txt", "scripts/install_packages.sh"),
        needs=("packages",),
    ),
    "bytecode": Step(
        "Bytecode of Python packages",
        ".venv/.step-bytecode",
        # The shop is imported, and warns where it has no folder for its static files, which come later.
        "mkdir -p build/static; .venv/bin/python scripts/compile_packages.py",
        inputs=("requirements.txt", "scripts/compile_packages.py"),
        needs=("packages",),
    ),
    "own-bytecode": Step(
        "Bytecode of the shop",
        "build/.step-own-bytecode",
        ".venv/bin/python -m compileall -q site catalog commerce",
        inputs=("site/**/*.py", "catalog/**/*.py", "commerce/**/*.py"),
        needs=("packages",),
    ),
    "node-packages": Step(
        "Node packages",
        "node_modules/.step",
        "scripts/check_node.sh && npm ci --silent",
        inputs=("package.json", "package-lock.json", ".npmrc"),
    ),
    "islands": Step(
        "Islands and stylesheet",
        "static/islands/.step",
        "npm run --silent build",
        inputs=("islands", "static/css", "static/regions/current.json", "package-lock.json"),
        needs=("node-packages",),
    ),
    "fonts": Step(
        "Fonts of the invoices",
        "build/fonts/.step",
        "rm -rf build/fonts; mkdir -p build/fonts; cd node_modules/@expo-google-fonts; "
        "for each in *; do cp $each/400Regular/*.ttf $each/700Bold/*.ttf ../../build/fonts/ && "
        "cp $each/LICENSE_FONT ../../build/fonts/LICENSE-$each; done; cd ../..; "
        "cp .venv/lib/python*/site-packages/noto_cjk_sans_jp_regular/*.otf build/fonts/",
        inputs=("package-lock.json", "requirements.txt"),
        needs=("node-packages", "packages"),
    ),
    "texts": Step(
        "Texts in Chinese",
        "build/.step-texts",
        "pybabel='.venv/bin/pybabel --quiet compile --directory site/locale'; "
        "$pybabel --domain django; $pybabel/wagtail --domain 'django djangojs'; "
        "$pybabel/translating --domain django",
        inputs=("site/locale/**/*.po",),
        needs=("packages",),
    ),
    "statics": Step(
        "Static files, hashed and compressed",
        "build/static/.step",
        ".venv/bin/python manage.py collectstatic --no-input --clear --verbosity 0 --ignore 'redoc*'",
        inputs=("static", "requirements.txt", "site/config/storage.py"),
        needs=("bytecode", "own-bytecode", "islands"),
    ),
    # Its own step, so that it runs with the static files; later starts migrate and load what has changed.
    "demo": Step(
        "Database and demonstration",
        f"{DATA_DIR}/.step-demo",
        "LOG_LEVEL=WARNING .venv/bin/python manage.py load_demo --migrate --verbosity 0",
        needs=("bytecode", "own-bytecode", "texts"),
    ),
}


def _files_of(inputs: Iterable[str]) -> Iterator[Path]:
    for given in inputs:
        for found in sorted(Path().glob(given)):
            if found.is_dir():
                files = (file for file in found.rglob("*") if "__pycache__" not in file.parts)
                yield from sorted(file for file in files if file.is_file())
            else:
                yield found


@dataclass
class Running:
    """A step under way; what it prints is held back until it has ended."""

    step: Step
    started: float = field(default_factory=time.monotonic)
    output: IO[bytes] = field(default_factory=tempfile.TemporaryFile)

    def __post_init__(self) -> None:
        print(f"→ {self.step.title} …", flush=True)
        # In a session of its own: a terminal's Ctrl-C reaches it through us alone, as does every end.
        self.process = subprocess.Popen(
            ["/bin/bash", "-euo", "pipefail", "-c", self.step.command],
            env=os.environ | {"PYTHON": sys.executable},
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def finish(self) -> int:
        """Print how it has ended, with its output; returns its exit code."""
        code = self.process.returncode
        took = time.monotonic() - self.started
        if code == 0:
            self.step.note_done()
            print(f"✓ {self.step.title}: {took:.1f} s", flush=True)
        else:
            print(f"✗ {self.step.title}: failed with exit code {code} after {took:.1f} s", flush=True)
        self.output.seek(0)
        sys.stdout.buffer.write(self.output.read())
        sys.stdout.flush()
        return code

    def stop(self) -> None:
        """End it and whatever it has started."""
        for signal_sent in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal_sent)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(GRACE)
        print(f"– {self.step.title}: stopped", flush=True)


def main(asked: list[str]) -> int:
    """Run the steps; returns the exit code of the first that fails, 128 + its number after a signal."""
    signals: list[int] = []
    for number in STOPS:
        # Only noted: an exception could come between the start of a process and its entry in `running`.
        signal.signal(number, lambda number, _frame: signals.append(number))
    waiting = _with_needs(asked)
    done: set[str] = set()
    running: dict[str, Running] = {}
    try:
        while (waiting or running) and not signals:
            for name in [name for name in waiting if done.issuperset(STEPS[name].needs)]:
                waiting.remove(name)
                if STEPS[name].is_done():
                    done.add(name)
                    print(f"✓ {STEPS[name].title}: done before", flush=True)
                else:
                    running[name] = Running(STEPS[name])
            for name in [name for name, each in running.items() if each.process.poll() is not None]:
                if code := running.pop(name).finish():
                    return code
                done.add(name)
            if running:
                time.sleep(0.02)
        return 128 + signals[0] if signals else 0
    finally:
        for each in running.values():
            each.stop()


def _with_needs(names: Iterable[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        found += [each for each in [*_with_needs(STEPS[name].needs), name] if each not in found]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
