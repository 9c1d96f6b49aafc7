"""The staff of the back office in tests."""

import os
from collections.abc import Iterator

from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from wagtail.users.models import UserProfile

from core.languages import CHINESE, ENGLISH
from core.tests.screens import set_language as set_language
from tests.combinations import choose


def staff(name: str, *groups: str, language: str = "en", permissions: tuple[str, ...] = ()) -> Client:
    """Log in a new member of the groups, whose back office is in a language."""
    user = User.objects.create_user(name, f"{name}@example.com", "secret")
    user.groups.set(Group.objects.filter(name__in=groups))
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    UserProfile.objects.create(user=user, preferred_language=language)
    client = Client()
    client.force_login(user)
    return client


def in_each_language(client: Client) -> Iterator[str]:
    """Show the back office in each language of the test, one after the other; yield the language."""
    name = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0]
    for language in choose(name, (ENGLISH, CHINESE)):
        set_language(client, language)
        yield language
