"""Structured data for search engines."""

import json
from typing import Any

from django.utils.safestring import SafeString, mark_safe

# No text may look like markup inside a script element; Django's json_script escapes the same three.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


def json_ld(data: dict[str, Any]) -> SafeString:
    """Return data as the content of a `<script type="application/ld+json">`, safe for any text."""
    text = json.dumps({"@context": "https://schema.org", **data}, ensure_ascii=False)
    return mark_safe(text.translate(_ESCAPES))  # noqa: S308 - escaped above
