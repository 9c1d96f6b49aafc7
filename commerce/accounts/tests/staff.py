"""The staff of the back office in tests of any app of commerce."""

from django.contrib.auth.models import Permission, User
from django.test import Client
from wagtail.users.models import UserProfile


def staff_with(*rights: str) -> Client:
    """Log a new member of staff, named by the number of these rights, into the back office."""
    user = User.objects.create_user(f"staff{len(rights)}", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["access_admin", *rights]))
    client = Client()
    client.force_login(user)
    return client


def set_language(client: Client, language: str) -> None:
    """Show the back office to the client's user in a language."""
    user = User.objects.get(pk=client.session["_auth_user_id"])
    UserProfile.objects.update_or_create(user=user, defaults={"preferred_language": language})
