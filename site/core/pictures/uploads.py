"""Re-encodes uploaded pictures, in a process of their own with little memory and time.

See docs/guarantees/customers.md#uploaded-pictures.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import NamedTuple

from core.pictures import decoder

MAX_BYTES = 5 * 1024 * 1024
# Of these, Python and Pillow take 30 MiB, a picture of the most pixels up to 175.
MAX_MEMORY = 224 * 1024 * 1024
# A picture of the most pixels takes one second; a hostile JPEG repeats itself for hours.
MAX_PROCESSOR_SECONDS = 4
# The processor may be busy with shoppers.
MAX_SECONDS = 8.0
# A picture of nothing but noise has 9 MB.
MAX_OUTPUT = 12 * 1024 * 1024
# As long as most pictures take.
WAIT_SECONDS = 1.0

# Of a process's threads one waits for a decoder and one for its turn; the others stay free for shoppers.
_places = BoundedSemaphore(2)
_one_at_a_time = Lock()


class NoPictureError(Exception):
    """Raised for a file that is no JPEG, PNG or WebP, is too large or cannot be read to its end."""


class DecoderBusyError(Exception):
    """Raised when too many pictures came at the same time."""


class Reencoded(NamedTuple):
    """A picture as a JPEG, and 1024 bits in hex that pictures which look the same have nearly alike."""

    jpeg: bytes
    hash: str


def reencode(data: bytes) -> Reencoded:
    """Return a picture re-encoded as a JPEG of at most 2400 pixels a side, upright, on white, and its hash.

    Only its pixels are stored: no location, camera, comment or script. A process of its own decodes it, with
    an empty environment and bounds of memory and time. Waits a second at most for another picture.
    Raises NoPictureError, DecoderBusyError.
    """
    if len(data) > MAX_BYTES:
        raise NoPictureError("too many bytes")
    bounds = [str(MAX_MEMORY), str(MAX_PROCESSOR_SECONDS), str(MAX_OUTPUT)]
    # The size of a file can be bounded, that of a pipe cannot.
    with _turn(), tempfile.TemporaryFile() as out:
        try:
            ended = subprocess.run(  # noqa: S603  the shop's own program
                [sys.executable, "-I", decoder.__file__, *bounds],
                input=data,
                stdout=out,
                stderr=subprocess.DEVNULL,
                env={},
                timeout=MAX_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise NoPictureError("too slow") from error
        # A negative code is the signal that ended it: a bound was reached, or the decoder crashed.
        if ended.returncode == decoder.REFUSED or ended.returncode < 0:
            raise NoPictureError(f"the decoder ended with {ended.returncode}")
        ended.check_returncode()
        out.seek(0)
        return Reencoded(hash=out.read(decoder.HASH_BYTES).hex(), jpeg=out.read())


@contextmanager
def _turn() -> Iterator[None]:
    if not _places.acquire(blocking=False):
        raise DecoderBusyError
    try:
        if not _one_at_a_time.acquire(timeout=WAIT_SECONDS):
            raise DecoderBusyError
        try:
            yield
        finally:
            _one_at_a_time.release()
    finally:
        _places.release()
