"""Pages that are only read: what their views declare, so that whole answers can be kept for everyone."""

from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

View = Callable[..., HttpResponse]

# The attribute by which a view is known.
DECLARED = "public_page_params"
_known: set[str] = set()


def read_only(view: View) -> View:
    """Let a view be asked by GET and HEAD alone; other methods are answered with 405, whoever sends them."""
    return csrf_exempt(require_safe(view))


def public_page(*params: str) -> Callable[[View], View]:
    """Declare a view whose page depends on nothing but its address, and the query's parameters it reads.

    It never sees any other parameter, so that nobody can write into a page that is kept for others.
    """
    _known.update(params)
    known_query.cache_clear()

    def declare(view: View) -> View:
        @wraps(view)
        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            query = only(request.META.get("QUERY_STRING", ""), params)
            request.META["QUERY_STRING"] = query
            request.GET = QueryDict(query)
            return view(request, *args, **kwargs)

        declared = read_only(shown)
        setattr(declared, DECLARED, params)
        return declared

    return declare


def only(query: str, params: Iterable[str]) -> str:
    """Return a query with these parameters alone, in the order of their names.

    Raises TooManyFieldsSent, which is answered with 400.
    """
    if not query:
        return ""
    given = QueryDict(query.encode("latin-1"))
    kept = QueryDict(mutable=True)
    for name in sorted(given.keys() & set(params)):
        kept.setlist(name, given.getlist(name))
    return kept.urlencode()


@lru_cache(1024)
def known_query(query: str) -> str:
    """Return a query with only the parameters that any public page reads, in the order of their names."""
    return only(query, _known)
