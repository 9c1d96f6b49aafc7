"""A mail server that hangs, and what goes on in the meantime."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone
from huey.consumer import Consumer
from huey.storage import MemoryStorage

from commerce.messaging import services
from commerce.messaging.tasks import send_message
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tasks import expire_orders
from commerce.orders.tests.builders import Buyer, make_order
from commerce.payments.models import Payment
from commerce.payments.tasks import query_payments
from commerce.payments.tests.builders import decide, make_payment
from core.queues import Queue, books, messages, payments

# Far longer than the test takes.
HOURS = 3600


@contextmanager
def silent_mail_server(settings: LazySettings) -> Iterator[None]:
    """Send e-mail to a server that accepts connections and never answers; its end closes them."""
    settings.EMAIL_URL = "smtp"
    settings.MAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        yield


@contextmanager
def consumer_of(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a queue's workers, without its clock, on a store of their own."""
    monkeypatch.setattr(queue.huey, "_immediate", False)
    monkeypatch.setattr(queue.huey, "storage", MemoryStorage(queue.name))
    # The signals stay those of the tests.
    monkeypatch.setattr(Consumer, "_set_signal_handlers", lambda _consumer: None)
    consumer = queue.huey.create_consumer(workers=queue.workers, periodic=False, max_delay=0.1)
    consumer.start()
    yield
    consumer.stop(graceful=True)


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for a state, as long as the slowest machine may take."""
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_mail_server_that_hangs_stops_neither_expiry_nor_queries_of_payments(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing ends the waiting while the test runs.
    monkeypatch.setattr(services, "GATEWAY_SECONDS", HOURS)
    settings.EMAIL_TIMEOUT = HOURS
    due, payment = make_order(Buyer()), make_payment(Buyer())
    decide(payment)
    Order.objects.filter(pk=due.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    Payment.objects.update(next_query_at=timezone.now())
    in_an_hour = timezone.now() + timedelta(hours=1)
    letters = [
        services.write_message(
            to=f"{number}@example.com", subject="Code", text="123456", code="123456", expires_at=in_an_hour
        )
        for number in range(messages.workers + 1)
    ]
    with ExitStack() as running:
        for queue in (books, payments, messages):
            running.enter_context(consumer_of(queue, monkeypatch))
        with silent_mail_server(settings):
            for letter in letters:
                send_message(letter.pk)
            wait_until(lambda: len(messages.huey._tasks_in_flight) == messages.workers)
            expire_orders()
            query_payments()
            wait_until(lambda: Order.objects.get(pk=due.pk).status == OrderStatus.canceled)
            wait_until(lambda: Order.objects.get(pk=payment.paid_order.pk).status == OrderStatus.paid)
            assert len(messages.huey._tasks_in_flight) == messages.workers
