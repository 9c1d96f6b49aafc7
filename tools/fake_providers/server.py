"""What the fakes of payment providers share: a small server that can fail in every way and remembers.

A fake knows the provider's protocol and nothing of the shop, which calls it as it calls the provider.
"""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, RLock, Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

# What is more of a body is left out of the conversation.
MAX_SHOWN = 1_000
MAX_CONVERSATION = 1_000
MASK = "•••"
CONTROL = "/control"


class Trouble(StrEnum):
    """What goes wrong with an answer; all but `error` after the fake has done what it was asked for."""

    slow = "slow"
    drip = "drip"
    error = "error"
    garbage = "garbage"
    lost = "lost"


@dataclass(frozen=True)
class Request:
    """What a fake was sent; header names in small letters."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @cached_property
    def json(self) -> dict[str, Any]:
        """The body as an object; an empty one for anything else."""
        try:
            value = json.loads(self.body or b"{}")
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @cached_property
    def form(self) -> dict[str, str]:
        """The fields of a form."""
        return dict(parse_qsl(self.body.decode(errors="replace"), keep_blank_values=True))


@dataclass(frozen=True)
class Answer:
    """What a fake answers."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, value: Any, status: int = 200) -> "Answer":
        """Answer with JSON."""
        body = json.dumps(value, ensure_ascii=False).encode()
        return cls(body, status, {"Content-Type": "application/json"})

    @classmethod
    def page(cls, title: str, body: str, status: int = 200) -> "Answer":
        """Answer with a page; `title` is text, `body` HTML."""
        html = _PAGE.format(title=escape(title), body=body)
        return cls(html.encode(), status, {"Content-Type": "text/html; charset=utf-8"})

    @classmethod
    def redirect(cls, url: str) -> "Answer":
        """Send a browser elsewhere."""
        return cls(status=303, headers={"Location": url})


