"""Tags that put islands, their script and the stylesheet into a page (ARCHITECTURE 4, Island)."""

import json
from decimal import Decimal
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.islands import built
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
    """Wrap a skeleton in the element that the loader turns into an island.

    `hydrate`: load, idle, visible or touch; `on`: the selector of what a touch must be of, empty for anything
    inside. Other keywords are the island's props.
    """
    return format_html(
        '<shop-island name="{}" hydrate="{}"{} props="{}">{}</shop-island>',
        name,
        hydrate,
        format_html(' on="{}"', on) if on else "",
        json.dumps(props, default=_plain, ensure_ascii=False),
        content,
    )


@register.simple_tag
def island_scripts() -> SafeString:
    """Print the loader's script; nothing before the first build, which the system check reports."""
    loader = built("loader")
    if not loader:
        return SafeString("")
    preloads = format_html_join(
        "", '<link rel="modulepreload" href="{}">', ((url,) for url in loader.imports)
    )
    return format_html('{}<script type="module" src="{}"></script>', preloads, loader.url)


@register.simple_tag
def stylesheet() -> SafeString:
    """Print the shop's stylesheet: built into one file, else the source, whose imports a browser follows."""
    bundle = built("css/shop")
    return format_html('<link rel="stylesheet" href="{}">', bundle.url if bundle else static("css/shop.css"))
