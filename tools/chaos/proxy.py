"""A TCP proxy between a shop and its database server, which delays, resets, or lets nothing pass."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tools.launch import HOST

_CHUNK = 1 << 16


class Proxy:
    """Passes connections on to a port of the loopback; `delay`: seconds that each piece is kept."""

    def __init__(self, server_port: int) -> None:
        self.port = 0
        self.delay = 0.0
        self._server_port = server_port
        self._passes = asyncio.Event()
        self._passes.set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def block(self) -> None:
        """Let nothing pass, as if the cable were cut: neither an answer nor an error comes."""
        self._passes.clear()

    async def unblock(self) -> None:
        """Let everything pass again, also what was sent in the meantime."""
        self._passes.set()

    async def reset(self) -> None:
        """Reset all connections."""
        for writer in list(self._writers):
            sock = writer.get_extra_info("socket")
            # With this a close sends RST; one that is closed already is left as it is.
            with suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one connection on, until either side ends it."""
        self._writers.add(writer)
        server = None
        try:
            with suppress(OSError):
                server_reader, server = await asyncio.open_connection(HOST, self._server_port)
                self._writers.add(server)
                await asyncio.gather(self._pass_on(reader, server), self._pass_on(server_reader, writer))
        finally:
            for each in (writer, server):
                if each:
                    self._writers.discard(each)
                    each.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(_CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self._passes.wait()
                writer.write(piece)
                await writer.drain()
        finally:
            writer.close()


@asynccontextmanager
async def proxy_to(server_port: int) -> AsyncIterator[Proxy]:
    """Run a proxy to a port of the loopback, on a free port of its own."""
    proxy = Proxy(server_port)
    server = await asyncio.start_server(proxy.accept, HOST)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.unblock()
        await proxy.reset()
