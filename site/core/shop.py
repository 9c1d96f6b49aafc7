"""The shop's name and legal details, for texts outside templates."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings


@dataclass(frozen=True)
class Seller:
    """Who sells, as staff have set it; what they have not set is empty."""

    name_en: str
    name_zh: str
    legal_name: str
    abn: str
    address: str
    phone: str
    email: str


def shop_name() -> str:
    """Return the shop's name in the active language, as staff have set it; one query."""
    details = _details()
    return details.name if details else settings.WAGTAIL_SITE_NAME


def contact() -> Seller | None:
    """Return the shop's contact, whatever of it staff have given; one query, None without settings."""
    details = _details()
    return details and Seller(**{name: getattr(details, name) for name in Seller.__dataclass_fields__})


def seller() -> Seller | None:
    """Return who sells; None while staff have not given the ABN, without which nothing is a tax invoice.

    One query.
    """
    found = contact()
    return found if found and found.abn else None


def _details() -> Any:
    return apps.get_model(settings.SHOP_SETTINGS_MODEL)._default_manager.first()
