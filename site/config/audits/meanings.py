"""Subjects of the audit's rules and places of their differences, in words for staff."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.apps import apps
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from commerce.ledger.models import LedgerAccount
from commerce.payments.providers.names import provider_name
from core.audit import in_words
from core.languages import ENGLISH

# The rules by subject; docs/audit.md describes each rule.
_SUBJECTS: dict[Promise, str] = {
    _("Stock"): "stock-counters sold-out",
    _("Units of orders and parcels"): "line-held reservation-of-a-line shipment left-whole parcels-of-order"
    " units-in-parcels parcel-state restocked",
    _("Balances of wallets and points"): "balance running-balance wallet-payment wallet-refund recharge"
    " entry-reason whole-points points-adjusted",
    _("Disputes and debts"): "dispute wallet-debt debt-settled",
    _("Points of orders"): "points-earned points-spent points-booked points-of-an-order points-of-lines"
    " points-returned",
    _(
        "Refunds"
    ): "refunded-line refunded-freight refunded-goods refund-sum refund-money refund-asked refunded"
    " cancellation-request",
    _("Claims"): "claim-units claim-order claim-state claim-picture",
    _("Payments"): "order-money paid-once time-paid held-money reported-paid payment-asked transfer-review",
    _("Providers’ lists"): "statement-fetched statement-difference",
    _("Orders"): "code-claimed order-customer status-move status-history expiry completion order-lines"
    " order-tax order-parcels sales-counted",
    _("Promotions, vouchers and hours"): "quota-taken share-of-a-customer voucher-taken voucher-of-a-customer"
    " slot-booked one-promotion promotion-item",
    _("Invoices and credit notes"): "invoice-made invoice-file credit-note-made credit-note-file",
    _("Messages"): "order-message message-sent",
    _("Products and prices"): "price-history was-price top-category search-index",
    _("Carts"): "cart-size",
    _("Deleted accounts"): "deleted-erased deleted-customer",
    _("Secrets and ID cards"): "secret-hashed secret-deleted code-wiped id-card-encrypted id-card-deleted",
    _("Constraints of the database"): "constraint",
    _("A rule that could not be checked"): "unreadable",
}
_SUBJECT_OF = {rule: subject for subject, rules in _SUBJECTS.items() for rule in rules.split()}
# Kinds of rows that a list of the back office finds by number: the viewset, and a suffix to remove.
_LISTED = {
    "order": ("orders", ""),
    "payment": ("payments", ""),
    # A refund is found by its payment.
    "refund": ("payments", r"-r\d+$"),
    "order refund": ("order_refunds", ""),
    "dispute": ("disputes", ""),
    "claim": ("claims", ""),
}
_ROW = re.compile(r"(order refund|order|claim|payment|refund|dispute|customer|ledger account) (\S+)")
_STATEMENT = re.compile(r"list of (\S+) of (\d{4}-\d\d-\d\d)")
# Other kinds of rows in differences, whose models have no name for staff.
_OTHER_KINDS: dict[str, Promise] = {
    "auth token": _("login of a customer"),
    "captcha proof": _("solved captcha"),
    "former account": _("name of a deleted account"),
    "cart item": _("row of a cart"),
    "delivery slot": _("delivery time"),
    "message": _("message to a customer"),
    "pick-up slot": _("pick-up time"),
    "promotion use": _("customer’s share of a promotion"),
    "search term": _("term of the search index"),
    "table": _("table of the database"),
    "trade": _("order code"),
    "verification code": _("verification code"),
    "voucher use": _("customer’s use of a voucher"),
}


def subject_of(rule: str) -> str:
    """Return the subject of a rule in the reader's language; the rule itself if it has none."""
    return str(_SUBJECT_OF.get(rule, rule))


def place_of(row: str) -> str:
    """Return the row of a difference, with its kind in the reader's language."""
    if named := _STATEMENT.fullmatch(row):
        return gettext("list of %(provider)s of %(day)s") % {
            "provider": provider_name(named[1]),
            "day": date_format(date.fromisoformat(named[2]), "SHORT_DATE_FORMAT"),
        }
    # The longest match, since an order refund is not an order.
    kind = max((kind for kind in _kinds() if row.startswith(f"{kind} ")), key=len, default="")
    return f"{_kinds()[kind]}{row.removeprefix(kind)}" if kind else row


@cache
def _kinds() -> dict[str, Any]:
    """Return the names of kinds by their English names, which differences contain."""
    with translation.override(ENGLISH):
        of_models = {str(model._meta.verbose_name): model._meta.verbose_name for model in apps.get_models()}
    return of_models | _OTHER_KINDS


def found_of(difference: Mapping[str, Any]) -> str:
    """Return what was found, in the reader's language; in English if an older release has stored it."""
    if "sentence" not in difference:
        return str(difference["found"])
    return in_words(difference["sentence"], difference["values"])


def pages_of(rows: Iterable[str]) -> dict[str, str]:
    """Return the back office's page of each row in differences, if it has one; one query."""
    rows = set(rows)
    named = {row: found for row in rows if (found := _ROW.fullmatch(row))}
    keys = {row: int(found[2]) for row, found in named.items() if found[2].isdecimal()}
    accounts = [keys[row] for row, found in named.items() if found[1] == "ledger account" and row in keys]
    owners: dict[Any, int] = dict(
        LedgerAccount.objects.filter(pk__in=accounts).values_list("pk", "customer_id")
    )
    pages = {}
    for row, found in named.items():
        kind, number = found[1], found[2]
        if kind in _LISTED:
            viewset, dropped = _LISTED[kind]
            looked_for = re.sub(dropped, "", number) if dropped else number
            pages[row] = f"{reverse(f'{viewset}:index')}?{urlencode({'q': looked_for})}"
        elif customer := (keys.get(row) if kind == "customer" else owners.get(keys.get(row))):
            pages[row] = reverse("customers:inspect", args=[customer])
    lists = f"{reverse('statement_differences:index')}?state=open"
    return pages | {row: lists for row in rows if _STATEMENT.fullmatch(row)}
