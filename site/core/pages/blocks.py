"""Blocks of pages that are cached by the facts that they show, and rendered again only if these change."""

from collections.abc import Callable, Hashable
from functools import cache
from operator import attrgetter
from typing import Any

from django.db.models import Model
from django.template.loader import get_template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from core.recent import Recent

# A text takes two bytes per character, because most contain Chinese; its key takes about the same.
_BYTES_EACH = 4

BLOCKS: Recent[Hashable, SafeString] = Recent(4_000, 12 * 2**20)


def block(template: str, context: dict[str, Any], *, shows: Hashable) -> SafeString:
    """Return a template rendered with its own context, or the cached result for the same facts.

    `shows`: every fact that the template can read from the context, as plain values. It must not contain
    model instances, because they are equal if their ids are. The language is added. So a block is never
    stale. The template has no access to the request or the page's context.
    """
    key = template, get_language(), shows
    known = BLOCKS.get(key)
    if known is not None:
        return known
    # The output of a template is escaped already.
    html = SafeString(get_template(template).render(context))
    BLOCKS.put(key, html, len(html) * _BYTES_EACH)
    return html


def columns_of(row: Model) -> tuple[Any, ...]:
    """Return the values of all columns of a row, for a block that may show any of them."""
    return _columns(type(row))(row)


@cache
def _columns(model: type[Model]) -> Callable[[Model], tuple[Any, ...]]:
    return attrgetter(*(field.attname for field in model._meta.concrete_fields))
