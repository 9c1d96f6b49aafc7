"""The background task that makes pictures' renditions."""

import logging
import time

from django.conf import settings
from huey import crontab
from huey.contrib.djhuey import db_periodic_task, lock_task
from wagtail.images.models import SourceImageIOError

from core.pictures.renditions import AVIF, WEBP, make_renditions, unfinished

log = logging.getLogger(__name__)

_BATCH = 20
# Ids of unreadable pictures; the next start tries them again.
_broken: set[int] = set()


@db_periodic_task(crontab(minute="*"))
@lock_task("pictures")
def finish_pictures() -> None:
    """Make the missing renditions, WebP first, for at most PICTURE_SECONDS of this minute.

    Encoding AVIF is slow; until it is done, pages show WebP.
    """
    deadline = time.monotonic() + settings.PICTURE_SECONDS
    for format in (WEBP, AVIF):
        while time.monotonic() < deadline:
            images = unfinished(format).exclude(pk__in=_broken)[:_BATCH]
            if not images:
                break
            for image in images:
                if time.monotonic() > deadline:
                    return
                try:
                    make_renditions(image, format)
                except (SourceImageIOError, OSError, ValueError):
                    log.warning("the file of picture %s cannot be read", image.pk)
                    _broken.add(image.pk)
