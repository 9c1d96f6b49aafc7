"""The card of the dashboard about debts of customers."""

from typing import Any

from django.db.models import Sum
from django.urls import reverse
from django.utils.translation import gettext as _

from commerce.ledger.models import LedgerAccount
from commerce.ledger.statement_views import MAY_READ
from core.money import ZERO, aud_text
from core.pending import SHOWN, Card, Item


def customer_debts(user: Any) -> Card | None:
    """Return the card of customers who owe the shop money after a dispute, oldest first; two queries."""
    if not user.has_perm(MAY_READ):
        return None
    owed = LedgerAccount.objects.filter(kind=LedgerAccount.Kind.debt, balance__gt=0)
    items = [
        Item(
            f"{account.customer} · {aud_text(account.balance)}",
            reverse("customers:inspect", args=[account.customer_id]),
        )
        for account in owed.select_related("customer").order_by("pk")[:SHOWN]
    ]
    total = owed.aggregate(total=Sum("balance"))["total"] or ZERO
    heading = _("Debts of customers: %(amount)s") % {"amount": aud_text(total)}
    return Card("debts", heading, "warning", items, owed.count())
