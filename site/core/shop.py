"""What the shop is called, for texts that no template writes."""

from django.apps import apps
from django.conf import settings


def shop_name() -> str:
    """Return the shop's name in the language in force, as staff have set it; one query."""
    details = apps.get_model(settings.SHOP_SETTINGS_MODEL)._default_manager.first()
    return details.name if details else settings.WAGTAIL_SITE_NAME
