import os
import signal
import subprocess
import sys
from datetime import timedelta
from urllib.parse import quote
from uuid import uuid4

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone

from core.leases import lease
from core.models import Lease
from core.queues import EACH_MINUTE, upkeep
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
A_MINUTE = timedelta(minutes=1)

# A process that takes a lease and waits inside.
HOLDER = """
import sys, django
django.setup()
from datetime import timedelta
from core.leases import lease
with lease("pictures", timedelta(minutes=1)) as is_ours:
    print(is_ours, flush=True)
    sys.stdin.read()
"""


def is_free(name: str = "pictures") -> bool:
    with lease(name, A_MINUTE) as is_ours:
        return is_ours


def test_a_lease_has_one_holder_and_is_free_after_its_block() -> None:
    with lease("pictures", A_MINUTE) as is_ours:
        assert is_ours
        assert not is_free()
        assert is_free("files")
    assert is_free()


def test_a_block_that_fails_gives_its_lease_back() -> None:
    with pytest.raises(ZeroDivisionError), lease("pictures", A_MINUTE):
        raise ZeroDivisionError
    assert is_free()


def test_everyone_who_is_late_gives_back_nothing_of_the_next_holders() -> None:
    late = lease("pictures", A_MINUTE)
    assert late.__enter__()
    with time_machine.travel(timezone.now() + A_MINUTE), lease("pictures", A_MINUTE) as is_ours:
        assert is_ours
        late.__exit__(None, None, None)
        assert not is_free()


def test_a_clock_that_was_set_back_does_not_prolong_a_lease() -> None:
    with lease("pictures", A_MINUTE), time_machine.travel(timezone.now() - timedelta(hours=2)):
        assert is_free()


def test_who_looked_at_the_clock_first_and_comes_second_gets_no_lease() -> None:
    first = timezone.now()
    with (
        time_machine.travel(first + timedelta(seconds=2), tick=False),
        lease("pictures", A_MINUTE) as is_ours,
    ):
        assert is_ours
        with time_machine.travel(first, tick=False):
            assert not is_free()


def address_of_database() -> str:
    """The address of this test's database, for another process."""
    facts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{facts['NAME']}"
    user, password, host = (quote(str(facts[name]), safe="") for name in ("USER", "PASSWORD", "HOST"))
    login = f"{user}:{password}@" if user else ""
    port = f":{facts['PORT']}" if facts["PORT"] else ""
    return f"postgres://{login}{host}{port}/{facts['NAME']}"


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_killed_holder_blocks_no_worker_after_its_time() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        cwd=settings.BASE_DIR,
        env=os.environ
        | {
            "DATABASE_URL": address_of_database(),
            "DATA_DIR": str(settings.DATA_DIR),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": ".:site",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "True\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not is_free()
    with time_machine.travel(timezone.now() + A_MINUTE):
        assert is_free()


@pytest.mark.django_db(transaction=True)
def test_of_many_at_the_same_time_one_gets_a_lease_also_one_that_has_ended() -> None:
    for start in (timezone.now(), timezone.now() + 2 * A_MINUTE):
        with time_machine.travel(start, tick=False):
            blocks = [lease("pictures", A_MINUTE) for _ in range(8)]
            assert concurrently(lambda block: block.__enter__(), blocks, threads=8).count(True) == 1


def test_a_task_of_the_clock_runs_once_at_a_time_and_not_after_its_time() -> None:
    runs = []

    def run() -> None:
        runs.append(Lease.objects.get().name)
        task.call_local()

    task = upkeep.periodic(lambda _time: False)(run)
    try:
        task.call_local()
        task.call_local()
        assert runs == [f"{__name__}.run"] * 2
        assert task.task_class.default_expires == EACH_MINUTE
    finally:
        task.unregister()


def test_the_next_minutes_run_happens_although_the_one_before_was_killed() -> None:
    runs = []
    task = upkeep.periodic(lambda _time: False)(lambda: runs.append(timezone.now()))
    killed_at = timezone.now()
    Lease.objects.create(name=f"{__name__}.<lambda>", holder=uuid4(), ends_at=killed_at + EACH_MINUTE)
    try:
        task.call_local()
        assert not runs
        # The clock's next one may come a little early.
        with time_machine.travel(killed_at + timedelta(seconds=59)):
            task.call_local()
        assert len(runs) == 1
    finally:
        task.unregister()
