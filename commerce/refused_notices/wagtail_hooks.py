"""Refused and unmatched notices in the back office: read-only reports, and a card of each."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from wagtail import hooks

from commerce.refused_notices.models import RefusedNotice, UnmatchedNotice
from commerce.refused_notices.services import FEW, refused_lately, unmatched_lately
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


class UnmatchedNoticeViewSet(ReadOnlyViewSet):
    """The genuine notices whose payment or parcel the shop does not know."""

    model = UnmatchedNotice
    icon = "warning"
    menu_label = gettext_lazy("Unmatched notices")
    menu_name = "unmatched-notices"
    menu_hook = REPORTS
    menu_order = 231
    list_display = ("named", "provider", "kind", "event_id", "created_at")
    list_filter = ("provider", "created_at")
    search_fields = ("named", "event_id")
    search_backend_name = None
    inspect_view_fields = ("provider", "kind", "event_id", "named", "content", "created_at")


def unmatched_card(user: Any) -> Card | None:
    """Return the card of the newest unmatched notices, None without permission; two queries."""
    if not user.has_perm("refused_notices.view_unmatchednotice"):
        return None
    lately = unmatched_lately()
    items = [
        Item(
            str(notice),
            reverse("unmatched_notices:inspect", args=[notice.pk]),
            " · ".join(
                filter(
                    None,
                    (
                        notice.kind,
                        date_format(timezone.localtime(notice.created_at), "SHORT_DATETIME_FORMAT"),
                    ),
                )
            ),
        )
        for notice in lately[:SHOWN]
    ]
    heading, more = _("Notices about something that we do not know"), _("All unmatched notices")
    page = reverse("unmatched_notices:index")
    return Card("unmatched-notices", heading, "warning", items, lately.count(), page, more)


hooks.register(PENDING_WORK, refused_card)
hooks.register(PENDING_WORK, unmatched_card)


@hooks.register("register_admin_viewset")
def refused_notices() -> RefusedNoticeViewSet:
    """Add the refused notices to the reports."""
    return RefusedNoticeViewSet("refused_notices")


@hooks.register("register_admin_viewset")
def unmatched_notices() -> UnmatchedNoticeViewSet:
    """Add the unmatched notices to the reports."""
    return UnmatchedNoticeViewSet("unmatched_notices")
