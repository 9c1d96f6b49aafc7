"""The privacy of pages: what restricts a page in one language restricts it in all.

Wagtail stores a restriction for one page, and applies it to the pages below. See
docs/guarantees/back-office.md#private-pages.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.db.models.signals import m2m_changed, post_delete, post_save
from django.http import HttpRequest
from django.utils.cache import add_never_cache_headers
from wagtail.models import Page, PageViewRestriction
from wagtail.wagtail_hooks import require_wagtail_login
from wagtail_localize.models import TranslationSource

# The rows that connect restrictions and groups.
_Membership = PageViewRestriction.groups.through

Serve = Callable[..., Any]


def listen() -> None:
    """Copy each change of a page's restriction to its translations."""
    post_save.connect(_share, sender=PageViewRestriction, dispatch_uid="content.privacy")
    m2m_changed.connect(_share_groups, sender=_Membership, dispatch_uid="content.privacy")
    post_delete.connect(_end, sender=PageViewRestriction, dispatch_uid="content.privacy")
    # wagtail-localize would copy them in one direction only, and whenever texts are updated.
    TranslationSource.sync_view_restrictions = _leave


def public_pages(pages: QuerySet[Any]) -> QuerySet[Any]:
    """Return the published pages that every visitor may read; one query before the result's.

    A page is private in all languages if it, or a page above it, is private in one of them.
    """
    private = Page.objects.private().values("translation_key")
    public: QuerySet[Any] = pages.filter(live=True).exclude(translation_key__in=private)
    return public


def serve_private(serve: Serve) -> Serve:
    """Wrap a function that serves a page, so that it applies the restrictions of the page's translations.

    Wagtail's own hook applies those of the page itself. At most four queries, one for a public page.
    """

    def inner(page: Page, request: HttpRequest, *args: Any) -> Any:
        restrictions = _of_translations(page)
        if not restrictions:
            return serve(page, request, *args)
        if all(each.accept_request(request) for each in restrictions):
            response = serve(page, request, *args)
        else:
            response = require_wagtail_login(next=request.get_full_path())
        add_never_cache_headers(response)
        return response

    return inner


def _of_translations(page: Page) -> list[PageViewRestriction]:
    """Return the restrictions of a page's translations and of the pages above them."""
    private = Page.objects.private().filter(translation_key=page.translation_key)
    found = {each.pk: each for each in private}
    # The page asks for its own password, which is the same in each language.
    without = {PageViewRestriction.PASSWORD} if found.pop(page.pk, None) else set()
    return [
        restriction
        for other in found.values()
        for restriction in other.get_view_restrictions()
        if restriction.restriction_type not in without
    ]


def _others(restriction: PageViewRestriction) -> QuerySet[Page]:
    """Return the translations of a restriction's page."""
    page = restriction.page
    others: QuerySet[Page] = Page.objects.filter(translation_key=page.translation_key).exclude(pk=page.pk)
    return others


def _share(instance: PageViewRestriction, raw: bool = False, **_kw: Any) -> None:
    """Restrict all translations of a page as the page; a restriction is added where there is none."""
    if raw:
        return
    values = {"restriction_type": instance.restriction_type, "password": instance.password}
    groups = list(instance.groups.values_list("pk", flat=True))
    for page in _others(instance):
        if not page.view_restrictions.update(**values):
            # Neither sends a signal, so that the copies are not copied in turn.
            [added] = PageViewRestriction.objects.bulk_create([PageViewRestriction(page=page, **values)])
            _set_groups([added.pk], groups)


def _share_groups(instance: PageViewRestriction, action: str, reverse: bool = False, **_kw: Any) -> None:
    if action.startswith("post_") and not reverse:
        rows = PageViewRestriction.objects.filter(page__in=_others(instance))
        _set_groups(rows.values_list("pk", flat=True), instance.groups.values_list("pk", flat=True))


def _set_groups(restrictions: Any, groups: Any) -> None:
    """Let exactly these groups pass these restrictions; both are ids."""
    restrictions = list(restrictions)
    _Membership.objects.filter(pageviewrestriction__in=restrictions).delete()
    _Membership.objects.bulk_create(
        _Membership(pageviewrestriction_id=restriction, group_id=group)
        for restriction in restrictions
        for group in groups
    )


def _end(instance: PageViewRestriction, origin: Any = None, **_kw: Any) -> None:
    """Remove the restriction from all translations, unless it was deleted with its page."""
    if PageViewRestriction in (type(origin), getattr(origin, "model", None)):
        PageViewRestriction.objects.filter(page__in=_others(instance)).delete()


def _leave(*_args: Any) -> None:
    """Leave the restrictions as they are."""
