"""The interface by which apps export, check and delete customers' personal data.

Each app with personal data declares a `Holding` in its `personal.py`. `commerce/privacy/personal_data.py`
lists all of them. See docs/guarantees/customers.md#privacy.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Address, AuthToken, Customer, MemberLevel, VerificationCode
from core.languages import TwoTexts

# The number of rows in one query.
ROWS_PER_BATCH = 500

Row = dict[str, Any]
Label = str | Promise


@dataclass(frozen=True)
class Section:
    """One kind of personal data; its rows have plain values under the keys of `columns`.

    `key`: the section's name in JSON; `columns`: each value's name in JSON → its label for readers; `words`:
    functions that replace internal values by texts for readers.
    """

    key: str
    title: Label
    columns: Mapping[str, Label]
    rows: Callable[[Customer], Iterable[Row]]
    words: Mapping[str, Callable[[Any], object]] = field(default_factory=dict)


@dataclass(frozen=True)
class Obstacle:
    """Unfinished business that prevents the deletion of an account; `path`: the page that shows it."""

    text: TwoTexts
    path: str = ""


def _nothing(*_of: Any) -> Any:
    return ()


@dataclass(frozen=True)
class Holding:
    """One app's functions to export and delete personal data.

    `tables`: labels of the models that refer to a customer. `obstacles`: returns unfinished business; the
    customer's row is locked. `forget`: runs in the transaction that closes the account. It deletes rows that
    must go immediately or that are found by the account's name. It takes only locks that come after the
    customer. `erase`: deletes the other rows of a customer id, in short transactions; it may run twice.
    `wipe`: removes personal data from orders, by ids, when the law no longer requires it; it may run twice.
    """

    tables: frozenset[str]
    sections: tuple[Section, ...] = ()
    obstacles: Callable[[Customer], Iterable[Obstacle]] = _nothing
    forget: Callable[[Customer], object] = _nothing
    erase: Callable[[int], object] = _nothing
    wipe: Callable[[list[int]], object] = _nothing


def by_pages(rows: QuerySet[Any]) -> Iterator[Any]:
    """Yield rows in the order of their keys; read ROWS_PER_BATCH at a time, so that no query takes long."""
    pages = rows.order_by("pk")
    while page := list(pages[:ROWS_PER_BATCH]):
        yield from page
        if len(page) < ROWS_PER_BATCH:
            return
        pages = rows.order_by("pk").filter(pk__gt=page[-1].pk)


def labels(model: type[Model], column: str) -> dict[Any, str]:
    """Return the labels of a column's choices by value; cheaper than `get_…_display` for many rows."""
    field: Any = model._meta.get_field(column)
    return {value: str(label) for value, label in field.flatchoices}


# The function that records the marketing consent of a new customer; a higher app registers it.
_consent_of_newcomer: list[Callable[[Customer, str], object]] = []


def register_consent(note: Callable[[Customer, str], object]) -> None:
    """Register the function that records a new customer's consent to marketing messages, and its language."""
    _consent_of_newcomer[:] = [note]


def note_consent_of_newcomer(customer: Customer, language: str) -> None:
    """Record a new customer's consent to marketing messages, within the caller's transaction."""
    for note in _consent_of_newcomer:
        note(customer, language)


def _profile(customer: Customer) -> Iterator[Row]:
    yield {
        "account": customer.account,
        "nickname": customer.nickname,
        "level": customer.level_number,
        "registered": customer.created_at,
        "lastLogin": customer.last_login_at,
        "hasPayPassword": bool(customer.pay_password),
        "language": customer.language,
    }


def _level_name(number: int) -> str:
    return MemberLevel.objects.get(pk=number).name


def _language_name(code: str) -> str:
    return labels(Customer, "language").get(code, code)


def _addresses(customer: Customer) -> Iterator[Row]:
    for address in by_pages(customer.addresses.all()):
        yield {
            "recipient": address.contacts,
            "phone": address.contact_phone,
            "country": address.country_name,
            "province": address.province_name,
            "city": address.city_name,
            "area": address.area_name,
            "street": address.address_detail,
            "postcode": address.zip_code,
            "isDefault": address.is_default,
        }


def _logins(customer: Customer) -> Iterator[Row]:
    for login in by_pages(customer.tokens.all()):
        yield {
            "browser": login.browser,
            "system": login.system,
            "began": login.created_at,
            "lastUsed": login.used_on,
            "ends": login.expires_at,
        }


def _forget(customer: Customer) -> None:
    AuthToken.objects.filter(customer=customer).delete()
    Address.objects.filter(customer=customer).delete()
    VerificationCode.objects.filter(account=customer.account).delete()


PERSONAL = Holding(
    # A customer has no former account before its deletion, so a copy has no row of it.
    tables=frozenset({"accounts.Address", "accounts.AuthToken", "accounts.FormerAccount"}),
    sections=(
        Section(
            "profile",
            _("Account"),
            {
                "account": _("account"),
                "nickname": _("nickname"),
                "level": _("level"),
                "registered": _("registered at"),
                "lastLogin": _("last login at"),
                "hasPayPassword": _("pay password is set"),
                "language": _("language"),
            },
            _profile,
            {"level": _level_name, "language": _language_name},
        ),
        Section(
            "addresses",
            _("Addresses"),
            {
                "recipient": _("recipient"),
                "phone": _("phone"),
                "country": _("country"),
                "province": _("state or province"),
                "city": _("city"),
                "area": _("suburb or district"),
                "street": _("street address"),
                "postcode": _("postcode"),
                "isDefault": _("default"),
            },
            _addresses,
        ),
        Section(
            "logins",
            _("Logins"),
            {
                "browser": _("browser"),
                "system": _("system"),
                "began": _("began"),
                "lastUsed": _("last used"),
                "ends": _("ends"),
            },
            _logins,
        ),
    ),
    forget=_forget,
)
