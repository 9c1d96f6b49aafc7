"""Background tasks of the kernel: renditions of pictures, and statistics about tables."""

import logging
import time
from datetime import timedelta
from functools import partial

from django.conf import settings
from huey import crontab
from wagtail.images import get_image_model

from core.due_rows import process_due_rows
from core.pictures.renditions import AVIF, WEBP, make_renditions, unfinished
from core.queues import AT_NIGHT, EACH_MINUTE, upkeep
from core.table_sizes import note_table_sizes

log = logging.getLogger(__name__)


# Longer than the job and the last picture that it starts.
@upkeep.periodic(
    crontab(minute="*"),
    longest=timedelta(seconds=settings.PICTURE_SECONDS) + EACH_MINUTE,
    uses_files=True,
)
def finish_pictures() -> None:
    """Create the missing renditions, WebP first, within PICTURE_SECONDS of this minute.

    Encoding AVIF is slow; until it is done, pages show WebP.
    """
    deadline = time.monotonic() + settings.PICTURE_SECONDS
    for format in (WEBP, AVIF):
        seconds = deadline - time.monotonic()
        process_due_rows(f"pictures {format}", unfinished(format), partial(_finish, format), seconds=seconds)


@upkeep.periodic(crontab(hour="6", minute="10"), longest=AT_NIGHT)
def note_sizes() -> None:
    """Update the database's statistics about its tables, every night after the purges."""
    note_table_sizes()


def _finish(format: str, image_id: int) -> None:
    make_renditions(get_image_model().objects.get(pk=image_id), format)
