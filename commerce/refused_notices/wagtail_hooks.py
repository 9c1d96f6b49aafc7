"""Refused notices in the back office: a read-only report, and a card on days with many."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from wagtail import hooks

from commerce.refused_notices.models import RefusedNotice
from commerce.refused_notices.services import FEW, refused_lately
from core.backoffice import ReadOnlyViewSet
from core.menu_groups import REPORTS
from core.pending import PENDING_WORK, SHOWN, Card, Item


class RefusedNoticeViewSet(ReadOnlyViewSet):
    """The counts of refused notices of each day."""

    model = RefusedNotice
    icon = "no-view"
    menu_label = gettext_lazy("Refused notices")
    menu_name = "refused-notices"
    menu_hook = REPORTS
    menu_order = 230
    inspect_view_enabled = False
    list_display = ("day", "provider", "reason", "count", "last_at")
    list_filter = ("day", "provider", "reason")


def refused_card(user: Any) -> Card | None:
    """Return the card of days with many refused notices, None without permission; two queries."""
    if not user.has_perm("refused_notices.view_refusednotice"):
        return None
    many = refused_lately(more_than=FEW)
    page = reverse("refused_notices:index")
    items = [
        Item(
            f"{refused}: {refused.count}",
            page,
            date_format(timezone.localtime(refused.last_at), "SHORT_DATETIME_FORMAT"),
        )
        for refused in many[:SHOWN]
    ]
    heading, more = _("Many refused notices of providers"), _("All refused notices")
    return Card("refused-notices", heading, "no-view", items, many.count(), page, more)


hooks.register(PENDING_WORK, refused_card)


@hooks.register("register_admin_viewset")
def refused_notices() -> RefusedNoticeViewSet:
    """Add the refused notices to the reports."""
    return RefusedNoticeViewSet("refused_notices")
