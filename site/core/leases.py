"""Leases: locks that expire even if their process was killed (docs/guarantees/operation.md#tasks)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

from django.db.models import Q
from django.utils import timezone

from core.clock import SET_BACK
from core.models import Lease


@contextmanager
def lease(name: str, longest: timedelta) -> Iterator[bool]:
    """Hold a lease while the block runs, at most for `longest`; yield False if another holder has it.

    Call it outside any transaction, because other holders see a lease only after its commit.
    """
    holder, now = uuid4(), timezone.now()
    # An end that is too far in the future was set before the clock was set back.
    is_free = Q(ends_at__lte=now) | Q(ends_at__gt=now + longest + SET_BACK)
    is_ours = Lease.objects.filter(is_free, name=name).update(holder=holder, ends_at=now + longest) == 1
    if not is_ours:
        first = Lease(name=name, holder=holder, ends_at=now + longest)
        Lease.objects.bulk_create([first], ignore_conflicts=True)
        is_ours = Lease.objects.filter(name=name, holder=holder).exists()
    try:
        yield is_ours
    finally:
        if is_ours:
            Lease.objects.filter(name=name, holder=holder).update(ends_at=timezone.now())
