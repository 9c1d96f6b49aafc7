"""Consents and obstacles as the wire writes them."""

from collections.abc import Iterable
from typing import Any

from commerce.accounts.models import Customer
from commerce.accounts.personal import Obstacle
from commerce.privacy.services import has_consented

# The newest changes; the copy of the data has all of them.
SHOWN = 20


def consent_out(customer: Customer) -> dict[str, Any]:
    """Write whether a customer agrees to marketing messages, and the newest changes; two queries."""
    changes = [
        {"marketing": change.is_given, "source": change.source, "time": change.created_at.isoformat()}
        for change in customer.consent_changes.all()[:SHOWN]
    ]
    return {"marketing": has_consented(customer), "changes": changes}


def obstacles_out(obstacles: Iterable[Obstacle]) -> list[dict[str, str]]:
    """Write what blocks a deletion of the account."""
    return [
        {"text": obstacle.text.zh, "textEn": obstacle.text.en, "path": obstacle.path}
        for obstacle in obstacles
    ]
