"""What tests need to be an editor of either language."""

from django.contrib.auth.models import User
from django.test import Client
from wagtail.users.models import UserProfile


def speak(client: Client, language: str) -> None:
    """Let the client's user read the back office in a language."""
    user = User.objects.get(pk=client.session["_auth_user_id"])
    UserProfile.objects.update_or_create(user=user, defaults={"preferred_language": language})
