"""Publishes a translation completely or not at all, and only for users who may publish.

All screens of wagtail-localize save translations with one function, which this module replaces.
"""

from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from wagtail.actions.convert_alias import ConvertAliasPageAction
from wagtail.models import Locale, Page
from wagtail_localize.models import TranslationSource

from content.models.completeness import PublishedWhole

MAY_NOT_PUBLISH = _("Only staff who may publish can change a page that readers see.")

_save = TranslationSource.create_or_update_translation


def check_before_saving() -> None:
    """Check every translation before wagtail-localize saves it, since it writes what readers see."""
    TranslationSource.create_or_update_translation = _save_whole


def _save_whole(
    source: TranslationSource, locale: Locale, user: Any = None, publish: bool = True, **kw: Any
) -> Any:
    """Save a translation; raises ValidationError if it should be published and lacks something.

    A new incomplete translation is saved as a draft instead, so that editors can complete it. The same
    applies to a translation of a user who may not publish.
    """
    if user is not None and not may_publish(source, locale, user):
        return _save_draft(source, locale, user, **kw)
    if publish:
        try:
            check(source, locale)
        except ValidationError:
            if _own_page(source, locale):
                raise
            publish = False
    return _save(source, locale, user=user, publish=publish, **kw)


def may_publish(source: TranslationSource, locale: Locale, user: Any) -> bool:
    """Return True if a user may publish the page in a language, or a new one in its place."""
    page = _page_in(source, locale)
    if page:
        return bool(page.permissions_for_user(user).can_publish())
    above = source.get_source_instance().get_parent()
    there = above.get_translation_or_none(locale) or above
    return bool(there.permissions_for_user(user).can_publish_subpage())


@transaction.atomic
def _save_draft(source: TranslationSource, locale: Locale, user: Any, **kw: Any) -> Any:
    """Save a translation without changing what readers see; raises ValidationError if that is impossible.

    wagtail-localize would write a draft of a published page into the published page.
    """
    page = _page_in(source, locale)
    if page is None:
        live = Page.objects.filter(locale=locale, live=True)
        before = set(live.values_list("pk", flat=True))
        saved = _save(source, locale, user=user, publish=False, **kw)
        # Missing pages above it were copied, and are live like their originals.
        live.exclude(pk__in=before).update(live=False)
        return saved
    if not page.live:
        return _save(source, locale, user=user, publish=False, **kw)
    if not page.alias_of_id:
        raise ValidationError(MAY_NOT_PUBLISH)
    # It keeps showing the original until the draft is published.
    ConvertAliasPageAction(page, user=user).execute(skip_permission_checks=True)
    draft = source.get_ephemeral_translated_instance(locale, fallback=True)
    draft.save_revision(user=user, clean=False)
    return draft, False


def check(source: TranslationSource, locale: Locale) -> None:
    """Raise ValidationError if a page would lack something that its form requires, in a language.

    wagtail-localize validates the fields itself, and marks the texts that do not fit.
    """
    page = (
        source.get_ephemeral_translated_instance(locale, fallback=True)
        if _own_page(source, locale)
        else source.as_instance()
    )
    if isinstance(page, PublishedWhole):
        page.check_parts()


def _own_page(source: TranslationSource, locale: Locale) -> Page | None:
    """Return the page in a language; None if there is none, or it only shows the original."""
    page = _page_in(source, locale)
    return page if page and not page.alias_of_id else None


def _page_in(source: TranslationSource, locale: Locale) -> Page | None:
    """Return the page in a language, also one that shows the original; None if there is none."""
    try:
        page: Page = source.get_translated_instance(locale)
    except ObjectDoesNotExist:
        return None
    return page
