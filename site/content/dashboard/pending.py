"""Collects a user's pending work: only what the user may see, and a few rows of each kind."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from wagtail import hooks
from wagtail.admin.admin_url_finder import AdminURLFinder
from wagtail.admin.utils import get_latest_str
from wagtail.models import Locale, Page, Revision, TaskState
from wagtail.permissions import page_permission_policy
from wagtail_localize.views.report import TranslationsReportView

from catalog.goods.models import Product
from catalog.goods.sellable import is_sellable
from catalog.promotions.models import Promotion
from catalog.search.models import FailedSearch
from content.dashboard.links import links_of
from content.dashboard.preview import preview_url
from content.models import AreaGood, CarouselSlide, HomePage, SpecialArea
from content.models.completeness import PublishedWhole, faults
from content.translating.progress import FIRST_TEXT, progress_of
from core.pending import PENDING_WORK, SHOWN, Card, Item, when

# How far ahead scheduled changes are shown.
SOON = timedelta(days=7)
# Scheduled drafts are published each minute, so after this time a draft counts as late.
LATE = timedelta(minutes=2)
WINDOWS = (CarouselSlide, SpecialArea)


def cards(user: Any) -> list[Card]:
    """Return the cards of a user's pending work, those of other apps first; a bounded number of queries."""
    sources: list[Callable[[Any], Card | None]] = [
        *hooks.get_hooks(PENDING_WORK),
        _approvals,
        _late,
        _schedule,
        _drafts,
        _translations,
        _sold_out,
        _failed_searches,
    ]
    return [card for source in sources if (card := source(user)) and card.total]


def _approvals(user: Any) -> Card:
    states = TaskState.objects.reviewable_by(user).order_by("started_at")
    urls = AdminURLFinder(user)
    items = []
    for state in states.select_related("revision__user").prefetch_related("revision__content_object")[:SHOWN]:
        row = state.revision.content_object
        writer = state.revision.user
        if row:
            name = (writer.get_full_name() or writer.get_username()) if writer else ""
            items.append(Item(_name(row), urls.get_edit_url(row), name))
    return Card("approvals", _("To approve"), "success", items, states.count())


# ── Drafts and schedules ──────────────────────────────────────────────────────────────────────────────


def _own(user: Any) -> list[QuerySet[Any]]:
    """Return the pages, slides and areas that a user may change or publish."""
    pages = page_permission_policy.instances_user_has_any_permission_for(user, {"change", "publish"})
    may_change = [
        model
        for model in WINDOWS
        if model.snippet_viewset.permission_policy.user_has_any_permission(user, {"change", "publish"})
    ]
    return [pages.filter(depth__gt=1), *(model.objects.all() for model in may_change)]


def _drafts(user: Any) -> Card:
    urls = AdminURLFinder(user)
    items, total = [], 0
    for rows in _own(user):
        drafts = (
            rows.filter(has_unpublished_changes=True)
            .exclude(latest_revision__approved_go_live_at__isnull=False)
            .exclude(pk__in=_to_approve(user, rows))
        )
        total += drafts.count()
        latest = drafts.select_related("latest_revision").order_by("-latest_revision__created_at")[:SHOWN]
        items += [(row.latest_revision, row) for row in latest]
    items.sort(key=lambda pair: pair[0].created_at if pair[0] else timezone.now(), reverse=True)
    return Card(
        "drafts",
        _("Drafts with changes that are not published"),
        "draft",
        [
            Item(_name(row), urls.get_edit_url(row), when(revision.created_at) if revision else "")
            for revision, row in items[:SHOWN]
        ],
        total,
    )


def _to_approve(user: Any, rows: QuerySet[Any]) -> list[int]:
    """Return the keys of rows that a user may approve, which another card shows; one or two queries."""
    kind = ContentType.objects.get_for_model(rows.model)
    states = TaskState.objects.reviewable_by(user).filter(workflow_state__base_content_type=kind)
    return [int(key) for key in states.values_list("workflow_state__object_id", flat=True)]


def _scheduled(rows: QuerySet[Any], **times: Any) -> list[tuple[Any, Any]]:
    """Return the drafts of rows that are scheduled for the given times, without content, and their rows."""
    kind = ContentType.objects.get_for_model(rows.model)
    drafts = Revision.objects.filter(base_content_type=kind, **times).defer("content")
    by_row = {int(draft.object_id): draft for draft in drafts}
    return [(by_row[pk], row) for pk, row in rows.in_bulk(by_row).items()]


def _late(user: Any) -> Card:
    past = timezone.now() - LATE
    urls = AdminURLFinder(user)
    late = [pair for rows in _own(user) for pair in _scheduled(rows, approved_go_live_at__lt=past)]
    late.sort(key=lambda pair: pair[0].approved_go_live_at)
    return Card(
        "late",
        _("Could not be published on time"),
        "warning",
        [
            Item(_name(row), urls.get_edit_url(row), f"{when(draft.approved_go_live_at)} · {_fault(draft)}")
            for draft, row in late[:SHOWN]
        ],
        len(late),
    )


def _fault(draft: Any) -> str:
    """Return why a draft cannot be published."""
    row = draft.as_object()
    try:
        row.check_whole() if isinstance(row, PublishedWhole) else row.full_clean()
    except ValidationError as error:
        return faults(row, error)[0]
    return _("will be tried again")


