import json
import logging
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPServerDisconnected
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Semaphore, Thread
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone

from commerce.messaging import services
from commerce.messaging.models import Message
from commerce.messaging.tasks import send_due_messages, wipe_expired_messages
from commerce.messaging.tests.outbox import messages
from core.gateways import MAX_FAILURES, MAX_RUNNING_ON
from core.tests.failing import failing_for
from core.tests.rows import stored

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


def delivered(to: str = MOBILE, **kw: Any) -> Message:
    """Write a message and try to send it."""
    message = write(to, **kw)
    services.deliver(message.pk)
    message.refresh_from_db()
    return message


class Gateway(HTTPServer):
    """A fake of an SMS gateway: records what it is sent and answers `status`."""

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
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        settings.SMS_URL = f"json://127.0.0.1:{server.server_port}/send/{{to}}"
        yield server
        server.shutdown()
        thread.join()


def test_an_sms_goes_to_the_gateway(gateway: Gateway) -> None:
    message = delivered()
    ((path, body),) = gateway.taken
    assert path.rstrip("/") == "/send/61412345678"
    assert body["message"] == "Your code is 123456."
    assert messages() == []
    assert message.sent_at is not None
    assert (message.text, message.code) == ("", "")


def test_what_was_sent_is_not_sent_again(gateway: Gateway) -> None:
    message = delivered()
    services.deliver(message.pk)
    send_due_messages()
    services.deliver(message.pk + 1)
    assert len(gateway.taken) == 1


def test_a_failing_gateway_is_tried_each_time_later_while_the_message_is_worth_sending(
    gateway: Gateway,
) -> None:
    gateway.status = 500
    start = timezone.now()
    tries = []
    write()
    for minute in range(20):
        with time_machine.travel(start + timedelta(minutes=minute, seconds=1), tick=False):
            before = len(gateway.taken)
            send_due_messages()
            if len(gateway.taken) > before:
                tries.append(minute)
    assert tries == [0, 1, 3, 7]
    message = Message.objects.get()
    assert (message.attempts, message.sent_at) == (4, None)


