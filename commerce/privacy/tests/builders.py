"""Builders for tests of privacy."""

from django.contrib.auth.models import Permission, User
from django.test import Client


def staff(name: str, *permissions: str) -> Client:
    """Log in a member of staff who may look at customers, with some further rights."""
    user = User.objects.create_user(name, f"{name}@example.com", "secret")
    granted = ("access_admin", "view_customer", *permissions)
    user.user_permissions.set(Permission.objects.filter(codename__in=granted))
    browser = Client()
    browser.force_login(user)
    return browser
