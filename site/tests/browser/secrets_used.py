"""What the walks have sent that no log may hold: tokens, passwords, codes, telephone numbers, ID cards."""

import json
import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from playwright.sync_api import Request

# The fields of requests and messages that have them; an account may be a telephone number.
SECRET = re.compile(r"password|^code$|token|idCard$|phone$|^account$|^to$", re.IGNORECASE)
# What a line of the log has numbers in that mean something else.
NUMBERS = {"timestamp", "ms", "status", "customer", "request_id"}
# The start of a demonstration prints its passwords.
GREETING = ("Customers: ", "Back office: ")

used: set[str] = set()


def note(sent: object) -> None:
    """Note the secrets of a request's or a message's fields, at any depth."""
    if isinstance(sent, list):
        for part in sent:
            note(part)
    if isinstance(sent, dict):
        for name, value in sent.items():
            if isinstance(value, str) and SECRET.search(name) and _is_secret(name, value):
                used.add(value)
            else:
                note(value)


def _is_secret(name: str, value: str) -> bool:
    # An address for e-mail is not among them.
    return len(value) >= 6 and (name not in {"account", "to"} or re.fullmatch(r"[+\d ]+", value) is not None)


def note_request(request: Request) -> None:
    """Note the secrets that a page sends."""
    note({"token": request.headers.get("token", "")})
    body = request.post_data_buffer if request.method != "GET" else None
    if not body or "multipart" in request.headers.get("content-type", ""):
        return
    text = body.decode("utf-8", errors="replace")
    note(json.loads(text) if text.startswith(("{", "[")) else dict(parse_qsl(text)))


def note_messages(data_dir: Path) -> None:
    """Note the codes that the shop has sent, and to which telephone numbers."""
    for file in (data_dir / "outbox").glob("*.json"):
        note(json.loads(file.read_text("utf-8")))


def leaks(log: str, secrets: Set[str]) -> list[str]:
    """Return the lines of a log that hold one of the secrets, as a word of its own."""
    if not secrets:
        return []
    parts = "|".join(re.escape(secret) for secret in sorted(secrets, key=len, reverse=True))
    any_of_them = re.compile(rf"(?<![\w.-])(?:{parts})(?![\w-])")
    lines = [line for line in log.splitlines() if not line.startswith(GREETING)]
    return [line for line in lines if any_of_them.search(" ".join(_texts(line)))]


def _texts(line: str) -> Iterator[str]:
    try:
        fields: Any = json.loads(line)
    except ValueError:
        fields = line
    if not isinstance(fields, dict):
        yield line
        return
    for name, value in fields.items():
        if name not in NUMBERS:
            yield value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
