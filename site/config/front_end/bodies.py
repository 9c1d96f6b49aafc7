"""Reads request bodies before a thread handles them, within limits of size, time and disk space."""

import asyncio
from contextlib import suppress
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.conf import settings

from core.errors import Err, ShopError

# Longer bodies are spooled to a temporary file.
MAX_IN_MEMORY = 64 * 1024
# The limit for all requests of a process together, in temporary files.
MAX_SPOOLED = 512 * 1024 * 1024
# Each time this many bytes arrive, the body gets another second.
MIN_BYTES_PER_SECOND = 16 * 1024
# If the connection were closed immediately, a client that is still sending would not read the refusal.
LINGER_SECONDS, MAX_LINGER = 2, 16 * 1024 * 1024


class Body:
    """A request's body, completely read."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self.file = file
        self.size = size


class BodyReader:
    """Reads the bodies of a process's requests in its event loop."""

    def __init__(self) -> None:
        self._spooled = 0

    async def read(self, protocol: Any, *, length: int | None, maximum: int) -> Body:
        """Read a whole body; `length` is None for a chunked body.

        Raises ShopError(body_too_large, body_too_slow, shop_busy); parameter_error if the body is incomplete.
        """
        if length is not None and length > maximum:
            raise ShopError(Err.body_too_large)
        try:
            async with asyncio.timeout(settings.WEB_BODY_SECONDS) as limit:
                if length is not None and length <= MAX_IN_MEMORY:
                    return await _read_whole(protocol)
                return await self._read_in_parts(protocol, maximum, limit)
        except TimeoutError:
            raise ShopError(Err.body_too_slow) from None

    def release(self, body: Body) -> None:
        """Release a body's memory and disk space."""
        body.file.close()
        if body.size > MAX_IN_MEMORY:
            self._spooled -= body.size

    async def _read_in_parts(self, protocol: Any, maximum: int, limit: asyncio.Timeout) -> Body:
        body = Body(SpooledTemporaryFile(MAX_IN_MEMORY), 0)  # noqa: SIM115  closed with the body
        earliest = limit.when() or 0.0
        empty_parts = 0
        try:
            async for part in protocol:
                empty_parts += not part
                self._grow(body, len(part), maximum)
                body.file.write(part)
                limit.reschedule(earliest + body.size / MIN_BYTES_PER_SECOND)
            # Granian ends a complete body with one empty part, an incomplete one with two.
            if empty_parts > 1:
                raise ShopError(Err.parameter_error)
        except BaseException:
            self.release(body)
            raise
        body.file.seek(0)
        return body

    def _grow(self, body: Body, by: int, maximum: int) -> None:
        before, body.size = body.size, body.size + by
        if body.size > MAX_IN_MEMORY:
            self._spooled += by if before > MAX_IN_MEMORY else body.size
        if body.size > maximum:
            raise ShopError(Err.body_too_large)
        if self._spooled > MAX_SPOOLED:
            raise ShopError(Err.shop_busy, retry_after=1)


async def _read_whole(protocol: Any) -> Body:
    try:
        content = await protocol()
    except RuntimeError:
        raise ShopError(Err.parameter_error) from None
    return Body(BytesIO(content), len(content))


async def discard(protocol: Any) -> None:
    """Read on for a moment, so that a client which is still sending can read the refusal."""
    left = MAX_LINGER
    # The code that refused the request may have begun to read its body.
    with suppress(RuntimeError):
        aiter(protocol)
    with suppress(TimeoutError, StopAsyncIteration):
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0:
                left -= len(await anext(protocol))
