"""Fixtures of the tests of all apps together."""

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def staff(client: Client) -> Client:
    """Log in a user with all permissions."""
    client.force_login(User.objects.create_superuser("manager"))
    return client
