"""Fixtures of the tests of the whole shop's back office."""

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def boss() -> Client:
    """Log in a superuser whose client receives server errors as answers."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    return client
