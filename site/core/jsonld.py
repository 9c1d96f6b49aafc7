"""Structured data for search engines."""

import json
from typing import Any

from django.utils.safestring import SafeString, mark_safe

# Inside a script element nothing may look like markup: the same three that Django's json_script escapes.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


def json_ld(data: dict[str, Any]) -> SafeString:
    """Write data as the text of a `<script type="application/ld+json">`, safe for any content."""
    text = json.dumps({"@context": "https://schema.org", **data}, ensure_ascii=False)
    return mark_safe(text.translate(_ESCAPES))  # noqa: S308 - escaped above