def _schedule(user: Any) -> Card:
    now = timezone.now()
    soon = (now, now + SOON)
    urls = AdminURLFinder(user)
    events: list[tuple[datetime, str, Any]] = []
    for rows in _own(user):
        due = _scheduled(rows, approved_go_live_at__range=soon)
        events += [(draft.approved_go_live_at, _("appears"), row) for draft, row in due]
        ending = rows.filter(live=True, expire_at__range=soon).order_by("expire_at")
        events += [(row.expire_at, _("goes"), row) for row in ending]
    if user.has_perm("promotions.view_promotion") or user.has_perm("promotions.change_promotion"):
        promotions = Promotion.objects.filter(is_active=True)
        events += [(row.starts_at, _("starts"), row) for row in promotions.filter(starts_at__range=soon)]
        events += [(row.ends_at, _("ends"), row) for row in promotions.filter(ends_at__range=soon)]
    events.sort(key=lambda event: event[0])
    first = events[0][0] if events else now
    return Card(
        "schedule",
        _("In the next seven days"),
        "time",
        [
            Item(_name(row), urls.get_edit_url(row), f"{what} · {when(at)}")
            for at, what, row in events[:SHOWN]
        ],
        len(events),
        preview_url(at=timezone.localtime(first + timedelta(minutes=1)).strftime("%Y-%m-%d %H:%M")),
        _("See the shop then"),
    )


def _name(row: Any) -> str:
    """Return a row's name in the reader's language, from its latest draft."""
    if isinstance(row, WINDOWS):
        return str(row.get_latest_revision_as_object())
    return str(row.name) if isinstance(row, Promotion) else get_latest_str(row)


# ── Languages ─────────────────────────────────────────────────────────────────────────────────────────


def _translations(user: Any) -> Card | None:
    if not user.has_perm("wagtail_localize.submit_translation"):
        return None
    report = TranslationsReportView().get_queryset()
    waiting = report.filter(waiting_for_translation=True, enabled=True)
    own = page_permission_policy.instances_user_has_any_permission_for(user, {"add", "change", "publish"})
    # Pages that were never submitted for translation: the other language has no page, or only an alias.
    sources = own.filter(depth__gt=2, alias_of=None).select_related("locale").order_by("path")
    translated = Page.objects.filter(alias_of=None).values_list("translation_key", "locale")
    by_key: dict[Any, set[int]] = {}
    for key, locale in translated:
        by_key.setdefault(key, set()).add(locale)
    locales = Locale.objects.count()
    missing = [page for page in sources if len(by_key[page.translation_key]) < locales]
    items = [
        Item(page.title, reverse("wagtail_localize:submit_page_translation", args=[page.pk]), _("not begun"))
        for page in missing[:SHOWN]
    ]
    for translation in waiting.select_related("source", "target_locale")[: SHOWN - len(items)]:
        done = progress_of(translation)
        note = _("{left} of {total} texts left").format(left=done.left, total=done.total)
        items.append(Item(translation.source.object_repr, _translation_url(translation), note))
    return Card(
        "translations",
        _("Without a translation"),
        "globe",
        items,
        len(missing) + waiting.count(),
        f"{reverse('wagtail_localize:translations_report')}?waiting_for_translation=true",
        _("All translations"),
    )


def _translation_url(translation: Any) -> str:
    url: str = translation.get_target_instance_edit_url()
    return f"{url}{FIRST_TEXT}"


# ── Products and searches ─────────────────────────────────────────────────────────────────────────────


def _sold_out(user: Any) -> Card:
    urls = AdminURLFinder(user)
    items = []
    policy = SpecialArea.snippet_viewset.permission_policy
    if policy.user_has_any_permission(user, {"change", "view"}):
        gone = Q(product__sold_out=True) | ~is_sellable("product__")
        shown = SpecialArea.objects.shown().filter(rule=SpecialArea.Rule.picked)
        for place in AreaGood.objects.filter(gone, area__in=shown).select_related("area", "product"):
            items.append(Item(place.product.name, urls.get_edit_url(place.area), place.area.name))
    pages = page_permission_policy.instances_user_has_any_permission_for(user, {"change", "publish"})
    for page in HomePage.objects.live().filter(pk__in=pages.values("pk")).select_related("locale"):
        for product in _products_on(page):
            if product.sold_out or not product.on_sale:
                items.append(Item(product.name, urls.get_edit_url(page), f"{page.title} · {page.locale}"))
    return Card("sold-out", _("Shown in windows, but sold out"), "warning", items[:SHOWN], len(items))


def _products_on(page: HomePage) -> Iterable[Product]:
    chosen = {link.row.pk: link.row for link in links_of(page) if isinstance(link.row, Product)}
    return chosen.values()


def _failed_searches(user: Any) -> Card | None:
    if not user.has_perm("search.view_failedsearch"):
        return None
    items = [
        Item(
            row.word,
            reverse("failed_searches:inspect", args=[row.pk]),
            ngettext("%(count)d time", "%(count)d times", row.count) % {"count": row.count},
        )
        for row in FailedSearch.objects.all()[:SHOWN]
    ]
    return Card(
        "failed-searches",
        _("Searches with no results"),
        "search",
        items,
        FailedSearch.objects.count(),
        reverse("failed_searches:index"),
        _("All searches with no results"),
    )