def test_a_message_whose_sending_was_killed_is_sent_in_the_next_minute_each_time(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        """Ends the task as a kill would: nothing after it runs."""

    def be_killed(_message: Message) -> None:
        raise KilledError

    start = timezone.now()
    write()
    with monkeypatch.context() as killing:
        killing.setattr(services, "_send", be_killed)
        for minute in range(4):
            with time_machine.travel(start + timedelta(minutes=minute, seconds=1), tick=False):
                with pytest.raises(KilledError):
                    send_due_messages()
                # The worker that holds it may still be sending.
                send_due_messages()
    assert Message.objects.get().attempts == 4
    with time_machine.travel(start + timedelta(minutes=4, seconds=1), tick=False):
        send_due_messages()
    assert len(gateway.taken) == 1


def test_a_gateway_that_works_again_gets_the_remaining_messages(gateway: Gateway) -> None:
    gateway.status = 500
    services.deliver(write().pk)
    gateway.status = 200
    with time_machine.travel(timezone.now() + timedelta(minutes=1, seconds=1)):
        send_due_messages()
    assert len(gateway.taken) == 2
    assert Message.objects.get().sent_at is not None


def test_a_code_that_expired_is_not_sent(gateway: Gateway) -> None:
    write()
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        send_due_messages()
    assert gateway.taken == []


@pytest.mark.parametrize("url", ["nonsense://{to}", "{to}", "json://127.0.0.1:1/{to}"])
def test_a_gateway_that_cannot_be_used_fails_and_is_logged_masked(
    settings: LazySettings, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SMS_URL = url
    caplog.set_level(logging.INFO)
    message = delivered()
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


def test_the_unsubscribe_link_of_a_mail_is_in_its_headers_and_is_not_kept(settings: LazySettings) -> None:
    settings.EMAIL_URL = "smtp://mail.example.com"
    link = f"https://shop.example/zh-hans/shop/notices/{'t0ken' * 30}"
    for kw in ({"unsubscribe_url": link}, {}):
        delivered("mei@example.com", **kw)
    ended, plain = (sent.message() for sent in mail.outbox)
    # As it is sent, which may fold a line before the link and never within it.
    headers = re.sub(r"\n +", " ", ended.as_bytes().decode()).splitlines()
    assert [line.split() for line in headers if line.startswith("List-Unsubscribe:")] == [
        ["List-Unsubscribe:", f"<{link}>"]
    ]
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in headers
    assert "List-Unsubscribe" not in plain.as_string()
    assert set(Message.objects.values_list("text", "unsubscribe_url")) == {("", "")}
    # An SMS has no headers.
    assert write(unsubscribe_url=link).unsubscribe_url == ""
    expired = write("mei@example.com", unsubscribe_url=link, expires_at=timezone.now())
    wipe_expired_messages()
    assert stored(expired, "text", "unsubscribe_url") == ("", "")


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


def refused(to: str, code: int) -> SMTPRecipientsRefused:
    return SMTPRecipientsRefused({to: (code, b"no")})


class MailServer:
    """A fake of a mail server: counts the messages it receives and fails as the test configures it."""

    def __init__(self) -> None:
        self.asked = 0
        self.failure: Exception | None = None

    def send(self) -> None:
        self.asked += 1
        if self.failure:
            raise self.failure


@pytest.fixture
def mail_server(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> MailServer:
    settings.EMAIL_URL = "smtp://mail.example.com"
    server = MailServer()
    monkeypatch.setattr(EmailMessage, "send", lambda _message: server.send())
    return server


def test_no_log_has_the_link_of_a_mail_that_was_not_sent(
    mail_server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    mail_server.failure = SMTPServerDisconnected("List-Unsubscribe: <https://shop.example/notices/t0ken>")
    message = delivered("mei@example.com", unsubscribe_url="https://shop.example/notices/t0ken")
    assert "not sent" in caplog.text
    assert "t0ken" not in caplog.text
    assert message.unsubscribe_url


def test_a_message_outlives_an_outage_while_it_is_worth_sending(mail_server: MailServer) -> None:
    start = timezone.now()
    mail_server.failure = SMTPServerDisconnected()
    message = write("mei@example.com", expires_at=start + timedelta(hours=1))
    others = [write(f"{number}@example.com").pk for number in range(6)]
    for minute in range(6):
        with time_machine.travel(start + timedelta(minutes=minute, seconds=1), tick=False):
            send_due_messages()
    message.refresh_from_db()
    # The breaker opened, and what it held back was no attempt.
    assert (message.sent_at, message.attempts < 4, mail_server.asked < 15) == (None, True, True)
    mail_server.failure = None
    for minute in range(6, 9):
        with time_machine.travel(start + timedelta(minutes=minute, seconds=1), tick=False):
            send_due_messages()
    assert Message.objects.exclude(sent_at=None).count() == 1 + len(others)


def test_messages_that_wait_for_a_gateway_left_alone_lose_no_attempt(mail_server: MailServer) -> None:
    mail_server.failure = SMTPServerDisconnected()
    for number in range(MAX_FAILURES):
        services.deliver(write(f"{number}@example.com").pk)
    message = delivered("mei@example.com")
    assert (message.attempts, message.text, mail_server.asked) == (0, "Your code is 123456.", MAX_FAILURES)
    assert message.send_after > timezone.now()


def test_what_is_refused_for_good_is_wiped_and_not_tried_again(mail_server: MailServer) -> None:
    for failure in (refused("mei@example.com", 550), SMTPDataError(554, b"spam")):
        mail_server.failure = failure
        message = delivered("mei@example.com")
        assert (message.sent_at, message.text, message.code) == (None, "", "")
    with time_machine.travel(timezone.now() + timedelta(minutes=5)):
        send_due_messages()
    assert mail_server.asked == 2


def test_addresses_that_do_not_exist_do_not_stop_the_mail_of_others(mail_server: MailServer) -> None:
    mail_server.failure = refused("noone@example.com", 550)
    for _ in range(2 * MAX_FAILURES):
        services.deliver(write("noone@example.com").pk)
    mail_server.failure = None
    assert delivered("mei@example.com").sent_at is not None


def test_a_server_that_answers_not_now_is_asked_again(mail_server: MailServer) -> None:
    mail_server.failure = refused("mei@example.com", 450)
    message = delivered("mei@example.com")
    mail_server.failure = None
    with time_machine.travel(timezone.now() + timedelta(minutes=1, seconds=1)):
        send_due_messages()
    assert stored(message, "sent_at") is not None


def test_text_and_code_of_a_message_are_wiped_when_it_expires(gateway: Gateway) -> None:
    gateway.status = 500
    message, living = delivered(), write(expires_at=timezone.now() + timedelta(hours=1))
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        wipe_expired_messages()
    message.refresh_from_db()
    living.refresh_from_db()
    assert (message.text, message.code, message.sent_at) == ("", "", None)
    assert (living.text, living.code) == ("Your code is 123456.", "123456")


class DrippingServer(ThreadingTCPServer):
    """A server that answers with a byte now and then until it is well, and then as `answer` does.

    `closed` counts the connections on which it dripped and that were closed.
    """

    daemon_threads = True

    def __init__(self, answer: Callable[[StreamRequestHandler], None]) -> None:
        self.answer, self.is_well, self.closed = answer, False, Semaphore(0)
        self._is_over = Event()
        super().__init__(("127.0.0.1", 0), _Dripper)

    def drip(self, connection: socket.socket) -> None:
        with suppress(OSError):
            while not self.is_well and not self._is_over.wait(0.02):
                connection.sendall(b"2")
        self.closed.release()

    def server_close(self) -> None:
        self._is_over.set()
        self.shutdown()
        super().server_close()


class _Dripper(StreamRequestHandler):
    server: DrippingServer

    def handle(self) -> None:
        if self.server.is_well:
            self.server.answer(self)
        else:
            self.server.drip(self.request)


def take_mail(server: StreamRequestHandler) -> None:
    answers = {b"DATA": b"354 go on\r\n", b"QUIT": b"221 bye\r\n"}
    server.wfile.write(b"220 ready\r\n")
    is_text = False
    for line in server.rfile:
        if is_text and line != b".\r\n":
            continue
        command = line[:4].upper()
        is_text = command == b"DATA"
        server.wfile.write(answers.get(command, b"250 ok\r\n"))


def take_sms(server: StreamRequestHandler) -> None:
    for line in server.rfile:
        if line == b"\r\n":
            break
    server.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


@pytest.mark.parametrize(("to", "answer"), [("mei@example.com", take_mail), (MOBILE, take_sms)])
def test_a_server_that_drips_costs_its_caller_a_bounded_time_and_gets_messages_when_it_recovers(
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
    to: str,
    answer: Callable[[StreamRequestHandler], None],
) -> None:
    with DrippingServer(answer) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        settings.EMAIL_URL, settings.MAIL_BACKEND = "smtp", "django.core.mail.backends.smtp.EmailBackend"
        settings.SMS_URL = f"json://127.0.0.1:{settings.EMAIL_PORT}/{{to}}"
        with monkeypatch.context() as impatient:
            impatient.setattr(services, "GATEWAY_SECONDS", 0.2)
            for _ in range(MAX_RUNNING_ON):
                services.deliver(write(to).pk)
        assert set(Message.objects.values_list("attempts", "sent_at")) == {(1, None)}
        server.is_well = True
        assert all(server.closed.acquire(timeout=20) for _ in range(MAX_RUNNING_ON))
        for thread in threading.enumerate():
            if thread.name in ("mail", "sms"):
                thread.join(20)
        assert delivered(to).sent_at is not None


def test_messages_for_which_earlier_calls_leave_no_thread_lose_no_attempt(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.com"
    end = Event()
    monkeypatch.setattr(EmailMessage, "send", lambda _message: end.wait())
    monkeypatch.setattr(services, "GATEWAY_SECONDS", 0.01)
    for number in range(MAX_RUNNING_ON):
        services.deliver(write(f"{number}@example.com").pk)
    message = delivered("mei@example.com")
    end.set()
    assert (message.attempts, message.text) == (0, "Your code is 123456.")
    assert message.send_after > timezone.now()


def test_a_message_that_cannot_be_read_stops_no_other(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = write(), write()
    monkeypatch.setattr(services, "deliver", failing_for(bad.pk, services.deliver))
    send_due_messages()
    assert list(Message.objects.exclude(sent_at=None)) == [good]


def test_mail_of_the_back_office_is_written_down_instead_of_waiting_for_the_server(
    settings: LazySettings,
) -> None:
    settings.EMAIL_BACKEND = "commerce.messaging.mail.WrittenMail"
    # A server that nothing answers for.
    settings.EMAIL_URL, settings.EMAIL_PORT = "smtp", 1
    mail.send_mail("A reply", "Done.", None, ["mei@example.com", "ann@example.com"])
    rows = Message.objects.order_by("pk").values_list("to", "subject", "text", "channel", "sent_at")
    assert list(rows) == [
        (to, "A reply", "Done.", Message.Channel.email, None) for to in ("mei@example.com", "ann@example.com")
    ]
