"""System checks for the kernel."""

from typing import Any

from django.core.checks import CheckMessage, Tags, Warning, register

from core.islands import manifest_file


@register(Tags.staticfiles)
def islands_are_built(**_: Any) -> list[CheckMessage]:
    """Return a warning if the islands are not built, because cart and checkout would not work."""
    if manifest_file():
        return []
    return [Warning("The islands are not built.", hint="Run `npm run build`.", id="core.W001")]
