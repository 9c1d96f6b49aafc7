"""Lets Lighthouse look at the home page as it does for a phone, each time with an empty cache."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tools.bench.server import Server
from tools.launch import HOST

RUNS = 5
SOURCE = Path(__file__).parent / "lighthouse"
INSTALLED = Path("build/lighthouse")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
MAX_SECONDS = 180


def measured(server: Server) -> dict[str, float]:
    """Return the worst of five runs: largest paint and blocking time in ms, and how much of 100 it lacks."""
    _install()
    found = [_run(f"http://{HOST}:{server.port}/home") for _ in range(RUNS)]
    return {
        "home_lacks": max(100 - 100 * run["categories"]["performance"]["score"] for run in found),
        "home_paint_ms": max(_value(run, "largest-contentful-paint") for run in found),
        "home_blocked_ms": max(_value(run, "total-blocking-time") for run in found),
    }


def _install() -> None:
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(SOURCE / name, INSTALLED)
    subprocess.run(
        [shutil.which("npm") or "npm", "ci", "--silent"], cwd=INSTALLED, check=True, timeout=MAX_SECONDS
    )


def _run(url: str) -> dict[str, Any]:
    command = [
        "node_modules/.bin/lighthouse",
        url,
        "--quiet",
        "--output=json",
        "--only-categories=performance",
    ]
    done = subprocess.run(
        [*command, f"--chrome-flags={FLAGS}"],
        cwd=INSTALLED,
        env=os.environ | {"CHROME_PATH": os.environ.get("CHROMIUM", "/usr/bin/chromium")},
        stdout=subprocess.PIPE,
        check=True,
        timeout=MAX_SECONDS,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _value(run: dict[str, Any], audit: str) -> float:
    value: float = run["audits"][audit]["numericValue"]
    return value
