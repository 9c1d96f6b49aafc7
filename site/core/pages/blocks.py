"""Blocks of pages that are rendered once for what they show, and again only when that changes."""

from collections.abc import Callable, Hashable
from functools import cache
from operator import attrgetter
from typing import Any

from django.db.models import Model
from django.template.loader import get_template
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from core.recent import Recent

# A block's text has two bytes for each character, as most have some Chinese; its key takes about as much.
_BYTES_EACH = 4

BLOCKS: Recent[Hashable, SafeString] = Recent(4_000, 12 * 2**20)


def block(template: str, context: dict[str, Any], *, shows: Hashable) -> SafeString:
    """Render a template with a context of its own, or return what it was rendered to before.

    `shows`: every fact that the template can read of the context, as plain values, never as a row of the
    database, which is equal to another with the same id. The language is added. So a block is never old,
    whatever has changed. The template sees neither the request nor the page.
    """
    key = template, get_language(), shows
    known = BLOCKS.get(key)
    if known is not None:
        return known
    # A template's output is escaped already.
    html = SafeString(get_template(template).render(context))
    BLOCKS.put(key, html, len(html) * _BYTES_EACH)
    return html


def columns_of(row: Model) -> tuple[Any, ...]:
    """Return the values of all columns of a row, for a block that may show any of them."""
    return _columns(type(row))(row)


@cache
def _columns(model: type[Model]) -> Callable[[Model], tuple[Any, ...]]:
    return attrgetter(*(field.attname for field in model._meta.concrete_fields))
