"""The countries that an address may lie in, from the reference list the browser shows too (SPEC 3)."""

import json
from functools import cache

from django.conf import settings

# Where a post code or a city is needed (SPEC 5).
PLACE_NEEDED = frozenset({"Australia", "China", "Malaysia", "Taiwan"})


@cache
def country_codes() -> dict[str, str]:
    """Return the two-letter code of each country by its English name."""
    rows = json.loads((settings.BASE_DIR / "static/regions/countries.json").read_text(encoding="utf-8"))
    return {row["en"]: row["short"] for row in rows}
