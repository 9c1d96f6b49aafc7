"""The process that starts the others: what it shares with them, and how it is stopped."""

import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
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
        env={"PYTHONPATH": ".:site", "DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(tmp_path)},
        check=True,
        timeout=60,
    )


BUSY = """
from config.supervisor import Supervisor
Supervisor(grace=1)
print("ready", flush=True)
for _ in range(2_000_000):
    pass
print("done", flush=True)
input()
"""


def test_a_signal_that_arrives_while_another_is_handled_does_not_hang_the_stop() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BUSY],
        cwd=settings.BASE_DIR,
        env={"PYTHONPATH": ".:site", "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        limit = threading.Timer(20, process.kill)
        limit.start()
        assert process.stdout.readline() == b"ready\n"
        with ThreadPoolExecutor(1) as pool:
            line = pool.submit(process.stdout.readline)
            while not line.done():
                process.send_signal(signal.SIGTERM)
        limit.cancel()
        process.kill()
    assert line.result() == b"done\n"
