"""Fixtures of the tests of pages, slides and areas."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from content.tests.staff import staff


@pytest.fixture
def editor(client: Client) -> Client:
    """Log in a user with all permissions."""
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    return client


@pytest.fixture
def writer() -> Client:
    """Log in an editor."""
    return staff("writer", "Editors")
