"""Imports before the fork open nothing that two processes may not share."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

LOOK = """
import os, config.wsgi
threads = os.listdir("/proc/self/task")
files = [os.readlink(each.path) for each in os.scandir("/proc/self/fd") if os.path.exists(each.path)]
shared = [name for name in files if name.startswith("socket:") or ".sqlite3" in name]
assert (len(threads), shared) == (1, []), (threads, shared)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux forks.")
@pytest.mark.slow
def test_an_import_starts_no_thread_and_opens_no_connection(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=settings.BASE_DIR,
        env={
            "PYTHONPATH": ".:site",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATA_DIR": str(tmp_path),
        },
        check=True,
        timeout=60,
    )
