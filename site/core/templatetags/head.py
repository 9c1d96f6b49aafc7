"""Tags for the head of a page: title, description and sharing (Open Graph)."""

from html import unescape
from urllib.parse import urljoin

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from core.languages import CHINESE, ENGLISH, OPEN_GRAPH_LOCALE, localised, reader_language
from core.pages.json_ld import json_ld

register = template.Library()

# The number of characters of a description that search engines show.
SHOWN = 160


@register.simple_block_tag
def page_title(content: SafeString, shop: str) -> SafeString:
    """Render the title with the shop's name for the browser's tab, and the title for sharing."""
    title = _plain(content)
    return format_html(
        '<title>{} · {}</title>\n  <meta property="og:title" content="{}">', title, shop, title or shop
    )


@register.simple_block_tag
def page_description(content: SafeString, default: str) -> SafeString:
    """Render the description, cut to the shown length; `default` if it is empty."""
    text = Truncator(_plain(content) or default).chars(SHOWN)
    return format_html(
        '<meta name="description" content="{}">\n  <meta property="og:description" content="{}">', text, text
    )


def _plain(content: str) -> str:
    """Return escaped template output as plain text in one line."""
    return " ".join(unescape(content).split())


@register.simple_tag(takes_context=True)
def share_picture(context: Context) -> str:
    """Return the absolute URL of the picture for shared links to the page.

    The view may set `share_picture` in the context; the default is the shop's icon.
    """
    address: str = urljoin(settings.SITE_URL, context.get("share_picture") or static("img/icon-512.png"))
    return address


@register.simple_tag
def open_graph_locale() -> str:
    """Return the page's language in the notation of the Open Graph protocol."""
    return OPEN_GRAPH_LOCALE[reader_language()]


@register.simple_tag
def other_open_graph_locale() -> str:
    """Return the shop's other language in the notation of the Open Graph protocol."""
    return OPEN_GRAPH_LOCALE[ENGLISH if reader_language() == CHINESE else CHINESE]


@register.simple_tag
def crumbs_ld(crumbs: list[tuple[str, str]]) -> SafeString:
    """Return a page's breadcrumbs as structured data (schema.org)."""
    steps = [(_("Home"), localised("/home")), *crumbs]
    items = [
        {
            "@type": "ListItem",
            "position": place,
            "name": str(name),
            # The last crumb, the page itself, has no link.
            **({"item": urljoin(settings.SITE_URL, url)} if url else {}),
        }
        for place, (name, url) in enumerate(steps, 1)
    ]
    return json_ld({"@type": "BreadcrumbList", "itemListElement": items})
