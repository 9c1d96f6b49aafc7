"""The shop's name, for texts outside templates."""

from django.apps import apps
from django.conf import settings


def shop_name() -> str:
    """Return the shop's name in the active language, as staff have set it; one query."""
    details = apps.get_model(settings.SHOP_SETTINGS_MODEL)._default_manager.first()
    return details.name if details else settings.WAGTAIL_SITE_NAME
