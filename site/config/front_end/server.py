"""The RSGI application that granian calls once for each request, in a process's event loop."""

import asyncio
import time
from functools import partial
from io import BytesIO
from typing import Any

from django.conf import settings

from config.body_sizes import max_body
from config.front_end.answers import answer_that_it_lives, answer_with_django, refuse
from config.front_end.bodies import Body, BodyReader, discard
from config.front_end.environ import environ_of
from config.front_end.worker_pools import (
    HASHING_THREADS,
    HASHING_WAIT_SECONDS,
    READING_WAIT_SECONDS,
    WRITING_WAIT_SECONDS,
    WorkerPool,
    hashes_a_password,
    only_reads,
)
from config.paths import LIVENESS
from core.errors import Err, ShopError


class Front:
    """Answers the liveness check, reads whole bodies, and passes all other work to Django's threads."""

    def __init__(self) -> None:
        self._bodies = BodyReader()
        threads = settings.WEB_THREADS
        self._reading = WorkerPool("reading", threads=threads, wait_seconds=READING_WAIT_SECONDS)
        self._writing = WorkerPool("writing", threads=threads, wait_seconds=WRITING_WAIT_SECONDS)
        self._hashing = WorkerPool("hashing", threads=HASHING_THREADS, wait_seconds=HASHING_WAIT_SECONDS)
        self._pools = self._reading, self._writing, self._hashing

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads; called once in each process, before its first request."""
        for pool in self._pools:
            pool.start(loop)

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Stop the threads; called in each process, after its last request."""
        for pool in self._pools:
            pool.stop()

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Answer one request."""
        started = time.perf_counter()
        method, path = scope.method, scope.path
        if path == LIVENESS and method in ("GET", "HEAD"):
            answer_that_it_lives(scope, protocol)
            return
        headers = scope.headers
        body = None
        has_body = "content-length" in headers or "transfer-encoding" in headers
        try:
            if has_body:
                length = None if "transfer-encoding" in headers else int(headers.get("content-length"))
                cookies = "; ".join(headers.get_all("cookie"))
                maximum = max_body(path, headers.get("content-type", ""), cookies)
                body = await self._bodies.read(protocol, length=length, maximum=maximum)
            environ = environ_of(scope, path, body or Body(BytesIO(), 0))
            work = partial(answer_with_django, environ, protocol, asyncio.get_running_loop())
            await self._pool_for(method, path).run(work)
        except ShopError as error:
            is_read = body is not None or not has_body
            refuse(scope, protocol, path, error, started=started, is_read=is_read)
            if error.err is Err.body_too_large and "expect" not in headers:
                await discard(protocol)
        finally:
            if body:
                self._bodies.release(body)

    def _pool_for(self, method: str, path: str) -> WorkerPool:
        if hashes_a_password(method, path):
            return self._hashing
        return self._reading if only_reads(method, path) else self._writing


application = Front()
