"""A mail server on the loopback that takes every message and notes when it came."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

from tools.launch import HOST

_ANSWERS = {b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}
_RECIPIENT = re.compile(rb"RCPT TO:<([^>]+)>", re.IGNORECASE)


@dataclass
class MailServer:
    """What it took: to whom and when, by the monotonic clock.

    `pause`: how many seconds it thinks about each message.
    """

    url: str
    pause: float = 0
    taken: list[tuple[str, float]] = field(default_factory=list)

    def wait_for(self, number: int, seconds: float) -> bool:
        """Wait until it has taken so many messages; returns whether it has."""
        until = time.monotonic() + seconds
        while len(self.taken) < number and time.monotonic() < until:
            time.sleep(0.05)
        return len(self.taken) >= number


@contextmanager
def mail_server_at_work() -> Iterator[MailServer]:
    """Run a mail server on a free port of the loopback."""

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 ready\r\n")
            to, is_text = "", False
            for line in self.rfile:
                if is_text and line != b".\r\n":
                    continue
                if is_text:
                    time.sleep(server.pause)
                    server.taken.append((to, time.monotonic()))
                if found := _RECIPIENT.match(line):
                    to = found[1].decode()
                is_text = line.upper() == b"DATA\r\n"
                self.wfile.write(_ANSWERS.get(line[:4].upper(), b"250 ok\r\n"))

    class Server(ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 100

    with Server((HOST, 0), Handler) as listening:
        server = MailServer(f"smtp://{HOST}:{listening.server_address[1]}")
        Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        yield server
        listening.shutdown()
