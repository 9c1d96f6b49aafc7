import json
import logging
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.core import mail
from django.utils import timezone

from commerce.messaging import services
from commerce.messaging.models import Message
from commerce.messaging.tasks import sweep_messages
from commerce.messaging.tests.outbox import messages

pytestmark = pytest.mark.django_db
MOBILE = "+61412345678"


def write(to: str = MOBILE, **kw: Any) -> Message:
    fields: dict[str, Any] = {
        "subject": "Your code",
        "text": "Your code is 123456.",
        "code": "123456",
        "expires_at": timezone.now() + timedelta(minutes=10),
    }
    return services.write_message(to=to, **fields | kw)


class Gateway(HTTPServer):
    """A double of an SMS gateway: records what it is sent and answers `status`."""

    status = 200

    def __init__(self) -> None:
        self.taken: list[tuple[str, dict[str, Any]]] = []
        super().__init__(("127.0.0.1", 0), _Taker)


class _Taker(BaseHTTPRequestHandler):
    server: Gateway

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.taken.append((self.path, json.loads(body)))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def gateway(settings: LazySettings) -> Iterator[Gateway]:
    with Gateway() as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        settings.SMS_URL = f"json://127.0.0.1:{server.server_port}/send/{{to}}"
        yield server
        server.shutdown()
        thread.join()


def test_an_sms_goes_to_the_gateway(gateway: Gateway) -> None:
    message = write()
    services.deliver(message.pk)
    ((path, body),) = gateway.taken
    assert path.rstrip("/") == "/send/61412345678"
    assert body["message"] == "Your code is 123456."
    assert messages() == []
    message.refresh_from_db()
    assert message.sent_at is not None
    assert (message.text, message.code) == ("", "")


def test_what_was_sent_is_not_sent_again(gateway: Gateway) -> None:
    message = write()
    services.deliver(message.pk)
    services.deliver(message.pk)
    sweep_messages()
    services.deliver(message.pk + 1)
    assert len(gateway.taken) == 1


def test_a_failing_gateway_is_tried_three_times_each_later_than_before(gateway: Gateway) -> None:
    gateway.status = 500
    start = timezone.now()
    tries = []
    write()
    for minute in range(10):
        with time_machine.travel(start + timedelta(minutes=minute, seconds=1), tick=False):
            before = len(gateway.taken)
            sweep_messages()
            if len(gateway.taken) > before:
                tries.append(minute)
    assert tries == [0, 1, 3]
    message = Message.objects.get()
    assert (message.attempts, message.sent_at) == (3, None)


def test_a_gateway_that_works_again_gets_the_remaining_messages(gateway: Gateway) -> None:
    gateway.status = 500
    services.deliver(write().pk)
    gateway.status = 200
    with time_machine.travel(timezone.now() + timedelta(minutes=1, seconds=1)):
        sweep_messages()
    assert len(gateway.taken) == 2
    assert Message.objects.get().sent_at is not None


def test_a_code_that_expired_is_not_sent(gateway: Gateway) -> None:
    write()
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        sweep_messages()
    assert gateway.taken == []


@pytest.mark.parametrize("url", ["nonsense://{to}", "{to}", "json://127.0.0.1:1/{to}"])
def test_a_gateway_that_cannot_be_used_fails_and_is_logged_masked(
    settings: LazySettings, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SMS_URL = url
    caplog.set_level(logging.INFO)
    message = write()
    services.deliver(message.pk)
    message.refresh_from_db()
    assert (message.attempts, message.sent_at) == (1, None)
    assert "+61***78" in caplog.text
    assert "412345" not in caplog.text
    assert "123456" not in caplog.text.replace("+61***78", "")


def test_an_email_goes_by_djangos_mail(settings: LazySettings) -> None:
    settings.EMAIL_URL = "smtp://mail.example.com"
    services.deliver(write("demo@example.com").pk)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject, sent.body) == (["demo@example.com"], "Your code", "Your code is 123456.")
    assert messages() == []


def test_without_gateways_messages_are_files_in_the_outbox_newest_last(settings: LazySettings) -> None:
    for number in range(12):
        services.deliver(write(code=f"{number:06}").pk)
    assert [message["code"] for message in messages()] == [f"{number:06}" for number in range(12)]
    assert messages()[0] == {
        "to": MOBILE,
        "channel": "sms",
        "subject": "Your code",
        "text": "Your code is 123456.",
        "code": "000000",
    }
    names = [file.name for file in (settings.DATA_DIR / "outbox").iterdir()]
    assert len(names) == 12
    assert all(name.endswith(".json") for name in names)
