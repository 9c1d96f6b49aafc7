import socket
import threading
import time
from contextlib import suppress
from datetime import timedelta
from threading import Event, Thread

import httpx
import pytest
import time_machine
from django.utils import timezone
from pybreaker import CircuitBreakerError

from core import gateways
from core.gateways import MAX_FAILURES, MAX_RUNNING_ON, OPEN_SECONDS, Gateway, gateway, read_body


def fail() -> None:
    raise ConnectionError


def open_breaker(each: Gateway) -> None:
    for _ in range(MAX_FAILURES):
        with pytest.raises(ConnectionError):
            each.call(fail, seconds=5)


def test_after_failures_in_a_row_a_gateway_is_left_alone_for_a_while(
    caplog: pytest.LogCaptureFixture,
) -> None:
    mail = gateway("mail")
    assert mail is gateway("mail")
    open_breaker(mail)
    called: list[int] = []
    with pytest.raises(CircuitBreakerError):
        mail.call(lambda: called.append(1), seconds=5)
    assert called == []
    assert gateway("sms").call(lambda: "sent", seconds=5) == "sent"
    assert "gateway mail: its breaker is open" in caplog.messages
    with time_machine.travel(timezone.now() + timedelta(seconds=OPEN_SECONDS)):
        # One more failure opens it again, one success closes it.
        with pytest.raises(ConnectionError):
            mail.call(fail, seconds=5)
        with pytest.raises(CircuitBreakerError):
            mail.call(fail, seconds=5)
    with time_machine.travel(timezone.now() + timedelta(seconds=2 * OPEN_SECONDS)):
        assert mail.call(lambda: "sent", seconds=5) == "sent"
        with pytest.raises(ConnectionError):
            mail.call(fail, seconds=5)
        assert mail.call(lambda: "sent", seconds=5) == "sent"


def test_a_clock_that_is_set_back_leaves_a_gateway_alone_no_longer() -> None:
    mail = gateway("mail")
    open_breaker(mail)
    with time_machine.travel(timezone.now() - timedelta(hours=1)):
        assert mail.call(lambda: "sent", seconds=5) == "sent"


def test_calls_for_which_there_is_no_thread_keep_no_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateways, "MAX_FAILURES", 100)
    mail = gateway("mail")

    def start(_thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(Thread, "start", start)
        for _ in range(MAX_RUNNING_ON):
            with pytest.raises(RuntimeError):
                mail.call(lambda: "sent", seconds=5)
    assert mail.call(lambda: "sent", seconds=5) == "sent"


def test_what_does_not_count_against_the_service_opens_nothing() -> None:
    mail = gateway("mail", (ConnectionError,))
    open_breaker(mail)
    assert mail.call(lambda: "sent", seconds=5) == "sent"


def threads_of(name: str) -> list[Thread]:
    return [thread for thread in threading.enumerate() if thread.name == name]


def test_a_call_that_hangs_ends_for_its_caller_and_only_so_many_hang(
    caplog: pytest.LogCaptureFixture,
) -> None:
    end, mail = Event(), gateway("mail")
    for _ in range(MAX_RUNNING_ON):
        with pytest.raises(TimeoutError):
            mail.call(end.wait, seconds=0.01)
    called: list[int] = []
    for _ in range(2 * MAX_FAILURES):
        with pytest.raises(CircuitBreakerError, match="earlier calls"):
            mail.call(lambda: called.append(1), seconds=5)
    assert (called, len(threads_of("mail"))) == ([], MAX_RUNNING_ON)
    assert "gateway mail: earlier calls have not ended" in caplog.messages
    end.set()
    for thread in threads_of("mail"):
        thread.join()
    # What was not asked has not failed.
    assert mail.call(lambda: "sent", seconds=5) == "sent"


def answer_slowly(server: socket.socket, is_recovered: Event) -> None:
    """Answer each request immediately, or byte by byte without an end until the service has recovered."""
    with suppress(OSError):
        while True:
            Thread(target=answer, args=(server.accept()[0], is_recovered), daemon=True).start()


def answer(client: socket.socket, is_recovered: Event) -> None:
    with client, suppress(OSError):
        client.recv(65536)
        is_slow = not is_recovered.is_set()
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (200_000 if is_slow else 2))
        # A request that began slowly stays slow after the recovery.
        while is_slow:
            time.sleep(0.02)
            client.sendall(b"a")
        client.sendall(b"ok")


def test_a_service_that_answered_byte_by_byte_is_asked_again_once_it_has_recovered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gateways, "MAX_BODY_SECONDS", 0.8)
    is_recovered, mail = Event(), gateway("mail")
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=answer_slowly, args=(server, is_recovered), daemon=True).start()
        client = httpx.Client(base_url=f"http://127.0.0.1:{server.getsockname()[1]}")

        def ask() -> bytes:
            with client.stream("GET", "/") as response:
                return read_body(response, max_bytes=200_000, failure=ConnectionError)

        for _ in range(MAX_RUNNING_ON):
            with pytest.raises(TimeoutError):
                mail.call(ask, seconds=0.1)
        assert threads_of("mail")
        is_recovered.set()
        for thread in threads_of("mail"):
            thread.join(5)
        assert mail.call(ask, seconds=5) == b"ok"
        server.shutdown(socket.SHUT_RDWR)


def test_calls_of_one_gateway_do_not_wait_for_each_other() -> None:
    with gateway("pay").breaker.calling():
        assert gateway("pay").call(lambda: "paid", seconds=5) == "paid"
