"""Requests sent byte by byte as they are given, since no client library sends broken ones."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from config.storm.engines import HOST

SECONDS = 30


@dataclass(frozen=True)
class RawAnswer:
    """What came back: status 0 for a connection that was closed without an answer, or nothing in time."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


async def exchange(port: int, data: bytes, *, seconds: float = SECONDS) -> RawAnswer:
    """Send bytes on a connection of their own; returns the first answer to them."""
    writer = None
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(HOST, port)
            # Who refuses a body closes before all of it was sent.
            sending = asyncio.create_task(_send(writer, data))
            try:
                return await _answer(reader)
            finally:
                sending.cancel()
    except (OSError, TimeoutError, EOFError, ValueError):
        return RawAnswer(0)
    finally:
        if writer:
            writer.close()


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    with suppress(OSError):
        writer.write(data)
        await writer.drain()


async def _answer(reader: asyncio.StreamReader) -> RawAnswer:
    status, headers = await _head(reader)
    while 100 <= status < 200:
        status, headers = await _head(reader)
    if headers.get("transfer-encoding") == "chunked":
        return RawAnswer(status, headers, await _chunks(reader))
    length = headers.get("content-length")
    body = await reader.read() if length is None else await _exactly(reader, int(length))
    return RawAnswer(status, headers, body)


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {}
    for line in filter(None, lines):
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return int(first.split()[1]), headers


async def _exactly(reader: asyncio.StreamReader, length: int) -> bytes:
    # The answer to HEAD names a length and has no body.
    with suppress(asyncio.IncompleteReadError):
        return await reader.readexactly(length)
    return b""


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int(await reader.readline(), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    return body
