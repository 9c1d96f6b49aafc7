"""Sends Django's answers through granian, and the front end's own answers."""

import asyncio
import html
import json
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.http import HttpResponse

from config.front_end.files import SentFile
from config.middleware.request_log import REQUEST_ID, log_outcome, request_id_of
from config.paths import API
from config.wsgi import application
from core.errors import ShopError
from core.wire import refusal

_BATCH_BYTES = 64 * 1024
# Reading a file up to this size costs less than letting granian open it again.
_MAX_READ = 256 * 1024
_NEVER_CACHED = ("Cache-Control", "max-age=0, no-cache, no-store, must-revalidate, private")
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{en}</title>
</head>
<body>
<h1>{en}</h1>
<p lang="zh-Hans">{zh}</p>
</body>
</html>
"""


def answer_with_django(environ: dict[str, Any], protocol: Any, loop: asyncio.AbstractEventLoop) -> None:
    """Let Django answer a request in this thread; then close the response."""
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None, /) -> Any:
        head[:] = int(status[:3]), headers

    result = application(environ, start_response)
    try:
        status, headers = head
        if isinstance(result, HttpResponse):
            protocol.response_bytes(status, headers, result.content)
        elif isinstance(result, SentFile):
            _send_file(protocol, status, headers, result)
        else:
            _stream(protocol.response_stream(status, headers), result, loop)
    finally:
        result.close()


def _send_file(protocol: Any, status: int, headers: list[tuple[str, str]], file: SentFile) -> None:
    path = file.path()
    if path and Path(path).stat().st_size > _MAX_READ:
        protocol.response_file(status, headers, path)
    else:
        protocol.response_bytes(status, headers, b"".join(file))


def _stream(transport: Any, parts: Any, loop: asyncio.AbstractEventLoop) -> None:
    """Stream an answer while Django produces it, until its end or until the client disconnects.

    Granian buffers what a slow client has not read yet, so large answers should be files.
    """

    async def send(batch: bytes) -> None:
        await transport.send_bytes(batch)

    batch = bytearray()
    try:
        for part in parts:
            batch += part
            if len(batch) >= _BATCH_BYTES:
                asyncio.run_coroutine_threadsafe(send(bytes(batch)), loop).result()
                batch.clear()
        asyncio.run_coroutine_threadsafe(send(bytes(batch)), loop).result()
    except RuntimeError:
        # Granian raises it if the client has disconnected.
        return


def answer_that_it_lives(scope: Any, protocol: Any) -> None:
    """Answer the liveness check of this process, as `config.health.live` does."""
    body = b'{"status": "ok"}'
    request_id = request_id_of(scope.headers.get(REQUEST_ID, ""))
    protocol.response_bytes(200, _headers("application/json", body, request_id), body)


def refuse(scope: Any, protocol: Any, path: str, error: ShopError, *, started: float, is_read: bool) -> None:
    """Send a refusal, in the envelope or as a page in both languages, and log it.

    `started`: when the request arrived (`time.perf_counter`). `is_read`: whether its body was read; otherwise
    the connection is closed.
    """
    err = error.err
    if path.startswith(API):
        status, kind = err.status, "application/json; charset=utf-8"
        body = json.dumps(refusal(err), ensure_ascii=False).encode()
    else:
        # A refusal in the envelope may have status 200; a page never does.
        status = HTTPStatus.BAD_REQUEST if err.status == HTTPStatus.OK else err.status
        kind = "text/html; charset=utf-8"
        body = _PAGE.format(en=html.escape(err.en), zh=html.escape(err.zh)).encode()
    request_id = request_id_of(scope.headers.get(REQUEST_ID, ""))
    headers = _headers(kind, body, request_id)
    if error.retry_after is not None:
        headers.append(("Retry-After", str(error.retry_after)))
    if not is_read:
        headers.append(("Connection", "close"))
    log_outcome(
        method=scope.method,
        path=path,
        status=int(status),
        milliseconds=(time.perf_counter() - started) * 1000,
        request_id=request_id,
    )
    protocol.response_bytes(int(status), headers, body)


def _headers(kind: str, body: bytes, request_id: str) -> list[tuple[str, str]]:
    return [
        ("Content-Type", kind),
        ("Content-Length", str(len(body))),
        _NEVER_CACHED,
        ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"),
        (REQUEST_ID, request_id),
    ]
