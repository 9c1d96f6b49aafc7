"""Converts granian's request (RSGI) to the WSGI environment that Django reads (PEP 3333)."""

import sys
from functools import lru_cache
from typing import Any

from config.front_end.bodies import Body
from config.front_end.files import SentFile

_SAME_FOR_ALL: dict[str, Any] = {
    "SCRIPT_NAME": "",
    "wsgi.errors": sys.stderr,
    "wsgi.file_wrapper": SentFile,
    "wsgi.input_terminated": True,
    "wsgi.multiprocess": True,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
}
_PROTOCOLS = {"1": "HTTP/1.0", "1.1": "HTTP/1.1"}


def environ_of(scope: Any, path: str, body: Body) -> dict[str, Any]:
    """Return the WSGI environment of a request with its body; `path` is decoded text."""
    server, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = _SAME_FOR_ALL | {
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": _as_wsgi(path),
        "QUERY_STRING": _as_wsgi(scope.query_string),
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": _PROTOCOLS.get(scope.http_version, "HTTP/1.1"),
        "HTTP_HOST": "",
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body.file,
    }
    seen = set()
    for name, value in scope.headers.items():
        key = _key(name)
        if key in seen:
            environ[key] += f"{'; ' if key == 'HTTP_COOKIE' else ','}{value}"
        elif key:
            seen.add(key)
            environ[key] = value
    if body.size:
        environ["CONTENT_LENGTH"] = str(body.size)
    return environ


def _as_wsgi(text: str) -> str:
    """Return granian's text, decoded as UTF-8, in WSGI's form: bytes decoded as Latin-1."""
    return text if text.isascii() else text.encode().decode("latin-1")


@lru_cache(1024)
def _key(name: str) -> str:
    """Return a header's key in the environment; empty for a header that Django must not see.

    A name with an underscore could imitate a header that a proxy sets. Transfer-Encoding is dropped, since
    the body's length is known by now.
    """
    if "_" in name or name == "transfer-encoding":
        return ""
    key = name.upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
