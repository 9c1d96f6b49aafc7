"""Fixtures of the tests of all apps together."""

from collections.abc import Iterator

import pytest
from django.test import Client

from config.demo.staff import MANAGERS, MODERATORS, load_staff
from content.tests import staff as members
from core.tests.screens import only_refusals


@pytest.fixture
def manager() -> Client:
    """Log in a manager of the shop, who is a moderator too."""
    load_staff()
    return members.staff("meg", MODERATORS, MANAGERS)


@pytest.fixture
def _without_markup() -> Iterator[None]:
    """Answer screens of the back office by their context, messages and errors alone."""
    with only_refusals():
        yield
