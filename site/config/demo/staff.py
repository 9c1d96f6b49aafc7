"""The demonstration's staff: an editor of pages and a manager of the shop.

See docs/product.md#the-demonstration.
"""

import json
import os
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.db.models import Q

FILE_NAME = "backoffice.json"
# Wagtail's own groups: editors write pages, moderators publish them.
EDITORS, MODERATORS, MANAGERS = "Editors", "Moderators", "Managers"
GROUPS = {"editor": (EDITORS,), "manager": (MODERATORS, MANAGERS)}
# The apps whose rows managers may view; only services change money and stock.
SHOP_APPS = (
    "goods",
    "rates",
    "search",
    "promotions",
    "stock",
    "imports",
    "accounts",
    "ledger",
    "delivery",
    "vouchers",
    "orders",
    "invoices",
    "shipments",
    "payments",
    "approvals",
    "refunds",
    "claims",
    "statements",
    "notifications",
    "privacy",
    "refused_notices",
    "stock_alerts",
    "content",
    "audits",
)
MANAGED = {
    "goods": ("category", "brand", "product", "productgroup", "producttag"),
    "rates": ("exchangerate",),
    "search": ("synonym",),
    "promotions": ("promotion",),
    "stock": ("location",),
    "imports": ("filerun",),
    "delivery": (
        "freightrule",
        "exportlimit",
        "pickupshop",
        "pickuphours",
        "pickupexception",
        "deliverywindow",
        "deliverydayoff",
    ),
    "notifications": ("notificationswitch",),
    "vouchers": ("voucher", "voucherscope"),
    "orders": ("order",),
    "shipments": ("carrier",),
    "payments": ("paytype",),
    "accounts": ("customer", "memberlevel"),
    "content": ("shopsettings", "carouselslide", "specialarea"),
}
# Permissions for buttons that call services.
PRESSED = (
    "answer_claim",
    "handle_dispute",
    "handle_request",
    "record_payment",
    "refund_order",
    "review_certificate",
    "settle_debt",
    "tick_off_difference",
)


def password_file() -> Path:
    """Return the path of the password file."""
    return settings.DATA_DIR / FILE_NAME


def load_staff() -> dict[str, str]:
    """Create missing staff; return new passwords by user name.

    A user that has to be created again gets the password from the file. Only the file's owner can read the
    file.
    """
    _grant_managers()
    stored = _stored_passwords()
    fresh: dict[str, str] = {}
    for name, groups in GROUPS.items():
        user = User.objects.filter(username=name).first()
        if user and name in stored:
            continue
        password = stored.get(name) or secrets.token_urlsafe(12)
        if name not in stored:
            fresh[name] = password
        with transaction.atomic():
            # Without names and an e-mail address, Wagtail cannot save account settings, including the
            # language.
            user = user or User(
                username=name, first_name=name.title(), last_name="Demo", email=f"{name}@example.com"
            )
            user.set_password(password)
            user.save()
            user.groups.add(*(Group.objects.get_or_create(name=group)[0] for group in groups))
    if fresh:
        _store_passwords(stored | fresh)
    return fresh


def _grant_managers() -> None:
    managers, made = Group.objects.get_or_create(name=MANAGERS)
    if not made:
        return
    granted = Q(content_type__app_label="wagtailadmin", codename="access_admin")
    granted |= Q(content_type__app_label__in=SHOP_APPS, codename__startswith="view_")
    granted |= Q(content_type__app_label="ledger", codename="adjust_points")
    for app, models in MANAGED.items():
        granted |= Q(content_type__app_label=app, content_type__model__in=models)
    granted |= Q(codename__in=PRESSED)
    managers.permissions.set(Permission.objects.filter(granted))


def _stored_passwords() -> dict[str, str]:
    file = password_file()
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def _store_passwords(passwords: dict[str, str]) -> None:
    # Created with its permissions and then renamed, so that other users can never read it.
    draft = password_file().with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        json.dump(passwords, out, indent=2)
        out.write("\n")
    draft.replace(password_file())
