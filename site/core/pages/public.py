"""Decorators of views whose pages are the same for all visitors and can be cached as a whole."""

from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from core.typed_text import clean_query

View = Callable[..., HttpResponse]

# The attribute that marks the view of a public page.
DECLARED = "public_page_params"
_known: set[str] = set()


def read_only(view: View) -> View:
    """Allow only GET and HEAD on a view; other methods get 405."""
    return csrf_exempt(require_safe(view))


def public_page(*params: str) -> Callable[[View], View]:
    """Declare a view whose page depends only on its path and on these query parameters.

    The view does not see other parameters, so no visitor can change a page that is cached for others.
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
    """Return a query string with only these parameters, cleaned and sorted by name.

    Raises TooManyFieldsSent, for which the request gets 400.
    """
    if not query:
        return ""
    given = clean_query(QueryDict(query.encode("latin-1")))
    used = QueryDict(mutable=True)
    for name in sorted(given.keys() & set(params)):
        used.setlist(name, given.getlist(name))
    return used.urlencode()


@lru_cache(1024)
def known_query(query: str) -> str:
    """Return a query string with only the parameters that public pages read, sorted by name."""
    return only(query, _known)
