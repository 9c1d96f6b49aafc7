"""The shop's name and legal details, for texts outside templates."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings

from core.pictures.renditions import PAGE, picture_url


@dataclass(frozen=True)
class Seller:
    """The seller's details from the shop settings; missing values are empty."""

    name_en: str
    name_zh: str
    legal_name: str
    abn: str
    address: str
    phone: str
    email: str


@dataclass(frozen=True)
class BankAccount:
    """The account to which customers transfer money; missing values are empty."""

    bank: str
    holder: str
    bsb: str
    number: str
    swift: str


@dataclass(frozen=True)
class PayContact:
    """The contact and bank account of payments that staff collect; missing values are empty or None.

    `wechat_qr`: the URL of the picture of a QR code.
    """

    phone: str = ""
    email: str = ""
    wechat: str = ""
    wechat_qr: str | None = None
    bank: BankAccount | None = None


def shop_name() -> str:
    """Return the shop's name from its settings in the active language; one query."""
    details = _details()
    return details.name if details else settings.WAGTAIL_SITE_NAME


def contact() -> Seller | None:
    """Return the shop's contact from its settings; None without settings. One query."""
    details = _details()
    return details and Seller(**{name: getattr(details, name) for name in Seller.__dataclass_fields__})


def pay_contact() -> PayContact | None:
    """Return how customers reach staff who collect payments; None without settings. Two or three queries."""
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
    """Return the seller; None without an ABN, because a tax invoice requires one. One query."""
    found = contact()
    return found if found and found.abn else None


def _details() -> Any:
    return apps.get_model(settings.SHOP_SETTINGS_MODEL)._default_manager.first()
