"""What search does beside the requests; every task may run twice."""

from django.core.cache import cache
from huey.contrib.djhuey import db_task

from catalog.search import unfound

# A process counts the same search once in so many seconds: reloading a page asks for nothing new.
THROTTLE = 60


def tell_unfound(word: str) -> None:
    """Have a search counted that found nothing, apart from the request: no page waits for a write."""
    name = unfound.name_in(word)
    if name and cache.add(f"unfound:{name.replace(' ', '_')}", True, THROTTLE):
        _count(name)


@db_task()
def _count(name: str) -> None:
    unfound.count(name)
