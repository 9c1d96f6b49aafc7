"""The shop's name and legal details, for texts outside templates."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings

from core.pictures.renditions import PAGE, picture_url


@dataclass(frozen=True)
class Seller:
    """The seller, as staff have entered it; missing values are empty."""

    name_en: str
    name_zh: str
    legal_name: str
    abn: str
    address: str
    phone: str
    email: str


@dataclass(frozen=True)
class BankAccount:
    """Where customers transfer money to; what staff have not set is empty."""

    bank: str
    holder: str
    bsb: str
    number: str
    swift: str


@dataclass(frozen=True)
class PayContact:
    """Whom customers ask and where they pay when staff collect; what staff have not set is empty or None.

    `wechat_qr`: the URL of the picture of a code to scan.
    """

    phone: str = ""
    email: str = ""
    wechat: str = ""
    wechat_qr: str | None = None
    bank: BankAccount | None = None


def shop_name() -> str:
    """Return the shop's name in the active language, as staff have set it; one query."""
    details = _details()
    return details.name if details else settings.WAGTAIL_SITE_NAME


def contact() -> Seller | None:
    """Return the shop's contact, whatever of it staff have given; one query, None without settings."""
    details = _details()
    return details and Seller(**{name: getattr(details, name) for name in Seller.__dataclass_fields__})


def pay_contact() -> PayContact | None:
    """Return how customers reach the staff who collect; None without settings. Two or three queries."""
    details = _details()
    if details is None:
        return None
    account = BankAccount(
        **{name: getattr(details, f"bank_{name}") for name in BankAccount.__dataclass_fields__}
    )
    return PayContact(
        phone=details.phone,
        email=details.email,
        wechat=details.wechat,
        wechat_qr=picture_url(details.wechat_qr, PAGE),
        bank=account if account.number else None,
    )


def seller() -> Seller | None:
    """Return who sells; None while staff have not given the ABN, without which nothing is a tax invoice.

    One query.
    """
    found = contact()
    return found if found and found.abn else None


def _details() -> Any:
    return apps.get_model(settings.SHOP_SETTINGS_MODEL)._default_manager.first()
