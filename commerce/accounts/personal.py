"""What an app holds on customers: how it is shown to them, what keeps an account open, how it is deleted.

Each app that has such rows names them in a `Holding` of its own `personal.py`;
`commerce/privacy/personal_data.py` names all of these. See docs/guarantees/customers.md#privacy.
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
    """One kind of what is held: rows of plain values, by the keys of `columns`.

    `key`: its name in JSON; `columns`: the name of each value in JSON, and its label for readers; `words`:
    what readers are given instead of a value that only programs know.
    """

    key: str
    title: Label
    columns: Mapping[str, Label]
    rows: Callable[[Customer], Iterable[Row]]
    words: Mapping[str, Callable[[Any], object]] = field(default_factory=dict)


@dataclass(frozen=True)
class Obstacle:
    """Something that is still open, so that the account cannot be deleted; `path`: where it is seen."""

    text: TwoTexts
    path: str = ""


def _nothing(*_of: Any) -> Any:
    return ()


@dataclass(frozen=True)
class Holding:
    """What one app does for customers who ask for their data, or for the end of their account.

    `tables`: labels of the models that name a customer. `obstacles`: returns what is still open; the
    customer's row is locked. `forget`: deletes, in the transaction that ends the account, the rows that must
    be gone immediately and those found by the account's name. It locks nothing that comes before the
    customer. `erase`: deletes the customer's other rows by id, in short transactions; it may run twice.
    `wipe`: removes personal data from orders, by ids, when the law no longer requires it; it may run twice.
    """

    tables: frozenset[str]
    sections: tuple[Section, ...] = ()
    obstacles: Callable[[Customer], Iterable[Obstacle]] = _nothing
    forget: Callable[[Customer], object] = _nothing
    erase: Callable[[int], object] = _nothing
    wipe: Callable[[list[int]], object] = _nothing


def by_pages(rows: QuerySet[Any]) -> Iterator[Any]:
    """Return rows by their keys, some at a time, so that no statement takes long."""
    pages = rows.order_by("pk")
    while page := list(pages[:ROWS_PER_BATCH]):
        yield from page
        if len(page) < ROWS_PER_BATCH:
            return
        pages = rows.order_by("pk").filter(pk__gt=page[-1].pk)


def labels(model: type[Model], column: str) -> dict[Any, str]:
    """Return what the choices of a column are called; `get_…_display` writes all of them for each row."""
    field: Any = model._meta.get_field(column)
    return {value: str(label) for value, label in field.flatchoices}


# The function that notes the consent of a new customer; an app above sets it.
_consent_of_newcomer: list[Callable[[Customer, str], object]] = []


def register_consent(note: Callable[[Customer, str], object]) -> None:
    """Let a function note that a new customer agrees to be written to, in a language."""
    _consent_of_newcomer[:] = [note]


def note_consent_of_newcomer(customer: Customer, language: str) -> None:
    """Note that a new customer agrees to be written to about offers, within the caller's transaction."""
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
    tables=frozenset({"accounts.Address", "accounts.AuthToken"}),
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
