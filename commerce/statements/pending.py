"""The dashboard's card of differences between providers' lists and the shop's books."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from commerce.statements.models import StatementDifference
from commerce.statements.services.fetch import late_statements
from core.pending import SHOWN, Card, Item


def statement_differences(user: Any) -> Card | None:
    """Return the card of late lists and open differences, oldest first; four queries."""
    if not user.has_perm("statements.view_statementdifference"):
        return None
    late = late_statements()
    items = [
        Item(
            str(statement),
            reverse("statements:inspect", args=[statement.pk]),
            _("This list could not be fetched yet"),
        )
        for statement in late.order_by("day", "provider")[:SHOWN]
    ]
    differing = StatementDifference.objects.filter(state=StatementDifference.State.open)
    items += [
        Item(
            str(row),
            reverse("statement_differences:inspect", args=[row.pk]),
            f"{row.statement} · {row.get_reason_display()}",
        )
        for row in differing.select_related("statement").order_by("pk")[: SHOWN - len(items)]
    ]
    return Card(
        "statements",
        _("Differences from providers’ lists"),
        "warning",
        items,
        late.count() + differing.count(),
        f"{reverse('statement_differences:index')}?state={StatementDifference.State.open}",
        _("All open differences"),
    )
