"""Re-encodes uploaded pictures in a separate process with little memory and time.

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
# Python and Pillow need 30 MiB of this, the largest accepted picture up to 175.
MAX_MEMORY = 224 * 1024 * 1024
# The largest accepted picture takes one second; a hostile JPEG repeats itself for hours.
MAX_PROCESSOR_SECONDS = 4
# The processor may be busy with requests of shoppers.
MAX_SECONDS = 8.0
# A picture of noise alone has 9 MB.
MAX_OUTPUT = 12 * 1024 * 1024
# Most pictures need at most this long.
WAIT_SECONDS = 1.0

# In each process one thread waits for a decoder and one for its turn; the other threads stay free.
_places = BoundedSemaphore(2)
_one_at_a_time = Lock()


class NoPictureError(Exception):
    """Raised if a file is not a JPEG, PNG or WebP, is too large or cannot be read completely."""


class DecoderBusyError(Exception):
    """Raised if too many pictures are uploaded concurrently."""


class Reencoded(NamedTuple):
    """A picture as a JPEG, and a hash of 1024 bits in hex; similar pictures have similar hashes."""

    jpeg: bytes
    hash: str


def reencode(data: bytes) -> Reencoded:
    """Return a picture re-encoded as a JPEG, upright, on white, at most 2400 pixels per side, and its hash.

    Only its pixels are stored: no location, camera, comment or script. A separate process with an empty
    environment and limits of memory and time decodes it. Waits at most a second for another picture.
    Raises NoPictureError, DecoderBusyError.
    """
    if len(data) > MAX_BYTES:
        raise NoPictureError("too many bytes")
    bounds = [str(MAX_MEMORY), str(MAX_PROCESSOR_SECONDS), str(MAX_OUTPUT)]
    # The size of a file can be limited, but not the output to a pipe.
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
        # A negative code is the signal that ended the decoder: it reached a limit or crashed.
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
