"""Read the outbox in tests."""

import json

from django.conf import settings


def messages() -> list[dict[str, str]]:
    """Read the messages of the outbox, newest last."""
    return [json.loads(file.read_text("utf-8")) for file in sorted(settings.DATA_DIR.glob("outbox/*.json"))]


def empty_outbox() -> None:
    """Delete the messages of the outbox."""
    for file in settings.DATA_DIR.glob("outbox/*.json"):
        file.unlink()
