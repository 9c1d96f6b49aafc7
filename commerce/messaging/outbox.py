"""Writes messages as files if no gateway is configured (docs/product.md#the-demonstration)."""

import json
import os

from django.conf import settings
from django.utils import timezone

from commerce.messaging.models import Message


def write_to_outbox(message: Message) -> None:
    """Write a message atomically as one JSON file; file names sort by time."""
    folder = settings.DATA_DIR / "outbox"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{timezone.now():%Y%m%dT%H%M%S.%f}-{message.pk:010d}.json"
    content = {
        "to": message.to,
        "channel": message.channel,
        "subject": message.subject,
        "text": message.text,
        "code": message.code,
    }
    unfinished = folder / f".{name}"
    unfinished.write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8")
    os.replace(unfinished, folder / name)
