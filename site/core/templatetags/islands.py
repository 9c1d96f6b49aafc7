"""Tags for islands, their script and the stylesheet (docs/architecture.md#islands)."""

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.islands import built
from core.languages import WIRE_LANGUAGE, reader_language
from core.wire import price_number

register = template.Library()


def _plain(value: Any) -> float:
    if isinstance(value, Decimal):
        return price_number(value)
    raise TypeError(f"{value!r} cannot be handed to an island")


@register.simple_block_tag
def island(
    content: SafeString, name: str, hydrate: str = "visible", on: str = "", **props: Any
) -> SafeString:
    """Render the element that the loader turns into an island, around its placeholder content.

    `hydrate`: load, idle, visible, use (on any action of the reader) or touch. `on`: the selector of the
    elements that react to a touch, empty for all inside. Other keywords are the island's props.
    """
    return format_html(
        '{}<shop-island name="{}" hydrate="{}"{} props="{}">{}</shop-island>',
        _preloads(_scripts(name)) if hydrate == "load" else "",
        name,
        hydrate,
        format_html(' on="{}"', on) if on else "",
        json.dumps(props, default=_plain, ensure_ascii=False),
        content,
    )


def _scripts(name: str) -> Iterator[str]:
    """Yield the URLs of all scripts that an island needs before it can render."""
    language = WIRE_LANGUAGE[reader_language()]
    entries = (name, f"i18n/{language}", f"i18n/errors.{language}", f"i18n/{name}.{language}")
    for entry in filter(None, map(built, entries)):
        yield from (entry.url, *entry.imports)


def _preloads(urls: Iterable[str]) -> SafeString:
    """Render links that load scripts in parallel; without them, each script starts loading the next."""
    return format_html_join(
        "", '<link rel="modulepreload" href="{}">', ((url,) for url in dict.fromkeys(urls))
    )


@register.simple_tag
def island_scripts() -> SafeString:
    """Render the loader's script; empty before the first build, which a system check reports."""
    loader = built("loader")
    if not loader:
        return SafeString("")
    return format_html('{}<script type="module" src="{}"></script>', _preloads(loader.imports), loader.url)


@register.simple_tag
def stylesheet() -> SafeString:
    """Render the link to the shop's stylesheet: the built file, or the source with its imports."""
    bundle = built("css/shop")
    return format_html('<link rel="stylesheet" href="{}">', bundle.url if bundle else static("css/shop.css"))