class Conversation:
    """The messages between a fake and the shop, readable and without secrets."""

    def __init__(self, secrets: frozenset[str], *, echo: bool) -> None:
        self._secrets = secrets
        self._echo = echo
        self._lines: deque[str] = deque(maxlen=MAX_CONVERSATION)

    def asked(self, method: str, path: str, query: Mapping[str, str], body: bytes) -> None:
        """Note what the shop or a browser sent."""
        target = f"{path}?{_plain_query(self._masked(query))}" if query else path
        self._add(f"→ {method} {target}", body)

    def answered(self, answer: Answer, trouble: Trouble | None) -> None:
        """Note what the fake answers."""
        parts = [str(answer.status), f"({trouble})" if trouble else "", answer.headers.get("Location", "")]
        self._add("← " + " ".join(filter(None, parts)), answer.body)

    def notified(self, url: str, body: bytes, result: str) -> None:
        """Record a notice that the fake has sent, and the shop's answer to it."""
        self._add(f"⇒ notice to {url}", body)
        self._add(f"⇐ {result}", b"")

    def __str__(self) -> str:
        return "\n".join(self._lines)

    def _add(self, line: str, body: bytes) -> None:
        shown = f"{datetime.now():%H:%M:%S} {line}"
        if body:
            shown += f"\n    {self._shown(body)}"
        self._lines.append(shown)
        if self._echo:
            sys.stdout.write(shown + "\n")

    def _shown(self, body: bytes) -> str:
        text = body.decode(errors="replace")
        if text.startswith("<!"):
            return "(a page)"
        try:
            value = json.loads(text)
        except ValueError:
            pairs = dict(parse_qsl(text)) if "=" in text else None
            return (_plain_query(self._masked(pairs)) if pairs else text)[:MAX_SHOWN]
        return json.dumps(self._masked(value), ensure_ascii=False)[:MAX_SHOWN]

    def _masked(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: MASK if key in self._secrets else self._masked(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._masked(each) for each in value]
        return value


def _plain_query(pairs: Mapping[str, Any]) -> str:
    return "&".join(f"{name}={value}" for name, value in pairs.items())


class FakeProvider(ThreadingHTTPServer):
    """A fake that answers on this machine alone.

    `port`: 0 takes a free one. `echo`: whether it prints the conversation as it goes on.
    """

    daemon_threads = True
    # Names of parameters, fields and headers that the conversation leaves out.
    secrets: frozenset[str] = frozenset()

    def __init__(self, port: int = 0, *, echo: bool = False) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.lock = RLock()
        self.conversation = Conversation(self.secrets, echo=echo)
        # How long a slow answer takes, and each byte of one that drips.
        self.slow_seconds: int | float = 30
        self.drip_seconds: int | float = 0.5
        self.stopped = Event()
        self._troubles: deque[Trouble] = deque()

    @property
    def url(self) -> str:
        """The address of this server."""
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def settings(self) -> dict[str, str]:
        """The shop's settings that lead it here, by their names."""
        raise NotImplementedError

    @contextmanager
    def running(self) -> Iterator[None]:
        """Answer in a thread of its own until the block ends."""
        thread = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.stopped.set()
            self.shutdown()
            thread.join()
            self.server_close()

    def cause(self, trouble: Trouble, times: int = 1) -> None:
        """Let the next answers to the shop go wrong."""
        self._troubles.extend([trouble] * times)

    def relieve(self) -> None:
        """Let no further answer go wrong."""
        self._troubles.clear()

    def answer(self, request: Request) -> Answer:
        """Answer a call of the shop or show a page; the lock is held."""
        raise NotImplementedError

    def is_call(self, request: Request) -> bool:
        """Whether a request is one of the shop's calls, which go wrong if `cause` is set."""
        raise NotImplementedError

    def payments(self) -> list[tuple[str, str]]:
        """List the reference of each payment, and what became of it."""
        raise NotImplementedError

    def actions(self) -> Mapping[str, Callable[[str], Any]]:
        """Name what a developer may do to a payment, by the words on the button; each takes its reference."""
        raise NotImplementedError

    def take_trouble(self) -> Trouble | None:
        """Return what shall go wrong with this answer."""
        return self._troubles.popleft() if self._troubles else None

    def respond(self, request: Request) -> Answer:
        """Answer anything that is sent here."""
        if request.path == CONTROL:
            return self._control(request)
        if request.path == "/":
            return Answer.redirect(CONTROL)
        with self.lock:
            return self.answer(request)

    def _control(self, request: Request) -> Answer:
        if request.method != "POST":
            return Answer.page("控制 · Controls", self._controls())
        wanted, reference = request.form.get("action", ""), request.form.get("reference", "")
        if wanted in set(Trouble):
            self.cause(Trouble(wanted))
        elif wanted in self.actions():
            try:
                self.actions()[wanted](reference)
            except KeyError:
                return Answer.page("404", "<p>Unknown payment.</p>", 404)
        return Answer.redirect(CONTROL)

    def _controls(self) -> str:
        troubles = "".join(_button(name, "") for name in Trouble)
        payments = "".join(
            f"<h3>{escape(reference)}: {escape(state)}</h3><div class='row'>"
            + "".join(_button(name, reference) for name in self.actions())
            + "</div>"
            for reference, state in self.payments()
        )
        return (
            f"<h2>下一次回答 · The next answer</h2><div class='row'>{troubles}</div>"
            f"<h2>付款 · Payments</h2>{payments}"
            f"<h2>对话 · Conversation</h2><pre>{escape(str(self.conversation))}</pre>"
        )


def _button(action: str, reference: str) -> str:
    return (
        f'<form method="post" action="{CONTROL}">'
        f'<input type="hidden" name="reference" value="{escape(reference)}">'
        f'<button name="action" value="{escape(action)}">{escape(action)}</button></form>'
    )


class _Handler(BaseHTTPRequestHandler):
    server: FakeProvider

    def _take(self) -> None:
        target = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(
            self.command,
            target.path,
            dict(parse_qsl(target.query, keep_blank_values=True)),
            {name.lower(): value for name, value in self.headers.items()},
            self.rfile.read(length),
        )
        fake = self.server
        is_call = fake.is_call(request)
        is_notified = is_call or request.path not in {CONTROL, "/", "/favicon.ico"}
        trouble = fake.take_trouble() if is_call else None
        if is_notified:
            fake.conversation.asked(request.method, request.path, request.query, request.body)
        answer = Answer(b"", 500) if trouble == Trouble.error else fake.respond(request)
        if is_notified:
            fake.conversation.answered(answer, trouble)
        if trouble == Trouble.slow:
            fake.stopped.wait(fake.slow_seconds)
        if trouble == Trouble.garbage:
            answer = Answer(b"<html>\xff{", 200)
        if trouble != Trouble.lost:
            self._write(answer, drips=trouble == Trouble.drip)

    do_GET = do_POST = do_PUT = do_PATCH = _take  # noqa: N815  the names of http.server

    def _write(self, answer: Answer, *, drips: bool) -> None:
        try:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            if not drips:
                self.wfile.write(answer.body)
                return
            for byte in answer.body:
                self.wfile.write(bytes([byte]))
                if self.server.stopped.wait(self.server.drip_seconds):
                    return
        except ConnectionError:
            # The client waits no more.
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Do nothing: the conversation contains it."""


WARNING = """<p class="warning">这是演示，不会动用任何资金。<br>
<span lang="en">This is a fake. No money moves.</span></p>"""

_PAGE = (
    """<!DOCTYPE html>
<html lang="zh-Hans">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
body {{ margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, "PingFang SC", "Noto Sans SC", sans-serif;
  color: #1b1f2a; background: #f1f2f4; }}
main {{ max-inline-size: 40rem; margin: 1rem auto; padding: 1.25rem; background: #fff;
  border: 1px solid #c9cdd6; border-radius: .75rem; }}
.warning {{ margin: 0; padding: 1rem; font-size: clamp(1.5rem, 7vw, 2.25rem); font-weight: 800;
  line-height: 1.25; text-align: center; color: #3d2600; background: #ffd97a;
  border: 3px dashed #7a4d00; border-radius: .5rem; }}
h1, h2 {{ font-size: 1.25rem; }}
dl div {{ display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding-block: .5rem;
  border-block-end: 1px solid #e3e5ea; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
button {{ min-block-size: 44px; margin: .25rem 0; padding: .5rem 1rem; font: inherit; }}
.choice button {{ inline-size: 100%; }}
h3 {{ margin-block: 1rem 0; font-size: 1rem; overflow-wrap: anywhere; }}
.row form {{ display: inline-block; margin-inline-end: .25rem; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; }}
</style>
<main>
"""
    + WARNING
    + """
<h1>{title}</h1>
{body}
</main>
</html>
"""
)


def pay_page(
    title: str, facts: Mapping[str, str], choices: Mapping[str, str], action: str, message: str = ""
) -> Answer:
    """Show what is to be paid and a button for each choice, the form's field `outcome`.

    `choices`: texts by outcome. `action`: where the form goes. `message`: a text for the payer.
    """
    rows = "".join(f"<div><dt>{escape(name)}<dd>{escape(value)}</div>" for name, value in facts.items())
    buttons = "".join(
        f'<p><button name="outcome" value="{escape(outcome)}">{escape(text)}</button>'
        for outcome, text in choices.items()
    )
    status = f'<p role="status">{escape(message)}</p>' if message else ""
    form = f'<form class="choice" method="post" action="{escape(action)}">{buttons}</form>'
    return Answer.page(title, f"<dl>{rows}</dl>{status}{form}")
