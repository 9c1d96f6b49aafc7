"""The search's background tasks; every task may run twice."""

from django.core.cache import cache

from catalog.search import failed_searches
from core.enqueue import enqueue_after_commit
from core.queues import upkeep

# Seconds in which a process counts the same search only once, because a reload is not a new search.
THROTTLE = 60
# The most different searches that a process counts in that time; customers do not search more.
MAX_COUNTED = 60


def count_failed_search(word: str) -> None:
    """Count a search without results in a background task, so that no page waits for the write.

    The count is approximate: if the queue is unavailable, the search is not counted.
    """
    name = failed_searches.countable_text(word)
    if name and cache.add(f"failed_search:{name.replace(' ', '_')}", True, THROTTLE) and _has_room():
        enqueue_after_commit(_count, name)


def _has_room() -> bool:
    # A client that sends invented words must not fill the queue.
    cache.add("failed_searches", 0, THROTTLE)
    try:
        return cache.incr("failed_searches") <= MAX_COUNTED
    except ValueError:
        # The counter expired between the two calls.
        return True


@upkeep.task()
def _count(name: str) -> None:
    failed_searches.count(name)
