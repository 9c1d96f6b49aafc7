"""Lets a view of another app hand what is above one person's limit to a colleague."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from commerce.approvals.models import Approval
from commerce.approvals.services import ask_approval
from core.errors import ShopError, text_of


def ask_colleague(
    request: HttpRequest,
    *,
    kind: Approval.Kind,
    subject: str,
    path: str,
    amount: Decimal,
    values: Mapping[str, Any],
    note: str,
    staff: User,
) -> None:
    """Store an action for a second person, and show its member of staff that it waits, or why not.

    The arguments after `request` are those of `ask_approval`.
    """
    try:
        ask_approval(
            kind=kind, subject=subject, path=path, amount=amount, values=values, note=note, staff=staff
        )
        messages.warning(request, _("This is above your limit. It waits until a colleague approves it."))
    except ShopError as error:
        messages.error(request, text_of(error))
