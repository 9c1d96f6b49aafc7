"""Fixtures of the tests of the whole shop's back office."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

START = datetime(2027, 3, 1, 9, 0, tzinfo=UTC)


@pytest.fixture
def boss() -> Client:
    """Log in a superuser whose client receives server errors as answers."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    return client


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stops until the test moves it."""
    with time_machine.travel(START, tick=False) as travelled:
        yield travelled
