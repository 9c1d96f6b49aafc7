"""Run one step of the set-up, unless it was done with these very inputs; tell how long it took.

    step.py TITLE STAMP [INPUT ...] -- COMMAND ...

An input is a file or a folder. The stamp keeps their hash and goes with what the step has made.
"""

import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path


def files_of(inputs: list[Path]) -> Iterator[Path]:
    """Yield every file of the inputs in a fixed order."""
    for given in inputs:
        if given.is_dir():
            found = (file for file in given.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
            yield from sorted(found)
        else:
            yield given


def key_of(inputs: list[Path], command: list[str]) -> str:
    """Return the hash of what decides the step's outcome."""
    digest = hashlib.sha256("\0".join(command).encode())
    for file in files_of(inputs):
        digest.update(f"\0{file}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def main(title: str, stamp_name: str, *rest: str) -> int:
    """Run the step; returns the exit code."""
    border = rest.index("--")
    stamp, inputs, command = (
        Path(stamp_name),
        [Path(name) for name in rest[:border]],
        list(rest[border + 1 :]),
    )
    key = key_of(inputs, command)
    if stamp.is_file() and stamp.read_text() == key:
        print(f"✓ {title}: done before", flush=True)
        return 0
    print(f"→ {title} …", flush=True)
    started = time.monotonic()
    code = subprocess.run(command).returncode
    if code:
        print(f"✗ {title}: failed with exit code {code}", flush=True)
        return code
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key_of(inputs, command))
    print(f"✓ {title}: {time.monotonic() - started:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
